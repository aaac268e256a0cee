// SPDX-License-Identifier: BSD-2-Clause
// Stewart and Trinkle's four spheres: one falls on the table, rolls on and runs into a line of three that nearly touch. The landing
// sticks: its velocity is then 5/7 of the one before, (5/7) v₀, whatever the step. The collision runs through the line within one
// step only if contacts that the first impulses close join the problem (stewart_trinkle, `resolve`).
// Values are those of the paper; gravity is inferred from its tables (docs/papers/stewart-trinkle.md).
#pragma once

#include <stiction/scene/core/scene.h>

namespace stiction {

struct FourSpheres {
  static constexpr const char* kName = "four_spheres";
  static constexpr const char* kSummary =
      "Stewart and Trinkle's spheres: one lands, rolls and runs into a line of three";
  static constexpr const char* kTruth =
      "before the collision 5/7 of the initial velocity; contacts close in [.5825, .58375] s";
  double radius = 0.1;    // R [m]
  double mass = 1.0;      // of each [kg]
  double mu = 0.4;        // everywhere [-]
  double height = 1.0;    // of the first centre [m]
  double speed = 1.5;     // of the first, along x [m/s]
  double aside = 0.1;     // of the first, along y [m/s]
  double gap = 1e-5;      // between neighbours of the line [m]
  double gravity = 9.82;  // [m/s²]

  static constexpr auto fields() {
    using P = FourSpheres;
    return std::tuple{Field{"radius", &P::radius, "radius of the spheres [m]", "> 0"},
                      Field{"mass", &P::mass, "mass of each sphere [kg]", "> 0"},
                      Field{"mu", &P::mu, "friction coefficient of all contacts [-]", ">= 0"},
                      Field{"height", &P::height, "initial height of the first centre [m]"},
                      Field{"speed", &P::speed, "initial velocity of the first along x [m/s]", "]-inf, inf["},
                      Field{"aside", &P::aside, "initial velocity of the first along y [m/s]", "]-inf, inf["},
                      Field{"gap", &P::gap, "gap between neighbours of the line [m]", ">= 0"},
                      Field{"gravity", &P::gravity, "acceleration of gravity [m/s^2]", "> 0"}};
  }
};

Scene four_spheres(const FourSpheres& p = {});

}  // namespace stiction
