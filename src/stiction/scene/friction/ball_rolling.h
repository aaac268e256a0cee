// SPDX-License-Identifier: BSD-2-Clause
// A ball slides and ends rolling. Its angular momentum about any point of the floor is constant, m R v + I ω with
// I = 2/5 m R², so at rolling (v = R ω)  v = (5 v₀ + 2 R ω₀)/7, exactly so for the discrete step too: friction acts at
// the floor whatever its size. Rolling starts after t = 2 |v₀ − R ω₀| / (7 μ g).
#pragma once

#include <stiction/scene/core/scene.h>

namespace stiction {

struct BallRolling {
  static constexpr const char* kName = "ball_rolling";
  static constexpr const char* kSummary = "a ball slides and ends rolling";
  static constexpr const char* kTruth = "final speed (5 v0 + 2 R w0)/7 after 2 |v0 - R w0| / (7 mu g)";
  double speed = 1.5;   // v₀ along x [m/s]
  double spin = 0.0;    // ω₀ about y, positive rolls forward [rad/s]
  double mu = 0.2;      // [-]
  double radius = 0.1;  // [m]
  double mass = 1.0;    // [kg]

  static constexpr auto fields() {
    return std::tuple{Field{"speed", &BallRolling::speed, "initial speed along x [m/s]", "]-inf, inf["},
                      Field{"spin", &BallRolling::spin, "initial forward spin about y [rad/s]", "]-inf, inf["},
                      Field{"mu", &BallRolling::mu, "friction coefficient [-]", "> 0"},
                      Field{"radius", &BallRolling::radius, "radius of the ball [m]", "> 0"},
                      Field{"mass", &BallRolling::mass, "mass of the ball [kg]", "> 0"}};
  }
};

Scene ball_rolling(const BallRolling& p = {});

double ball_rolling_speed(const BallRolling& p);  // final speed [m/s]
double ball_rolling_time(const BallRolling& p);   // when rolling starts [s]

}  // namespace stiction
