// SPDX-License-Identifier: BSD-2-Clause
// A heavy cube rests on a light one: masses √ratio on 1/√ratio. The contact problem has condition ~ ratio; sweeping
// solvers creep, and engines with soft contacts let the cubes pass through each other. Whatever the ratio, the floor
// carries (m₁ + m₂) g, the light cube m₂ g, and nothing moves.                             [LeLidec24, figure 13]
#pragma once

#include <stiction/scene/core/scene.h>

namespace stiction {

struct HeavyOnLight {
  static constexpr const char* kName = "heavy_on_light";
  static constexpr const char* kSummary = "a heavy cube rests on a light one";
  static constexpr const char* kTruth = "nothing moves; the floor carries (m1 + m2) g, 9810.00981 N at ratio 1e6";
  double ratio = 1e6;  // mass of the top over mass of the bottom [-]
  bool boxes = false;  // solid boxes with flat faces instead of cubes with corner spheres [-]

  static constexpr auto fields() {
    return std::tuple{
        Field{"ratio", &HeavyOnLight::ratio, "mass of the top over mass of the bottom [-]", "[1e-12, 1e12]"},
        Field{"boxes", &HeavyOnLight::boxes, "solid boxes instead of cubes with corner spheres [-]"}};
  }
  double bottom() const;  // m₁ = 1/√ratio [kg]
  double top() const;     // m₂ = √ratio [kg]
};

Scene heavy_on_light(const HeavyOnLight& p = {});

double heavy_on_light_floor_force(const HeavyOnLight& p);  // (m₁ + m₂) g [N]

}  // namespace stiction
