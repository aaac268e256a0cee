// SPDX-License-Identifier: BSD-2-Clause
// Factorisations of a dense row-major matrix in place, without allocating: A = L Lᵀ (lower triangle read and written)
// and, for unsymmetric matrices, P A = L U with partial pivoting. Rows are contiguous, so that the inner loops are dot
// products of rows; four columns at a time. Failure: a pivot that is not positive (Cholesky) or not finite.
#pragma once

namespace stiction {

bool factor_cholesky(double* a, int n);
void solve_cholesky(const double* a, int n, double* x);

// The same for small matrices: columns of `stride` entries, a multiple of four; 1/L_jj goes to inverse_diagonal. Four
// columns and four rows at a time stay in registers. What is above the diagonal is overwritten and means nothing.
bool factor_cholesky_columns(double* a, int stride, double* inverse_diagonal);
void solve_cholesky_columns(const double* a, int stride, const double* inverse_diagonal,
                            double* x);  // x: stride entries

bool factor_lu(double* a, int n, int* pivot);
void solve_lu(const double* a, int n, const int* pivot, double* x);

}  // namespace stiction
