// SPDX-License-Identifier: BSD-2-Clause
// A box on four legs, which end in points. Truth: the legs carry m g in all, a quarter each by symmetry, though the forces are
// statically indeterminate; sliding with v₀ it stops after v₀²/(2 μ g).
#pragma once

#include <stiction/scene/core/scene.h>

namespace stiction {

struct FourLegs {
  static constexpr const char* kName = "four_legs";
  static constexpr const char* kSummary = "a box stands or slides on four legs";
  static constexpr const char* kTruth = "the legs carry the weight, each a quarter; sliding stops after v0^2/(2 mu g)";
  double mass = 4.0;    // [kg]
  double length = 0.6;  // between front and hind legs, along x [m]
  double width = 0.4;   // between left and right legs, along y [m]
  double leg = 0.3;     // of the legs, from the centre of the box [m]
  double mu = 0.8;      // [-]
  double speed = 0.0;   // at the start, along x [m/s]
  double drop = 0.0;    // height of the leg ends above the ground at the start [m]

  static constexpr auto fields() {
    using P = FourLegs;
    return std::tuple{Field{"mass", &P::mass, "mass of the box [kg]", "> 0"},
                      Field{"length", &P::length, "distance of front and hind legs [m]", "> 0"},
                      Field{"width", &P::width, "distance of left and right legs [m]", "> 0"},
                      Field{"leg", &P::leg, "length of the legs below the centre of the box [m]", "> 0"},
                      Field{"mu", &P::mu, "friction coefficient [-]", ">= 0"},
                      Field{"speed", &P::speed, "start speed along x [m/s]", "]-inf, inf["},
                      Field{"drop", &P::drop, "height of the leg ends at the start [m]", ">= 0"}};
  }
};

Scene four_legs(const FourLegs& p = {});

}  // namespace stiction
