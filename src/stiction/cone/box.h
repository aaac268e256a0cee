// SPDX-License-Identifier: BSD-2-Clause
// The interval [lo, hi] of ℝ; either bound may be infinite, lo = hi is a point. NaN in, NaN out.
#pragma once

namespace stiction {

struct Box {
  double lo = 0.0, hi = 0.0;

  static constexpr int size = 1;

  double project(double x) const { return x < lo ? lo : (x > hi ? hi : x); }
  double derivative(double x) const { return x < lo || x > hi ? 0.0 : 1.0; }
  bool contains(double x) const { return lo <= x && x <= hi; }
};

}  // namespace stiction
