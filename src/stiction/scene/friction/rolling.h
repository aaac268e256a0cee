// SPDX-License-Identifier: BSD-2-Clause
// 25 solid balls on a box that is pushed over the floor. The box slides, the balls roll without slipping:
//   floor friction f₁ = μ₁ (M + 25 m) g;  ball: f₂ = m a_b, f₂ r = I α, a_b + α r = a  =>  a_b = a I/(I + m r²) = 2/7 a
//   box: F − f₁ − 25 f₂ = M a                     =>  a = (F − f₁)/(M + 25·(2/7) m)
// Every acceleration is constant, so the semi-implicit step has the exact velocities n dt a.
#pragma once

#include <stiction/scene/core/scene.h>

#include <numbers>

namespace stiction {

struct Rolling {
  static constexpr const char* kName = "rolling";
  static constexpr const char* kSummary = "25 balls roll on a box that is pushed over the floor";
  static constexpr const char* kTruth = "box 0.7385 m/s^2, balls 2/7 of it, rolling without slipping";
  double angle = std::numbers::pi / 3.0;  // direction of the push from x [rad]
  double force = 150.0;                   // F; from 138 on the box slides, up to 600 the balls do not [N]

  static constexpr auto fields() {
    return std::tuple{Field{"angle", &Rolling::angle, "direction of the push, from x [rad]", "]-inf, inf["},
                      Field{"force", &Rolling::force, "push at the centre of the box [N]", "[138.0, 600.0]"}};
  }
};

Scene rolling(const Rolling& p = {});

inline constexpr BodyId kRollingBox = 0, kRollingBall = 1;  // bodies of the scene; 25 balls from kRollingBall on
Vec3 rolling_direction(const Rolling& p);                   // unit vector of the push
double rolling_box_acceleration(const Rolling& p);          // [m/s²]
double rolling_ball_acceleration(const Rolling& p);         // [m/s²]

}  // namespace stiction
