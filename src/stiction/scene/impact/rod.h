// SPDX-License-Identifier: BSD-2-Clause
// Stewart and Trinkle's falling rod: a capsule that moves in the plane y = 0 falls on one end, sticks, slides and slaps down on the
// other. θ is the angle from x towards z. The end z ± (l/2) sin θ touches when z ± (l/2) sin θ = r; in free flight
//   z(t) = z₀ − g t²/2,   θ(t) = θ₀ + ω₀ t                                                                                  (1)
// With μ above the critical value the state after the impact is Painlevé's: no finite contact force exists, impulses do.
// Values are those of the paper; height and gravity are inferred from its event times (docs/papers/stewart-trinkle.md).
#pragma once

#include <stiction/scene/core/scene.h>

namespace stiction {

struct Rod {
  static constexpr const char* kName = "rod";
  static constexpr const char* kSummary = "Stewart and Trinkle's rod falls on one end, sticks, slides and slaps down";
  static constexpr const char* kTruth =
      "first contact from free flight; .3856 s, slap-down .5473 s, rest .5663 s as dt -> 0";
  double length = 0.5;                // l, between the centres of the end balls [m]
  double radius = 0.05;               // r [m]
  double mass = 1.0;                  // [kg]
  double inertia = 0.002;             // about y, at the centre [kg m²]
  double mu = 0.6;                    // [-]
  double height = 1.0;                // z₀ of the centre [m]
  double angle = 0.5235987755982988;  // θ₀ [rad]
  double spin = 4.0;                  // ω₀ = θ̇ [rad/s]
  double gravity = 9.82;              // [m/s²]

  static constexpr auto fields() {
    return std::tuple{Field{"length", &Rod::length, "distance of the centres of the end balls [m]", "> 0"},
                      Field{"radius", &Rod::radius, "radius of the end balls [m]", "> 0"},
                      Field{"mass", &Rod::mass, "mass [kg]", "> 0"},
                      Field{"inertia", &Rod::inertia, "moment of inertia about y [kg m^2]", "> 0"},
                      Field{"mu", &Rod::mu, "friction coefficient [-]", ">= 0"},
                      Field{"height", &Rod::height, "initial height of the centre [m]"},
                      Field{"angle", &Rod::angle, "initial angle from x towards z [rad]", "]-inf, inf["},
                      Field{"spin", &Rod::spin, "initial rate of the angle [rad/s]", "]-inf, inf["},
                      Field{"gravity", &Rod::gravity, "acceleration of gravity [m/s^2]", "> 0"}};
  }
};

Scene rod(const Rod& p = {});

// When the first end touches, by bisection on (1) [s].
double rod_first_contact(const Rod& p);

}  // namespace stiction
