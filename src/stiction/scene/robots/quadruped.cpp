// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/robots/quadruped.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>

namespace stiction {
namespace {

// The standard fixes the numbers of mt19937_64 but not those of its distributions: scale them here.
double uniform(std::mt19937_64& random, double lo, double hi) {
  return lo + (hi - lo) * (static_cast<double>(random() >> 11) * 0x1.0p-53);
}

}  // namespace

void set_posture(WorldBuilder& world, int robot, const Posture& posture) {
  for (const LegPosture& p : posture) {
    const std::string leg = p.leg;
    world.set_joint_position(robot, leg + "_HAA", p.haa);
    world.set_joint_position(robot, leg + "_HFE", p.hfe);
    world.set_joint_position(robot, leg + "_KFE", p.kfe);
  }
}

std::function<void(Simulator&, double t)> swaying_targets(const World& world, double amplitude, int seed) {
  constexpr int kJoints = 12;
  using Joints = Eigen::Matrix<double, kJoints, 1>;  // of fixed size, so that a step allocates nothing
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  const Joints centre = start_posture(world);
  Joints rate, phase;
  for (int j = 0; j < kJoints; ++j) {
    rate[j] = 2.0 * std::numbers::pi * uniform(random, 1.0, 3.0);
    phase[j] = uniform(random, 0.0, 2.0 * std::numbers::pi);
  }
  return [=](Simulator& simulator, double t) {
    Joints target;
    for (int j = 0; j < kJoints; ++j) target[j] = centre[j] + amplitude * std::sin(rate[j] * t + phase[j]);
    simulator.set_target(target);
  };
}

}  // namespace stiction
