// SPDX-License-Identifier: BSD-2-Clause
// A spinning ball in free flight. Nothing couples spin and travel: after n semi-implicit steps
//   v_n = v_0 + n dt g,   x_n = x_0 + n dt v_0 + dt² n (n + 1)/2 g,   ω_n = ω_0.
// An integrator that updates the velocity in the body frame fails this badly.
#pragma once

#include <stiction/scene/core/scene.h>

namespace stiction {

struct SpinningBallFlight {
  static constexpr const char* kName = "free_flight";
  static constexpr const char* kSummary = "a spinning ball in free flight";
  static constexpr const char* kTruth = "v = v0 + g t exactly, spin constant; positions exact up to the step";
  double speed = 5.0;   // along x [m/s]
  double spin = 50.0;   // about an axis oblique to everything [rad/s]
  double radius = 0.1;  // [m]
  double mass = 1.0;    // [kg]

  static constexpr auto fields() {
    return std::tuple{Field{"speed", &SpinningBallFlight::speed, "initial speed along x [m/s]", "]-inf, inf["},
                      Field{"spin", &SpinningBallFlight::spin, "spin about (1, 2, 3)/sqrt(14) [rad/s]", "]-inf, inf["},
                      Field{"radius", &SpinningBallFlight::radius, "radius of the ball [m]", "> 0"},
                      Field{"mass", &SpinningBallFlight::mass, "mass of the ball [kg]", "> 0"}};
  }
};

Scene free_flight(const SpinningBallFlight& p = {});

Vec3 free_flight_position(const SpinningBallFlight& p, double dt, int n);
Vec3 free_flight_velocity(const SpinningBallFlight& p, double dt, int n);
Vec3 free_flight_spin(const SpinningBallFlight& p);  // world axes

}  // namespace stiction
