// SPDX-License-Identifier: BSD-2-Clause
// Kernels for the small square matrices of the dense exponential. A matrix of size N is N columns, `stride` apart, with
// stride = N rounded up to a multiple of four; the padding (rows N… and columns N…stride) is zero and stays zero.
// Nothing is allocated here, unlike Eigen's products, which take heap for their panels from some size on.
// Fails: a singular matrix gives infinities or NaN in solve_in_place, never an exception.
// Reference: Golub, Van Loan, Matrix Computations, sections 1.1 and 3.4.
#pragma once

namespace stiction {

struct SquareSize {
  int n = 0, stride = 0;
  explicit SquareSize(int size) : n(size), stride((size + 3) & ~3) {}
  int area() const { return stride * stride; }
};

// c ← a b; c is neither a nor b.
void multiply(SquareSize size, const double* a, const double* b, double* c);
// y ← a x for `columns` columns; y is not x.
void multiply_columns(SquareSize size, const double* a, const double* x, int columns, double* y);
// x ← a⁻¹ x for `columns` columns, by LU with partial pivoting; a is destroyed.
void solve_in_place(SquareSize size, double* a, double* x, int columns);
// max_j Σ_i |a_ij|
double norm_1(SquareSize size, const double* a);

}  // namespace stiction
