// SPDX-License-Identifier: BSD-2-Clause
// A square grid of balls is dropped on a smooth floor and rebounds without loss: the energy
//   E = n² m g h  (h: height of the centres above the floor's surface)
// is constant. How well it is kept tells how a stepper treats flight and impacts: stepper `moreau` flies parabolas exactly and
// mirrors (q, v) → (q, −v) at impacts. The setting of Hwangbo, Lee and Hutter's benchmark (2018): 24034.5 J.
#pragma once

#include <stiction/scene/core/scene.h>

namespace stiction {

struct ElasticBalls {
  static constexpr const char* kName = "elastic_balls";
  static constexpr const char* kSummary = "a grid of balls rebounds from a smooth floor without loss";
  static constexpr const char* kTruth =
      "energy n^2 m g h is constant; stepper moreau keeps it to round-off, others to the order of their step";
  int side = 7;              // balls along an edge [-]
  double radius = 0.1;       // [m]
  double mass = 10.0;        // of a ball [kg]
  double spacing = 2.0;      // of the centres [m]
  double height = 5.0;       // of the centres above the floor [m]
  double restitution = 1.0;  // e [-]

  static constexpr auto fields() {
    using P = ElasticBalls;
    return std::tuple{Field{"side", &P::side, "balls along an edge of the square [-]", "[1, 100]"},
                      Field{"radius", &P::radius, "radius of a ball [m]", "> 0"},
                      Field{"mass", &P::mass, "mass of a ball [kg]", "> 0"},
                      Field{"spacing", &P::spacing, "distance of neighbouring centres [m]"},
                      Field{"height", &P::height, "height of the centres above the floor [m]"},
                      Field{"restitution", &P::restitution, "Newton's coefficient e in [0, 1] [-]", "[0, 1]"}};
  }
};

Scene elastic_balls(const ElasticBalls& p = {});

double elastic_balls_energy(const ElasticBalls& p);  // at the start, and for ever if e = 1 [J]

}  // namespace stiction
