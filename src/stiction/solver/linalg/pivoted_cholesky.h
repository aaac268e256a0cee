// SPDX-License-Identifier: BSD-2-Clause
// A ≈ L Lᵀ of a positive semidefinite matrix with diagonal pivoting, stopped at its rank:
//   p = argmax d_i,  L_ik = (A_ip − Σ_{j<k} L_ij L_pj)/√d_p,  d_i ← d_i − L_ik²,   until d_p ≤ cut
// The rows of L stay in the order of A; only the columns p of A are read. Reference: Higham 1990.
#pragma once

#include <stiction/base/dot.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

// entry(i, j): A_ij. Writes L (row-major, n × n, zero beyond the rank) and the pivots in their order; returns the rank.
// `diagonal`: n numbers of scratch.
template <class Entry>
int factor_cholesky_pivoted(int n, double cut, const Entry& entry, double* L, double* diagonal, int* order) {
  constexpr double kTaken = -std::numeric_limits<double>::infinity();
  const std::ptrdiff_t stride = n;
  std::fill_n(L, stride * n, 0.0);
  for (int i = 0; i < n; ++i) diagonal[i] = entry(i, i);
  for (int k = 0; k < n; ++k) {
    const int p = static_cast<int>(std::max_element(diagonal, diagonal + n) - diagonal);
    if (!(diagonal[p] > cut)) return k;
    double* pivot = L + p * stride;
    pivot[k] = std::sqrt(diagonal[p]);
    order[k] = p, diagonal[p] = kTaken;
    const double inverse = 1.0 / pivot[k];
    for (int i = 0; i < n; ++i) {
      if (diagonal[i] == kTaken) continue;
      double* row = L + i * stride;
      row[k] = (entry(i, p) - dot(row, pivot, k)) * inverse;
      diagonal[i] -= row[k] * row[k];
    }
  }
  return n;
}

}  // namespace stiction
