// SPDX-License-Identifier: BSD-2-Clause
// A cube slides to rest on the floor. Under Coulomb friction it decelerates with μg along its velocity, whatever the
// direction: v_n = v_0 − n μ g dt exactly, for the semi-implicit step has a constant force. A pyramid turns it aside and
// the convex relaxation lifts it: this scene tells the laws apart.             [LeLidec24, figures 9 and 10]
#pragma once

#include <stiction/scene/core/scene.h>

#include <numbers>

namespace stiction {

struct CubeSlide {
  static constexpr const char* kName = "cube_slide";
  static constexpr const char* kSummary = "a cube slides to rest on the floor";
  static constexpr const char* kTruth =
      "straight line, v = v0 - mu g t; at 1 m/s, mu 0.4 and dt 1 ms it travels 126.9213 mm in any direction";
  double angle = std::numbers::pi / 6.0;  // of the velocity from the contact frame's T1 (world x) [rad]
  double speed = 1.0;                     // [m/s]
  double mu = 0.4;                        // [-]
  double mass = 1.0;                      // [kg]

  static constexpr auto fields() {
    return std::tuple{
        Field{"angle", &CubeSlide::angle, "direction of the velocity, from T1 = world x [rad]", "]-inf, inf["},
        Field{"speed", &CubeSlide::speed, "initial speed [m/s]", ">= 0"},
        Field{"mu", &CubeSlide::mu, "friction coefficient [-]", ">= 0"},
        Field{"mass", &CubeSlide::mass, "mass of the cube [kg]", "> 0"}};
  }
};

Scene cube_slide(const CubeSlide& p = {});

// Speed after n steps: max(0, v_0 − n μ g dt).
double cube_slide_speed(const CubeSlide& p, double dt, int n);
// Distance travelled until rest, discrete: Σ_{n ≥ 1} dt v_n. With N = floor(v_0/(μ g dt)): dt (N v_0 − μ g dt N(N+1)/2).
double cube_slide_travel(const CubeSlide& p, double dt);
// The same under the pyramid |λ_T1|, |λ_T2| ≤ μ λ_N aligned with T1: each axis decelerates with μg on its own. (x, y) [m]
Vec2 cube_slide_pyramid_travel(const CubeSlide& p, double dt);

}  // namespace stiction
