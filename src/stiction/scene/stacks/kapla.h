// SPDX-License-Identifier: BSD-2-Clause
// A tower of 102 blocks laid dry: six storeys, each of eight cross beams and nine lengthwise blocks on them. It stands;
// block faces touch exactly, so the contact problem is large, flat and hyperstatic (hundreds of points, rank far less).
#pragma once

#include <stiction/scene/core/scene.h>

namespace stiction {

struct Kapla {
  static constexpr const char* kName = "kapla";
  static constexpr const char* kSummary = "a tower of 102 blocks laid dry";
  static constexpr const char* kTruth = "it stands and no block moves";
  double mu = 0.8;  // [-]
  int storeys = 6;  // of 17 blocks each [-]

  static constexpr auto fields() {
    return std::tuple{Field{"mu", &Kapla::mu, "friction coefficient [-]", ">= 0"},
                      Field{"storeys", &Kapla::storeys, "storeys of 17 blocks each [-]", "[1, 100]"}};
  }
};

Scene kapla(const Kapla& p = {});

// Largest distance of a block's centre from its start [m].
double kapla_displacement(const VecRef& q0, const VecRef& q);

}  // namespace stiction
