// SPDX-License-Identifier: BSD-2-Clause
// Work of the contact impulses of the last step, recomputed from contact forces and states alone (worlds of free bodies).
//   W = Σ_contacts ½ λᵀ (c⁺ + c_free),  c = J v at the configuration before the step,  v_free = v⁺ − M⁻¹ Σ Jᵀ λ
#pragma once

#include <stiction/sim/simulator.h>

#include <Eigen/Dense>
#include <vector>

namespace stiction::test {

struct Twist {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();  // world axes, at the centre of mass
};

// before: the simulator's state at the start of the step; after: the present velocities.
inline double contact_work(const Simulator& sim, const State& before, double dt) {
  const World& world = sim.world();
  const auto rotation = [](const Vec& q, const Body& b) {
    return Quat(Eigen::Map<const Eigen::Vector4d>(q.data() + b.q + 3)).toRotationMatrix();
  };
  const std::size_t n = world.bodies.size();
  std::vector<Twist> plus(n), free(n);
  std::vector<Vec3> centre(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Body& b = world.bodies[i];
    const Mat3 R = rotation(sim.state().q, b);
    plus[i] = {R * sim.state().v.segment<3>(b.v), R * sim.state().v.segment<3>(b.v + 3)};
    centre[i] = before.q.segment<3>(b.q);
  }
  free = plus;
  const std::vector<ContactView> contacts = sim.contacts();
  const auto push = [&](BodyId id, const Vec3& impulse, const Vec3& point) {
    if (id == kWorldBody) return;
    const auto i = static_cast<std::size_t>(id);
    const Body& b = world.bodies[i];
    const Mat3 R = rotation(before.q, b);
    free[i].linear -= impulse / b.inertia.mass;
    const Mat3 inertia = R * b.inertia.about_com * R.transpose();
    free[i].angular -= inertia.inverse() * (point - centre[i]).cross(impulse);
  };
  for (const ContactView& c : contacts) {
    push(c.body_b, dt * c.force, c.point);
    push(c.body_a, -dt * c.force, c.point);
  }
  const auto velocity = [&](const std::vector<Twist>& v, BodyId id, const Vec3& point) -> Vec3 {
    if (id == kWorldBody) return Vec3::Zero();
    const auto i = static_cast<std::size_t>(id);
    return v[i].linear + v[i].angular.cross(point - centre[i]);
  };
  double work = 0.0;
  for (const ContactView& c : contacts)
    for (const std::vector<Twist>* v : {&plus, &free})
      work += 0.5 * dt * c.force.dot(velocity(*v, c.body_b, c.point) - velocity(*v, c.body_a, c.point));
  return work;
}

}  // namespace stiction::test
