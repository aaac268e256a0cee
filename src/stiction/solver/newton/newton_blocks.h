// SPDX-License-Identifier: BSD-2-Clause
// One block of the primal cost: P^R(y) and B = R⁻¹ ∇²ℓ_R(y) R⁻¹ for every kind of block. y = −u/R.
#pragma once

#include <stiction/cone/metric_cone.h>
#include <stiction/problem/block.h>

#include <algorithm>

namespace stiction {

inline Vec3 scaled_velocity(const double* u, const double* R) { return {-u[0] / R[0], -u[1] / R[1], -u[2] / R[2]}; }

// λ = P^R(−u/R)
inline void metric_project(const Block& b, const double* u, const double* R, double* lambda) {
  if (b.kind == BlockKind::coulomb) {
    const Vec3 p = MetricCone{b.mu, R[0], R[2]}.project(scaled_velocity(u, R));
    lambda[0] = p.x(), lambda[1] = p.y(), lambda[2] = p.z();
    return;
  }
  for (int k = 0; k < b.size; ++k) {
    const double y = -u[k] / R[k];
    lambda[k] = y;
    if (b.kind == BlockKind::unilateral && y < 0.0) lambda[k] = 0.0;
    if (b.kind == BlockKind::box) lambda[k] = y < b.lo ? b.lo : (y > b.hi ? b.hi : y);
  }
}

// Whether y of a row that is no contact lies outside its set.
inline bool beyond_bounds(const Block& b, double y) {
  return (b.kind == BlockKind::unilateral && y < 0.0) || (b.kind == BlockKind::box && (y < b.lo || y > b.hi));
}

// B, row-major size × size.
inline void metric_slope(const Block& b, const double* u, const double* R, double* B) {
  if (b.kind == BlockKind::coulomb) {
    const Mat3 h = MetricCone{b.mu, R[0], R[2]}.hessian(scaled_velocity(u, R));
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) B[3 * r + c] = h(r, c) / (R[r] * R[c]);
    return;
  }
  std::fill_n(B, b.size * b.size, 0.0);
  for (int k = 0; k < b.size; ++k) B[k * b.size + k] = beyond_bounds(b, -u[k] / R[k]) ? 0.0 : 1.0 / R[k];
}

// duᵀ B du without writing B.
inline double metric_curvature(const Block& b, const double* u, const double* R, const double* du) {
  if (b.kind == BlockKind::coulomb) {
    double B[9];
    metric_slope(b, u, R, B);
    double sum = 0.0;
    for (int r = 0; r < 3; ++r) sum += du[r] * (B[3 * r] * du[0] + B[3 * r + 1] * du[1] + B[3 * r + 2] * du[2]);
    return sum;
  }
  double sum = 0.0;
  for (int k = 0; k < b.size; ++k)
    if (!beyond_bounds(b, -u[k] / R[k])) sum += du[k] * du[k] / R[k];
  return sum;
}

}  // namespace stiction
