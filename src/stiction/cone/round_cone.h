// SPDX-License-Identifier: BSD-2-Clause
// The circular cone K_μ = { λ : λ_N ≥ 0, ‖λ_T‖ ≤ μ λ_N } of a patch: any number of rows, N the last, T all others.
// With three rows it is the CoulombCone: the same three regions, the same shift Γ(u) = (0, μ‖u_T‖).
#pragma once

#include <cmath>

namespace stiction {

struct RoundCone {
  double mu = 0.0;  // μ ≥ 0 [-]
  int size = 4;

  static double norm(const double* x, int n) {
    double s = 0.0;
    for (int k = 0; k < n; ++k) s += x[k] * x[k];
    return std::sqrt(s);
  }
  double tangent_norm(const double* x) const { return norm(x, size - 1); }
  double shift(const double* u) const { return mu * tangent_norm(u); }  // of the last row

  // x ← P_K(x); a point of K stays as it is to the last bit, NaN stays NaN.
  void project(double* x) const {
    const int t = size - 1;
    const double n = tangent_norm(x), z = x[t];
    if (mu * n <= -z) {  // x ∈ −K*; tested first so that μ = 0 is not special
      for (int k = 0; k < size; ++k) x[k] = 0.0;
      return;
    }
    if (n <= mu * z) return;
    const double height = (mu * n + z) / (1.0 + mu * mu), stretch = mu * height / n;
    for (int k = 0; k < t; ++k) x[k] *= stretch;
    x[t] = height;
  }
};

}  // namespace stiction
