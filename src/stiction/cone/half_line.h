// SPDX-License-Identifier: BSD-2-Clause
// The half-line { λ ≥ 0 }, its own dual: 0 ≤ λ ⟂ u ≥ 0. NaN in, NaN out.
#pragma once

namespace stiction {

struct HalfLine {
  static constexpr int size = 1;

  double project(double x) const { return x < 0.0 ? 0.0 : x; }
  double project_dual(double x) const { return project(x); }
  double derivative(double x) const { return x < 0.0 ? 0.0 : 1.0; }
  bool contains(double x) const { return x >= 0.0; }
};

}  // namespace stiction
