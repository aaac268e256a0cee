// SPDX-License-Identifier: BSD-2-Clause
// A cube is pulled at its centre with a force F = k t that grows until it slips. It sticks while k t ≤ μ m g and then
// m v̇ = k t − μ m g.                                                              [LeLidec24, figures 11, 12, 15]
#pragma once

#include <stiction/scene/core/scene.h>

namespace stiction {

struct CubeDrag {
  static constexpr const char* kName = "cube_drag";
  static constexpr const char* kSummary = "a cube is pulled with a growing force until it slips";
  static constexpr const char* kTruth =
      "sticks until t = mu m g / rate = 0.196 s; at 1 s it has gone 1.731 m and moves at 6.461 m/s";
  double rate = 20.0;  // k [N/s]
  double mu = 0.4;     // [-]
  double mass = 1.0;   // [kg]

  static constexpr auto fields() {
    return std::tuple{Field{"rate", &CubeDrag::rate, "growth of the pulling force along T1 [N/s]", "> 0"},
                      Field{"mu", &CubeDrag::mu, "friction coefficient [-]", ">= 0"},
                      Field{"mass", &CubeDrag::mass, "mass of the cube [kg]", "> 0"}};
  }
};

struct DragMotion {
  double position, velocity;  // along the pull [m] [m/s]
};

Scene cube_drag(const CubeDrag& p = {});

double cube_drag_slip_time(const CubeDrag& p);             // t_s = μ m g / k [s]
DragMotion cube_drag_motion(const CubeDrag& p, double t);  // closed form: v = (k (t² − t_s²)/2 − μ m g (t − t_s)) / m
// What the semi-implicit step must give after n steps: the force of a step is k times the time at its start.
DragMotion cube_drag_steps(const CubeDrag& p, double dt, int n);

}  // namespace stiction
