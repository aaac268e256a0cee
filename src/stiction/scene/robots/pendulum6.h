// SPDX-License-Identifier: BSD-2-Clause
// A chain of cuboids on parallel hinges falls on the ground: the experiment of Wakisaka and Sugihara (2014). Root hinge at `height`,
// hinges along −y every 0.1 m, links 4 × 4 × 10 cm of 0.3 kg with their eight vertices as contact points, in the order: along the link
// (0, L), then x (−, +), then y (−, +). q = 0 hangs straight down; link i points along (sin φ, 0, −cos φ), φ = q₁ + … + q_i.
// Truth: with the defaults the tip meets the ground 0.18085 s after the start; without contact and viscosity energy is conserved.
#pragma once

#include <stiction/scene/core/scene.h>

#include <numbers>

namespace stiction {

struct Pendulum6 {
  static constexpr const char* kName = "pendulum6";
  static constexpr const char* kSummary = "a chain of six cuboids on hinges falls on the ground";
  static constexpr const char* kTruth = "first contact at 0.18085 s; energy is conserved without contact";
  double angle = std::numbers::pi / 3.0;  // of the root at the start, from the downward vertical [rad]
  double height = 0.42;                   // of the root hinge [m]
  double mu = 0.4;                        // kinetic [-]
  double mu_static = 1.0;                 // [-]
  double viscosity = 1e-4;                // of every joint [N m s/rad]
  int links = 6;                          // [-]

  static constexpr auto fields() {
    using P = Pendulum6;
    return std::tuple{
        Field{"angle", &P::angle, "start angle of the root from the downward vertical [rad]", "]-inf, inf["},
        Field{"height", &P::height, "height of the root hinge above the ground [m]", "]-inf, inf["},
        Field{"mu", &P::mu, "kinetic friction coefficient [-]", ">= 0"},
        Field{"mu_static", &P::mu_static, "static friction coefficient [-]"},
        Field{"viscosity", &P::viscosity, "viscous friction of every joint [N m s/rad]", ">= 0"},
        Field{"links", &P::links, "number of links [-]", "[1, 1000]"}};
  }
};

Scene pendulum6(const Pendulum6& p = {});

}  // namespace stiction
