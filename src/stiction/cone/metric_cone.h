// SPDX-License-Identifier: BSD-2-Clause
// The Coulomb cone seen in the metric of a compliance R = diag(R_T, R_T, R_N) > 0.
//   P^R(y) = argmin { ‖γ − y‖²_R : γ ∈ K_μ } = R^(-1/2) P_{K_μ̃}(R^(1/2) y),   μ̃ = μ √(R_T/R_N)
//   ℓ_R(y) = ½ ‖P^R(y)‖²_R,   ∇ℓ_R = R P^R(y),   ∇²ℓ_R = R^(1/2) D_μ̃(R^(1/2) y) R^(1/2)
// Sliding, with μ̂ = μ R_T/R_N, r = ‖y_T‖, s = μ̂ r + y_N:
//   ∇²ℓ_R = R_N/(1+μ̃²) [[ μ̂(μ̂ t̂t̂ᵀ + (s/r)(I − t̂t̂ᵀ)), μ̂t̂ ], [ μ̂t̂ᵀ, 1 ]]
// The two tangential entries must be equal: otherwise the scaled cone is elliptic and P^R has no such closed form.
// Reference: Castro, Permenter, Han, An Unconstrained Convex Formulation of Compliant Contact (2022).
#pragma once

#include <stiction/cone/coulomb_cone.h>

namespace stiction {

struct MetricCone {
  double mu = 0.0;                         // friction coefficient μ ≥ 0 [-]
  double R_tangent = 1.0, R_normal = 1.0;  // compliance > 0 [1/kg]

  // P^R(y): stuck iff r ≤ μ y_N (returned bit-exactly), separated iff y_N ≤ −μ̂ r.
  Vec3 project(const Vec3& y) const {
    const double r = CoulombCone::tangent_norm(y), n = y.z(), mu_hat = mu * R_tangent / R_normal;
    if (mu_hat * r <= -n) return Vec3::Zero();
    if (r <= mu * n) return y;
    const double height = (mu_hat * r + n) / (1.0 + mu * mu_hat);  // μ μ̂ = μ̃²
    const double stretch = mu * height / r;
    return {stretch * y.x(), stretch * y.y(), height};
  }

  double potential(const Vec3& y) const { return 0.5 * project(y).dot(gradient(y)); }

  Vec3 gradient(const Vec3& y) const {
    const Vec3 p = project(y);
    return {R_tangent * p.x(), R_tangent * p.y(), R_normal * p.z()};
  }

  Mat3 hessian(const Vec3& y) const {
    const double r = CoulombCone::tangent_norm(y), n = y.z(), mu_hat = mu * R_tangent / R_normal;
    if (mu_hat * r <= -n) return Mat3::Zero();
    if (r <= mu * n) return Vec3(R_tangent, R_tangent, R_normal).asDiagonal();
    const double c = R_normal / (1.0 + mu * mu_hat);
    const double along = c * mu_hat * mu_hat, across = c * mu_hat * (mu_hat * r + n) / r;
    const double a = y.x() / r, b = y.y() / r;
    Mat3 h;
    h(0, 0) = across + (along - across) * a * a;
    h(1, 1) = across + (along - across) * b * b;
    h(0, 1) = h(1, 0) = (along - across) * a * b;
    h(0, 2) = h(2, 0) = c * mu_hat * a;
    h(1, 2) = h(2, 1) = c * mu_hat * b;
    h(2, 2) = c;
    return h;
  }
};

}  // namespace stiction
