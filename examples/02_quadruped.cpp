// SPDX-License-Identifier: BSD-2-Clause
// A quadruped stands, is pushed sideways and slides a little: the same scene under three contact laws.
#include <stiction/scene/scene.h>

#include <cstdio>
#include <string>

int main() {
  bool stands = true;
  const stiction::Scene scene = stiction::make_scene("starleth_push");
  for (const std::string law : {"coulomb", "convex", "pyramid"}) {
    stiction::Settings settings;
    settings.law = law;
    settings.dt = scene.dt;
    stiction::Simulator sim = make_simulator(scene, settings);
    int unaccepted = 0;
    while (sim.state().time < scene.duration) {
      scene.drive(sim, sim.state().time);  // the push
      unaccepted += sim.step().unaccepted;
    }
    const stiction::Vec3 trunk = sim.pose(0).translation;
    std::printf("%-8s trunk at (%+.4f, %+.4f, %+.4f) m   %zu feet on the ground   %d steps not accepted\n", law.c_str(),
                trunk.x(), trunk.y(), trunk.z(), sim.contacts().size(), unaccepted);
    stands = stands && trunk.z() > 0.35 && sim.contacts().size() == 4;
  }
  return stands ? 0 : 1;
}
