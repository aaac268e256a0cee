// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/scene.h>

#include <cmath>

namespace stiction {

Vec start_posture(const World& world) {
  Vec target = Vec::Zero(world.ntau);
  for (int i = 0; i < world.ntau; ++i) {
    const int velocity = world.tau_velocity[i];
    for (const Body& body : world.bodies) {
      if (body.v != velocity) continue;
      if (body.joint == JointKind::continuous) target[i] = std::atan2(world.q0[body.q + 1], world.q0[body.q]);
      if (body.joint == JointKind::revolute || body.joint == JointKind::prismatic) target[i] = world.q0[body.q];
    }
  }
  return target;
}

Simulator make_simulator(const Scene& scene, const Settings& settings) {
  Simulator simulator(scene.world.compile(), settings);
  if (scene.kp > 0.0 || scene.kd > 0.0) {
    simulator.set_pd(scene.kp, scene.kd, scene.implicit_pd);
    simulator.set_target(start_posture(simulator.minimal_world()));
  }
  simulator.set_start();
  return simulator;
}

}  // namespace stiction
