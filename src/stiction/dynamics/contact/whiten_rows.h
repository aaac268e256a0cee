// SPDX-License-Identifier: BSD-2-Clause
// Y ← J L̂⁻¹ for `rows` rows on one chain of `length` velocities: leaf to root, as in solve_transposed. The rows of one
// velocity lie together, so that they are eliminated side by side. Private to floating_side.h, rows.cpp and row_products.cpp.
#pragma once

#include <stiction/base/pair.h>
#include <stiction/dynamics/contact/rows.h>

#include <algorithm>

namespace stiction {

// Three rows side by side: T1 and T2 in one pair, N in the other.
struct ThreeRows {
  Pair lo, hi;

  ThreeRows& operator+=(const ThreeRows& b) { return lo += b.lo, hi += b.hi, *this; }
  ThreeRows& operator-=(const ThreeRows& b) { return lo -= b.lo, hi -= b.hi, *this; }
};
inline ThreeRows operator*(double x, const ThreeRows& a) { return {both(x) * a.lo, both(x) * a.hi}; }
inline ThreeRows operator+(const ThreeRows& a, const ThreeRows& b) { return {a.lo + b.lo, a.hi + b.hi}; }
inline ThreeRows operator-(const ThreeRows& a, const ThreeRows& b) { return {a.lo - b.lo, a.hi - b.hi}; }
inline ThreeRows load_rows(const double* y) { return {load_pair(y), load_pair(y + 2)}; }
inline void store_rows(double* y, const ThreeRows& x) { store_pair(y, x.lo), store_pair(y + 2, x.hi); }
// Rows times a vector: the lanes of (a, b, c) are the entries of each row.
inline ThreeRows rows_times(const ThreeRows* a, double x, double y, double z) { return x * a[0] + y * a[1] + z * a[2]; }

// Three rows of a body of a floating tree. Its first six velocities are the base's, whose entries come in `base` and stay in registers;
// those of the joints are in y. Returns Y z.
inline ThreeRows whiten_floating(const RowContext& c, const int* chain, int length, ThreeRows* base, double* y) {
  constexpr int kBase = 6;
  const double* factor = c.kinematics.factor.data();
  const double* inverse = c.kinematics.inverse_diagonal.data();
  ThreeRows free{both(0.0), both(0.0)};
  for (int d = length - 1; d >= kBase; --d) {
    const double* l = factor + c.layout.row[chain[d]];
    const ThreeRows own = inverse[chain[d]] * load_rows(y + 4 * d);
    store_rows(y + 4 * d, own);
    free += c.z[chain[d]] * own;
    for (int e = kBase; e < d; ++e) store_rows(y + 4 * e, load_rows(y + 4 * e) - l[e] * own);
#pragma GCC unroll 6
    for (int e = 0; e < kBase; ++e) base[e] -= l[e] * own;
  }
  const double* l = factor + c.layout.row[chain[0]];
  inverse += chain[0];
  const double* z = c.z + chain[0];
#pragma GCC unroll 6
  for (int d = kBase - 1; d >= 0; --d) {
    base[d] = inverse[d] * base[d];
    store_rows(y + 4 * d, base[d]);
    free += z[d] * base[d];
#pragma GCC unroll 6
    for (int e = 0; e < d; ++e) base[e] -= l[d * (d + 1) / 2 + e] * base[d];
  }
  return free;
}

template <int rows>
inline void whiten_rows(const RowContext& c, const BodyPlan& plan, const int* chain, int length, double* y) {
  constexpr int stride = row_stride(rows);
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
    } else if constexpr (rows == 1) {
      const double yd = y[stride * d] *= inverse;
      for (int e = first; e < d; ++e) y[stride * e] -= l[e] * yd;
    } else {
      for (int r = 0; r < rows; ++r) y[stride * d + r] *= inverse;
      for (int e = first; e < d; ++e)
        for (int r = 0; r < rows; ++r) y[stride * e + r] -= l[e] * y[stride * d + r];
    }
  }
}

}  // namespace stiction
