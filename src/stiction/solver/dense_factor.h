// SPDX-License-Identifier: BSD-2-Clause
// Factorisations of a dense row-major matrix in place, without allocating: A = L Lᵀ (lower triangle read and written)
// and, for unsymmetric matrices, P A = L U with partial pivoting. Rows are contiguous, so that the inner loops are dot
// products of rows; four columns at a time. Failure: a pivot that is not positive (Cholesky) or not finite.
#pragma once

namespace stiction {

bool factor_cholesky(double* a, int n);
void solve_cholesky(const double* a, int n, double* x);

bool factor_lu(double* a, int n, int* pivot);
void solve_lu(const double* a, int n, const int* pivot, double* x);

}  // namespace stiction
