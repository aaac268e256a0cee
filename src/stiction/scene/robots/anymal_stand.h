// SPDX-License-Identifier: BSD-2-Clause
// ANYmal (base box, four foot spheres) held by joint PD on flat ground. Targets:
//   static   the start posture
//   moving   0.1 rad about it, each joint with its own rate: stands on four feet, which slip now and then
//   hopping  0.3 rad, kp 100, kd 2: leaves the ground
//   fallen   0.3 rad at kp 40: falls and thrashes on its belly, the hardest contact problems of the four
#pragma once

#include <stiction/scene/core/scene.h>

namespace stiction {

struct AnymalStand {
  static constexpr const char* kName = "anymal_stand";
  static constexpr const char* kSummary = "ANYmal held by joint PD, still or moving";
  static constexpr const char* kTruth =
      "static: feet do not slip and carry the weight, 296 N; every step is accepted by the judge";
  std::string targets = "static";
  double mu = 0.8;  // [-]
  int seed = 1;     // of the rates and phases of the targets [-]

  static constexpr auto fields() {
    return std::tuple{Field{"targets", &AnymalStand::targets, "static, moving, hopping or fallen [-]"},
                      Field{"mu", &AnymalStand::mu, "friction coefficient [-]", ">= 0"},
                      Field{"seed", &AnymalStand::seed, "seed of the moving targets [-]", ">= 0"}};
  }
};

Scene anymal_stand(const AnymalStand& p = {});

}  // namespace stiction
