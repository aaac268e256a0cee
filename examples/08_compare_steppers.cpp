// SPDX-License-Identifier: BSD-2-Clause
// Stewart and Trinkle's falling rod under two steppers: when its end touches down, and how deep anything sinks in.
#include <stiction/scene/catalog.h>
#include <stiction/scene/core/scene.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

int main() {
  bool agrees = true;
  const stiction::Scene scene = stiction::make_scene("rod");
  for (const char* stepper : {"semi_implicit", "stewart_trinkle"})
    for (const double dt : {1e-2, 2.5e-3}) {
      stiction::Settings settings;
      settings.law = "coulomb", settings.stepper = stepper, settings.dt = dt;
      stiction::Simulator sim = make_simulator(scene, settings);
      double touched = 0.0, depth = 0.0;
      while (sim.state().time < 0.7) {
        depth = std::max(depth, sim.step().penetration);
        for (const stiction::ContactView& contact : sim.contacts())
          if (touched == 0.0 && contact.force.norm() > 0.0) touched = sim.state().time;
      }
      std::printf("%-15s dt %4.1f ms: touches at %.4f s   deepest overlap %.4f mm   energy left %.4f J\n", stepper,
                  1e3 * dt, touched, 1e3 * depth, sim.energy().total());
      agrees = agrees && std::abs(touched - 0.382) < dt + 1e-3;
    }
  return agrees ? 0 : 1;
}
