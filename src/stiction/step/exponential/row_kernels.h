// SPDX-License-Identifier: BSD-2-Clause
// Contact rows and pole factors on many columns at once. Blocks are row-major; widths are multiples of four, because four
// columns stay in registers while the sums run over rows.
#pragma once

#include <stiction/dynamics/contact/rows.h>
#include <stiction/step/exponential/linear_contact.h>

namespace stiction {

// a += b x
inline void add_scaled(double b, const double* __restrict x, int n, double* __restrict a) {
  for (int j = 0; j < n; ++j) a[j] += b * x[j];
}

// out = Y x: rows of block i begin at first[i]; x has one row per velocity. Both have `stride` numbers per row.
void multiply_rows(const Layout& layout, const RowSet& set, const int* first, const double* x, int stride, int width,
                   double* out);
// x += Yᵀ rows.
void add_transposed_rows(const Layout& layout, const RowSet& set, const int* first, const double* rows, int stride,
                         int width, double* x);

// x ← (Υ + C_k⁻¹)⁻¹ x with the factor of pole k that pole_forces left (linear_contact.h): n² complex products per column.
// Real and imaginary parts are apart; im is not touched for a real pole.
void solve_with_pole_many(const LinearContactWork& work, const Pole& pole, int k, int width, double* re, double* im);

}  // namespace stiction
