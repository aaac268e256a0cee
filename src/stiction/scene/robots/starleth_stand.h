// SPDX-License-Identifier: BSD-2-Clause
// StarlETH (26.82 kg) held by joint PD on its four feet. Truth: the feet carry the weight, 263.1 N in all, they do not
// slip, and the trunk comes to rest where the joint springs balance it.
// Posture: thighs turned by ±θ, knees inwards, each foot below its hip: 0.2 sin θ = 0.235 sin β. The trunk is then
// 0.0685 + 0.2 cos θ + 0.235 cos β above the feet (0.406 m for θ = 0.75).
#pragma once

#include <stiction/scene/core/scene.h>

namespace stiction {

struct StarlethStand {
  static constexpr const char* kName = "starleth_stand";
  static constexpr const char* kSummary = "StarlETH stands on four feet, held by joint PD";
  static constexpr const char* kTruth = "feet carry the weight, 263.1 N, and do not slip";
  double thigh = 0.75;  // θ [rad]
  double mu = 0.8;      // [-]
  double kp = 300.0;    // [N m/rad]
  double kd = 30.0;     // the gains enter the mass matrix, so that the light shanks stay stable [N m s/rad]

  static constexpr auto fields() {
    return std::tuple{
        Field{"thigh", &StarlethStand::thigh, "angle of the thighs from the vertical [rad]", "[0.0, 1.4]"},
        Field{"mu", &StarlethStand::mu, "friction coefficient [-]", ">= 0"},
        Field{"kp", &StarlethStand::kp, "stiffness of the joints [N m/rad]", ">= 0"},
        Field{"kd", &StarlethStand::kd, "damping of the joints [N m s/rad]", ">= 0"}};
  }
};

Scene starleth_stand(const StarlethStand& p = {});

inline constexpr double kStarlethMass = 17.1 + 4.0 * (1.8 + 0.31 + 0.32);  // [kg]
double starleth_height(double thigh);                                      // of the trunk above the feet [m]

}  // namespace stiction
