// SPDX-License-Identifier: BSD-2-Clause
// Worlds and settings of the tests of stepper `moreau`.
#pragma once

#include <gtest/gtest.h>
#include <stiction/model/world/world_builder.h>
#include <stiction/sim/simulator.h>

#include <memory>
#include <string>

namespace stiction::test {

constexpr double kG = 9.81;

inline MaterialValues surface_of(double mu, double restitution = 0.0, double tangential = 0.0) {
  MaterialValues m;
  m.mu = mu, m.restitution = restitution, m.restitution_tangential = tangential;
  return m;
}

inline Settings moreau(double dt, const std::string& solver = "auto", const OptionMap& solver_options = {},
                       const OptionMap& options = {}) {
  Settings s;
  s.stepper = "moreau", s.dt = dt, s.solver = solver, s.solver_options = solver_options, s.stepper_options = options;
  return s;
}

inline Settings compliant(double dt, const OptionMap& law_options = {}) {
  Settings s;
  s.law = "compliant", s.dt = dt, s.law_options = law_options;
  return s;
}

// A ball of radius 0.1 m and 1 kg at the origin's height above the floor.
inline std::shared_ptr<const World> ball(const Vec3& position, const Vec3& velocity, const MaterialValues& values,
                                         const Vec3& spin = Vec3::Zero(), double gravity = kG) {
  WorldBuilder world;
  world.gravity = {0.0, 0.0, -gravity};
  world.add_ground(values);
  BodyOptions body;
  body.position = position, body.velocity = velocity, body.angular_velocity = spin, body.values = values;
  world.add_body(make_sphere(0.1), 1.0, body);
  return world.compile();
}

// A flat box of 1 kg on a slope; it lies `depth` deep.
inline std::shared_ptr<const World> brick(double slope, double mu, double speed = 0.0, double depth = 1e-9) {
  WorldBuilder world;
  world.gravity = kG * Vec3(std::sin(slope), 0.0, -std::cos(slope));
  world.add_ground(surface_of(mu));
  BodyOptions body;
  body.position = {0.0, 0.0, 0.05 - depth}, body.velocity = {speed, 0.0, 0.0}, body.values = surface_of(mu);
  world.add_body(make_box({0.4, 0.4, 0.1}), 1.0, body);
  return world.compile();
}

inline Vec3 world_velocity(const Simulator& sim, int body = 0) {
  return sim.pose(body).rotation * sim.state().v.segment<3>(6 * body);
}

}  // namespace stiction::test
