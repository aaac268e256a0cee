// SPDX-License-Identifier: BSD-2-Clause
// A ball is dropped on the floor and rebounds by Newton's law, v⁺ = −e v⁻, at every impact faster than the law's
// threshold. Heights are e²ⁿ H up to the step: an impact is met within dt, so its speed is off by at most g dt.
#pragma once

#include <stiction/scene/core/scene.h>

namespace stiction {

struct BallBounce {
  static constexpr const char* kName = "ball_bounce";
  static constexpr const char* kSummary = "a ball is dropped on the floor and rebounds";
  static constexpr const char* kTruth = "the n-th rebound has speed e^n sqrt(2 g h) up to g dt per impact";
  double height = 1.0;       // of the lowest point above the floor [m]
  double restitution = 1.0;  // e [-]
  double radius = 0.1;       // [m]
  double mass = 1.0;         // [kg]

  static constexpr auto fields() {
    return std::tuple{Field{"height", &BallBounce::height, "height of the lowest point above the floor [m]", ">= 0"},
                      Field{"restitution", &BallBounce::restitution, "Newton's coefficient e in [0, 1] [-]", "[0, 1]"},
                      Field{"radius", &BallBounce::radius, "radius of the ball [m]", "> 0"},
                      Field{"mass", &BallBounce::mass, "mass of the ball [kg]", "> 0"}};
  }
};

Scene ball_bounce(const BallBounce& p = {});

}  // namespace stiction
