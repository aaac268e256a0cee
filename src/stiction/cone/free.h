// SPDX-License-Identifier: BSD-2-Clause
// The whole line: λ is free, and its dual set is {0}: u = 0 (bilateral rows).
#pragma once

namespace stiction {

struct Free {
  static constexpr int size = 1;

  double project(double x) const { return x; }
  double project_dual(double x) const { return 0.0 * x; }  // a NaN stays a NaN
  double derivative(double) const { return 1.0; }
  bool contains(double x) const { return x == x; }
};

}  // namespace stiction
