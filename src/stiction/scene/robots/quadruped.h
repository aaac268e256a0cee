// SPDX-License-Identifier: BSD-2-Clause
// What the scenes with four-legged robots share. Joints are called <leg>_HAA, <leg>_HFE, <leg>_KFE (hip abduction, hip
// flexion, knee flexion), legs LF, RF, LH, RH (left or right, fore or hind).
#pragma once

#include <stiction/scene/core/scene.h>

#include <array>

namespace stiction {

struct LegPosture {
  const char* leg;
  double haa, hfe, kfe;  // [rad]
};
using Posture = std::array<LegPosture, 4>;

void set_posture(WorldBuilder& world, int robot, const Posture& posture);

// Joint targets q_j + amplitude sin(2π f_j t + φ_j), f_j in 1-3 Hz, set before each step. The seed decides f and φ.
std::function<void(Simulator&, double t)> swaying_targets(const World& world, double amplitude, int seed);

}  // namespace stiction
