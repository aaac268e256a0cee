// SPDX-License-Identifier: BSD-2-Clause
// The opening shot of pool: a cue ball runs into a rack of fifteen that nearly touch. The impact runs through the rack; horizontal
// momentum of the step is that of the cue ball but for friction on the table, at most μ g dt per ball and what ball friction presses
// on it, and energy never grows without restitution.
#pragma once

#include <stiction/scene/core/scene.h>

namespace stiction {

struct BreakShot {
  static constexpr const char* kName = "break_shot";
  static constexpr const char* kSummary = "a cue ball breaks a rack of fifteen pool balls";
  static constexpr const char* kTruth = "momentum is kept but for the cloth; energy never grows";
  double speed = 8.0;        // of the cue ball along x [m/s]
  double radius = 0.028575;  // [m]
  double mass = 0.17;        // of each [kg]
  double mu = 0.2;           // of the cloth [-]
  double mu_balls = 0.06;    // between balls [-]
  double restitution = 0.0;  // between balls [-]
  double gap = 1e-5;         // between neighbours of the rack [m]

  static constexpr auto fields() {
    using P = BreakShot;
    return std::tuple{Field{"speed", &P::speed, "speed of the cue ball [m/s]", "> 0"},
                      Field{"radius", &P::radius, "radius of the balls [m]", "> 0"},
                      Field{"mass", &P::mass, "mass of each ball [kg]", "> 0"},
                      Field{"mu", &P::mu, "friction coefficient of the cloth [-]", ">= 0"},
                      Field{"mu_balls", &P::mu_balls, "friction coefficient between balls [-]", ">= 0"},
                      Field{"restitution", &P::restitution, "restitution between balls [-]", "[0, 1]"},
                      Field{"gap", &P::gap, "gap between neighbours of the rack [m]", ">= 0"}};
  }
};

Scene break_shot(const BreakShot& p = {});

}  // namespace stiction
