// SPDX-License-Identifier: BSD-2-Clause
// The friction pyramid { λ : λ_N ≥ 0, d_jᵀ λ_T ≤ μ λ_N for every facet j }, whose facet normals are
//   d_j = (cos θ_j, sin θ_j),  θ_j = angle + 2πj/facets,  facets even.
// Four facets are the box |λ_a|, |λ_b| ≤ μ λ_N on axes turned by `angle` about N: the pyramid has its own basis, the
// contact frame is never turned for it. The polygon is circumscribed to the disc of radius μ λ_N: its corners carry
// 1/cos(π/facets) times too much friction (√2 for the box).
//
// `project` is horizontal: λ_N ← max(0, λ_N) is kept and λ_T goes to the nearest point of the polygon. `support` is
// h(v) = max { dᵀv : d in the polygon of radius 1 }, so that λ_Tᵀu_T ≥ −μ λ_N h(u_T): the pyramid's De Saxcé shift is
// μ h(u_T), which for the box is μ‖u_T‖₁.
#pragma once

#include <stiction/base/types.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {

struct PyramidSet {
  double mu = 0.0;     // friction coefficient μ ≥ 0 [-]
  double angle = 0.0;  // turn of the first axis from T1 about N [rad]
  int facets = 4;      // even, ≥ 4

  static constexpr int size = 3;

  Vec3 project(const Vec3& x) const {
    if (x.z() <= 0.0) return Vec3::Zero();
    const Vec2 t = project_tangent(x.head<2>(), mu * x.z());
    return {t.x(), t.y(), x.z()};
  }

  // The nearest point of the polygon of inner radius `radius`; points inside are returned bit-exactly.
  Vec2 project_tangent(const Vec2& t, double radius) const {
    if (facets != 4) return project_polygon(t, radius);
    if (angle == 0.0) return {clamp(t.x(), radius), clamp(t.y(), radius)};
    const double c = std::cos(angle), s = std::sin(angle);
    const double a = c * t.x() + s * t.y(), b = c * t.y() - s * t.x();
    const double p = clamp(a, radius), q = clamp(b, radius);
    if (p == a && q == b) return t;
    return {c * p - s * q, s * p + c * q};
  }

  double support(const Vec2& v) const {
    if (facets == 4 && angle == 0.0) return std::abs(v.x()) + std::abs(v.y());
    const double half = std::numbers::pi / facets;  // corners sit half a facet beyond the facet normals
    const Vec2 local = to_sector(v, angle).local;
    return local.x() + std::tan(half) * std::abs(local.y());
  }

  // μ h(u_T) along N: with it the law reads P ∋ λ ⟂ u + shift ∈ P*.
  Vec3 shift(const Vec3& u) const { return {0.0, 0.0, mu * support(u.head<2>())}; }

  // How far λ_T sticks out of the facets, in the direction of the worst facet normal; ≤ 0 inside.
  double violation(const Vec3& x) const {
    if (facets == 4 && angle == 0.0) return std::max(std::abs(x.x()), std::abs(x.y())) - mu * x.z();
    return to_sector(x.head<2>(), angle).local.x() - mu * x.z();
  }

 private:
  struct Sector {
    double cosine, sine;  // direction of the facet normal nearest to the vector
    Vec2 local;           // components along and across that normal
  };

  static double clamp(double x, double radius) { return x < -radius ? -radius : (x > radius ? radius : x); }

  Sector to_sector(const Vec2& v, double first) const {
    const double step = 2.0 * std::numbers::pi / facets;
    const double theta = first + step * std::round((std::atan2(v.y(), v.x()) - first) / step);
    const double c = std::cos(theta), s = std::sin(theta);
    return {c, s, {c * v.x() + s * v.y(), c * v.y() - s * v.x()}};
  }

  // In its sector a point is nearest to the sector's own facet, or to one of that facet's corners.
  Vec2 project_polygon(const Vec2& t, double radius) const {
    const Sector f = to_sector(t, angle);
    if (f.local.x() <= radius) return t;
    const double p = radius, q = clamp(f.local.y(), radius * std::tan(std::numbers::pi / facets));
    return {f.cosine * p - f.sine * q, f.sine * p + f.cosine * q};
  }
};

}  // namespace stiction
