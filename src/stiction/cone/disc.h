// SPDX-License-Identifier: BSD-2-Clause
// The disc { t ∈ ℝ² : ‖t‖ ≤ radius } and the horizontal projection on the Coulomb cone that is made of such discs:
//   λ_N ← max(0, λ_N),  λ_T ← P_disc(μ λ_N)(λ_T)
// It keeps the normal impulse, so it is not the Euclidean projection; Gauss-Seidel sweeps on Signorini + Coulomb use it.
#pragma once

#include <stiction/cone/coulomb_cone.h>

namespace stiction {

struct Disc {
  double radius = 0.0;  // ≥ 0

  static constexpr int size = 2;

  Vec2 project(const Vec2& t) const {
    const double n = std::sqrt(t.x() * t.x() + t.y() * t.y());
    if (n <= radius) return t;  // bit-exactly
    const double scale = radius / n;
    return {scale * t.x(), scale * t.y()};
  }

  // I inside; (radius/n)(I − t̂t̂ᵀ) outside.
  Mat2 derivative(const Vec2& t) const {
    const double n = std::sqrt(t.x() * t.x() + t.y() * t.y());
    if (n <= radius) return Mat2::Identity();
    const double scale = radius / n, a = t.x() / n, b = t.y() / n;
    Mat2 d;
    d << scale * b * b, -scale * a * b, -scale * a * b, scale * a * a;
    return d;
  }

  // ∂P/∂radius: 0 inside, t̂ outside.
  Vec2 derivative_radius(const Vec2& t) const {
    const double n = std::sqrt(t.x() * t.x() + t.y() * t.y());
    if (n <= radius) return Vec2::Zero();
    return {t.x() / n, t.y() / n};
  }
};

// Horizontal projection on K_μ; a NaN normal stays NaN.
inline Vec3 project_horizontal(double mu, const Vec3& x) {
  if (x.z() <= 0.0) return Vec3::Zero();
  const Vec2 t = Disc{mu * x.z()}.project(x.head<2>());
  return {t.x(), t.y(), x.z()};
}

}  // namespace stiction
