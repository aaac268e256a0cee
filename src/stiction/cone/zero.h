// SPDX-License-Identifier: BSD-2-Clause
// The point {0}: no impulse; its dual is the whole line.
#pragma once

namespace stiction {

struct Zero {
  static constexpr int size = 1;

  double project(double x) const { return 0.0 * x; }  // a NaN stays a NaN
  double project_dual(double x) const { return x; }
  double derivative(double) const { return 0.0; }
  bool contains(double x) const { return x == 0.0; }
};

}  // namespace stiction
