// SPDX-License-Identifier: BSD-2-Clause
// A ball is dropped on the floor and rebounds by Newton's law, v⁺ = −e v⁻, at every impact faster than the law's
// threshold. Heights are e²ⁿ H up to the step: an impact is met within dt, so its speed is off by at most g dt.
#pragma once

#include <stiction/scene/core/scene.h>

namespace stiction {

struct BallBounce {
  static constexpr const char* kName = "ball_bounce";
  double height = 1.0;       // of the lowest point above the floor [m]
  double restitution = 1.0;  // e [-]
  double radius = 0.1;       // [m]
  double mass = 1.0;         // [kg]

  static constexpr auto fields() {
    return std::tuple{Field{"height", &BallBounce::height, "height of the lowest point above the floor [m]"},
                      Field{"restitution", &BallBounce::restitution, "Newton's coefficient e in [0, 1] [-]"},
                      Field{"radius", &BallBounce::radius, "radius of the ball [m]"},
                      Field{"mass", &BallBounce::mass, "mass of the ball [kg]"}};
  }
  void check() const;
};

Scene ball_bounce(const BallBounce& p = {});
SceneInfo ball_bounce_info();

double ball_bounce_speed(const BallBounce& p, int bounce);   // after the n-th impact (1, 2, …): eⁿ √(2 g H) [m/s]
double ball_bounce_height(const BallBounce& p, int bounce);  // after the n-th impact: e²ⁿ H [m]

}  // namespace stiction
