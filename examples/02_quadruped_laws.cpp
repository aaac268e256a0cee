// SPDX-License-Identifier: BSD-2-Clause
// A quadruped is pushed sideways under four contact laws; the judge says how far each is from exact Coulomb friction.
#include <stiction/scene/catalog.h>
#include <stiction/scene/core/scene.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

int main() {
  const stiction::Scene scene = stiction::make_scene("starleth_push");
  std::map<std::string, double> residual;
  for (const std::string law : {"coulomb", "convex", "pyramid", "raisim"}) {
    stiction::Settings settings;
    settings.law = law;
    settings.dt = scene.dt;
    stiction::Simulator sim = make_simulator(scene, settings);
    int unaccepted = 0;
    for (long i = std::lround(scene.duration / scene.dt); i > 0; --i) {
      scene.drive(sim, sim.state().time);  // the push
      const stiction::StepReport report = sim.step();
      unaccepted += report.unaccepted;
      residual[law] = std::max(residual[law], report.ncp.natural);
    }
    const stiction::Vec3 trunk = sim.pose(0).translation;
    std::printf("%-8s trunk at (%+.4f, %+.4f, %+.4f) m   %d steps not accepted   %.1e N from Coulomb\n", law.c_str(),
                trunk.x(), trunk.y(), trunk.z(), unaccepted, residual[law]);
  }
  bool exact = true;
  for (const auto& [law, other] : residual) exact = exact && (law == "coulomb" || residual["coulomb"] < 1e-4 * other);
  return exact ? 0 : 1;
}
