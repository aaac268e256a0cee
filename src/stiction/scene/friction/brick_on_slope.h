// SPDX-License-Identifier: BSD-2-Clause
// A brick on an incline θ sticks iff tan θ ≤ μ, else it slides with a = g (sin θ − μ cos θ). It does not tip: its length
// is five times its height.
#pragma once

#include <stiction/scene/core/scene.h>

#include <numbers>

namespace stiction {

struct BrickOnSlope {
  static constexpr const char* kName = "brick_on_slope";
  static constexpr const char* kSummary = "a brick on an incline";
  static constexpr const char* kTruth =
      "sticks if tan(angle) <= mu, else slides with a = g (sin(angle) - mu cos(angle))";
  double angle = std::numbers::pi / 9.0;  // θ, 20 degrees [rad]
  double mu = 0.5;                        // [-]
  double mass = 1.0;                      // [kg]

  static constexpr auto fields() {
    return std::tuple{
        Field{"angle", &BrickOnSlope::angle, "inclination of the slope, falling along +x [rad]", "[0.0, 1.3]"},
        Field{"mu", &BrickOnSlope::mu, "friction coefficient [-]", ">= 0"},
        Field{"mass", &BrickOnSlope::mass, "mass of the brick [kg]", "> 0"}};
  }
};

Scene brick_on_slope(const BrickOnSlope& p = {});

double brick_acceleration(const BrickOnSlope& p);  // down the slope, 0 if it sticks [m/s²]
Vec3 brick_downhill(const BrickOnSlope& p);        // unit vector down the slope: (cos θ, 0, −sin θ)

}  // namespace stiction
