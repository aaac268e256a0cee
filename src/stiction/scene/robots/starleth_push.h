// SPDX-License-Identifier: BSD-2-Clause
// StarlETH stands and is pushed sideways at the trunk for a fifth of a second, hard enough that its feet slip a little.
// The scene of `stiction demo`: laws differ in how far and in which direction the feet slide, and in what it costs.
// Truth: the push ends, the robot keeps its feet, and stands still on them again.
#pragma once

#include <stiction/scene/core/scene.h>

namespace stiction {

struct StarlethPush {
  static constexpr const char* kName = "starleth_push";
  static constexpr const char* kSummary = "StarlETH stands and is pushed sideways until its feet slip";
  static constexpr const char* kTruth = "keeps its feet and stands still again; weight 263.1 N";
  double force = 120.0;  // along y [N]
  double start = 0.5;    // [s]
  double length = 0.2;   // of the push [s]
  double mu = 0.4;       // [-]

  static constexpr auto fields() {
    return std::tuple{Field{"force", &StarlethPush::force, "push along y at the trunk [N]", "]-inf, inf["},
                      Field{"start", &StarlethPush::start, "when the push starts [s]", ">= 0"},
                      Field{"length", &StarlethPush::length, "how long the push lasts [s]", ">= 0"},
                      Field{"mu", &StarlethPush::mu, "friction coefficient [-]", ">= 0"}};
  }
};

Scene starleth_push(const StarlethPush& p = {});

}  // namespace stiction
