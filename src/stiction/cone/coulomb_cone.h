// SPDX-License-Identifier: BSD-2-Clause
// The Coulomb cone K_μ = { λ ∈ ℝ³ : λ_N ≥ 0, ‖λ_T‖ ≤ μ λ_N }, its dual K* = K_{1/μ}, projections and derivatives.
// Components are (T1, T2, N). With x = (t, z), n = ‖t‖, t̂ = t/n:
//   μn ≤ −z   separated   P_K(x) = 0
//   n ≤ μz    stuck       P_K(x) = x, bit-exactly
//   else      sliding     p_N = (μn + z)/(1 + μ²),  p_T = μ p_N t̂
// μ = 0 (the half-line along N) needs no special case; NaN in, NaN out. Not differentiable on the two region borders:
// there the derivative of the region tested first is returned, an element of the generalised Jacobian.
// References: Parikh, Boyd, Proximal Algorithms (2014), section 6.3; De Saxcé, Feng (1998) for the shift.
#pragma once

#include <stiction/base/types.h>

#include <cmath>

namespace stiction {

struct CoulombCone {
  double mu = 0.0;  // friction coefficient μ ≥ 0 [-]

  static constexpr int size = 3;

  // P_K(x) = argmin { ‖y − x‖ : y ∈ K }
  Vec3 project(const Vec3& x) const {
    const double n = tangent_norm(x), z = x.z();
    if (mu * n <= -z) return Vec3::Zero();  // x ∈ −K*; tested first so that μ = 0 is not special
    if (n <= mu * z) return x;              // x ∈ K, returned bit-exactly
    const double height = (mu * n + z) / (1.0 + mu * mu);
    const double stretch = mu * height / n;
    return {stretch * x.x(), stretch * x.y(), height};
  }

  // P_K*(x) = x + P_K(−x)   (Moreau; nothing is divided by μ)
  Vec3 project_dual(const Vec3& x) const { return x + project(-x); }

  // De Saxcé's Γ(u): with it Coulomb's law reads K ∋ λ ⟂ u + Γ(u) ∈ K*.
  Vec3 shift(const Vec3& u) const { return {0.0, 0.0, mu * tangent_norm(u)}; }

  // Membership without tolerance; a NaN is in no set.
  bool contains(const Vec3& x) const { return tangent_norm(x) <= mu * x.z(); }

  // D = ∂P_K/∂x; symmetric, 0 ≼ D ≼ I. Sliding:
  //   D = 1/(1+μ²) [[ μ² t̂t̂ᵀ + μ(μn+z)/n (I − t̂t̂ᵀ), μt̂ ], [ μt̂ᵀ, 1 ]]
  Mat3 derivative(const Vec3& x) const {
    const double n = tangent_norm(x), z = x.z();
    if (mu * n <= -z) return Mat3::Zero();
    if (n <= mu * z) return Mat3::Identity();
    const double c = 1.0 / (1.0 + mu * mu);
    const double along = c * mu * mu, across = c * mu * (mu * n + z) / n;
    const double a = x.x() / n, b = x.y() / n;
    Mat3 d;
    d(0, 0) = across + (along - across) * a * a;
    d(1, 1) = across + (along - across) * b * b;
    d(0, 1) = d(1, 0) = (along - across) * a * b;
    d(0, 2) = d(2, 0) = c * mu * a;
    d(1, 2) = d(2, 1) = c * mu * b;
    d(2, 2) = c;
    return d;
  }

  // ∂P_K/∂μ; sliding: ∂p_N = (n(1−μ²) − 2μz)/(1+μ²)², ∂p_T = (p_N + μ ∂p_N) t̂; zero elsewhere.
  Vec3 derivative_mu(const Vec3& x) const {
    const double n = tangent_norm(x), z = x.z();
    if (mu * n <= -z || n <= mu * z) return Vec3::Zero();
    const double c = 1.0 / (1.0 + mu * mu);
    const double height = c * (mu * n + z);
    const double d_height = c * c * (n * (1.0 - mu * mu) - 2.0 * mu * z);
    const double stretch = (height + mu * d_height) / n;
    return {stretch * x.x(), stretch * x.y(), d_height};
  }

  static double tangent_norm(const Vec3& x) { return std::sqrt(x.x() * x.x() + x.y() * x.y()); }
};

}  // namespace stiction
