// SPDX-License-Identifier: BSD-2-Clause
// Y ← J L̂⁻¹ for `rows` rows on one chain of `length` velocities: leaf to root, as in solve_transposed. The rows of one
// velocity lie together, so that they are eliminated side by side. Private to rows.cpp.
#pragma once

#include <stiction/base/pair.h>
#include <stiction/dynamics/contact/rows.h>

#include <algorithm>

namespace stiction {

// Three rows of a body of a floating tree: its first six velocities are the base's, whose packed rows follow each other, and stay in
// registers.
inline void whiten_floating(const RowContext& c, const int* chain, int length, double* y) {
  constexpr int kBase = 6;
  const double* factor = c.kinematics.factor.data();
  const double* inverse = c.kinematics.inverse_diagonal.data();
  Pair lo[kBase], hi[kBase];
#pragma GCC unroll 6
  for (int e = 0; e < kBase; ++e) lo[e] = load_pair(y + 4 * e), hi[e] = load_pair(y + 4 * e + 2);
  for (int d = length - 1; d >= kBase; --d) {
    const double* l = factor + c.layout.row[chain[d]];
    const Pair scale = both(inverse[chain[d]]);
    const Pair own_lo = load_pair(y + 4 * d) * scale, own_hi = load_pair(y + 4 * d + 2) * scale;
    store_pair(y + 4 * d, own_lo), store_pair(y + 4 * d + 2, own_hi);
    for (int e = kBase; e < d; ++e) {
      const Pair x = both(l[e]);
      store_pair(y + 4 * e, load_pair(y + 4 * e) - x * own_lo);
      store_pair(y + 4 * e + 2, load_pair(y + 4 * e + 2) - x * own_hi);
    }
#pragma GCC unroll 6
    for (int e = 0; e < kBase; ++e) lo[e] -= both(l[e]) * own_lo, hi[e] -= both(l[e]) * own_hi;
  }
  const double* base = factor + c.layout.row[chain[0]];
  inverse += chain[0];
#pragma GCC unroll 6
  for (int d = kBase - 1; d >= 0; --d) {
    const double* l = base + d * (d + 1) / 2;
    lo[d] *= both(inverse[d]), hi[d] *= both(inverse[d]);
    store_pair(y + 4 * d, lo[d]), store_pair(y + 4 * d + 2, hi[d]);
#pragma GCC unroll 6
    for (int e = 0; e < d; ++e) lo[e] -= both(l[e]) * lo[d], hi[e] -= both(l[e]) * hi[d];
  }
}

template <int rows>
inline void whiten_rows(const RowContext& c, const BodyPlan& plan, const int* chain, int length, double* y) {
  constexpr int stride = row_stride(rows);
  if constexpr (rows == 3)
    if (plan.floating && !plan.free_body) return whiten_floating(c, chain, length, y);
  for (int d = length - 1; d >= 0; --d) {
    const auto velocity = chain[d];
    const double* l = c.kinematics.factor.data() + c.layout.row[velocity];
    const double inverse = c.kinematics.inverse_diagonal[velocity];
    const int first = plan.free_body ? std::min(d, 3) : 0;  // zeros of a free body's factor are left out
    if constexpr (rows == 3) {
      const Pair lo = load_pair(y + 4 * d) * both(inverse), hi = load_pair(y + 4 * d + 2) * both(inverse);
      store_pair(y + 4 * d, lo), store_pair(y + 4 * d + 2, hi);
      for (int e = first; e < d; ++e) {
        const Pair factor = both(l[e]);
        store_pair(y + 4 * e, load_pair(y + 4 * e) - factor * lo);
        store_pair(y + 4 * e + 2, load_pair(y + 4 * e + 2) - factor * hi);
      }
    } else if constexpr (rows == 2) {
      const Pair yd = load_pair(y + 2 * d) * both(inverse);
      store_pair(y + 2 * d, yd);
      for (int e = first; e < d; ++e) store_pair(y + 2 * e, load_pair(y + 2 * e) - both(l[e]) * yd);
    } else {
      const double yd = y[stride * d] *= inverse;
      for (int e = first; e < d; ++e) y[stride * e] -= l[e] * yd;
    }
  }
}

}  // namespace stiction
