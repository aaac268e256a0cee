// SPDX-License-Identifier: BSD-2-Clause
// What laws ask about a contact and the joints: where bodies are, how fast they pass each other, what they are made of, which
// limits are passed.
#pragma once

#include <stiction/dynamics/contact/detect.h>
#include <stiction/dynamics/kernels/queries.h>

#include <cmath>

namespace stiction {

inline const PairMaterial& material_of(const World& world, const Contact& c) {
  return world.material(static_cast<int>(c.key.geom_a), static_cast<int>(c.key.geom_b));
}

// Spring and damper of a contact: of its materials if they name a stiffness, else the law's own.
struct ContactSpring {
  double stiffness, damping;
};
template <class Options>
ContactSpring spring_of(const PairMaterial& m, const Options& o) {
  const bool named = std::isfinite(m.stiffness);
  return {named ? m.stiffness : o.stiffness, named || m.damping > 0.0 ? m.damping : o.damping};
}

// Where a contact acts: points act where they are, surfaces halfway between them.
inline Vec3 acting_point(const World& world, const Contact& c) {
  const bool is_point = world.geoms[c.key.geom_b].shape.kind == ShapeKind::point;
  return is_point ? Vec3(c.point + 0.5 * c.gap * c.normal) : c.point;
}

// Of point_b, fixed to b, against point_a, fixed to a; world axes.
inline Vec3 relative_velocity(const Layout& layout, const Kinematics& k, BodyId a, const Vec3& point_a, BodyId b,
                              const Vec3& point_b) {
  Vec3 u = Vec3::Zero();
  if (b != kWorldBody) u += point_velocity(layout, k, b, point_b);
  if (a != kWorldBody) u -= point_velocity(layout, k, a, point_a);
  return u;
}

// each(body, velocity, sign, gap) for the joint limits that are passed (gap ≤ 0); sign: 1 of the lower one, −1 of the upper one.
template <class Each>
void for_each_passed_limit(const World& world, const Layout& layout, const double* q, const Each& each) {
  for (const int body : layout.bounded) {
    const BodyPlan& plan = layout.bodies[body];
    if (plan.nv != 1 || plan.continuous) continue;
    const double below = q[plan.q] - world.lower[plan.v], above = world.upper[plan.v] - q[plan.q];
    if (below <= 0.0) each(body, plan.v, 1.0, below);
    if (above <= 0.0) each(body, plan.v, -1.0, above);
  }
}

}  // namespace stiction
