// SPDX-License-Identifier: BSD-2-Clause
// 216 frictionless, plastic spheres (6 x 6 x 6, slightly disturbed) fall on the floor and spread. Truth: bodies never
// overlap. The metric is the mean over steps of the sum of squared overlaps of all pairs and of the floor [m²].
#pragma once

#include <stiction/scene/core/scene.h>

namespace stiction {

struct Pile {
  static constexpr const char* kName = "pile";
  static constexpr const char* kSummary = "216 spheres fall on the floor and spread";
  static constexpr const char* kTruth = "no overlap: mean sum of squared depths 0 m^2 up to the dead band";
  double mu = 0.0;           // [-]
  double restitution = 0.0;  // [-]

  static constexpr auto fields() {
    return std::tuple{Field{"mu", &Pile::mu, "friction coefficient [-]", ">= 0"},
                      Field{"restitution", &Pile::restitution, "Newton's coefficient e in [0, 1] [-]", "[0, 1]"}};
  }
};

Scene pile(const Pile& p = {});

inline constexpr double kPileRadius = 0.1;  // [m]
// Σ over pairs and floor of (overlap depth)² at the configuration q of the scene [m²]; measured here, not by the engine.
double pile_overlap(const VecRef& q);

}  // namespace stiction
