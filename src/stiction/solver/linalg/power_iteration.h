// SPDX-License-Identifier: BSD-2-Clause
// The largest eigenvalue of a symmetric positive semidefinite matrix A, from below: x ← Ax/‖Ax‖, λmax ≈ ‖Ax‖.
// Failure mode: a start that is orthogonal to the eigenvector.
#pragma once

#include <cmath>

namespace stiction {

// x: the start, of length 1, overwritten. y: scratch. product(x, y) writes y = A x. Ends after `steps` products, or when the
// value changes by no more than `settled` of itself.
template <class Product>
double power_iteration(int n, int steps, double settled, double* x, double* y, const Product& product) {
  double value = 0.0;
  for (int k = 0; k < steps; ++k) {
    product(x, y);
    double square = 0.0;
    for (int r = 0; r < n; ++r) square += y[r] * y[r];
    const double norm = std::sqrt(square);
    if (!(norm > 0.0) || !std::isfinite(norm)) return value;
    const bool done = std::abs(norm - value) <= settled * norm;
    value = norm;
    if (done) break;
    const double inverse = 1.0 / norm;
    for (int r = 0; r < n; ++r) x[r] = y[r] * inverse;
  }
  return value;
}

}  // namespace stiction
