// SPDX-License-Identifier: BSD-2-Clause
// A ball falls one metre, comes to rest on the ground and carries its own weight: a world, a simulator, a loop.
#include <stiction/model/world/world_builder.h>
#include <stiction/sim/simulator.h>

#include <cmath>
#include <cstdio>

int main() {
  stiction::WorldBuilder world;
  stiction::MaterialValues floor;
  floor.mu = 0.8;
  world.add_ground(floor);
  stiction::BodyOptions options;
  options.position = {0.0, 0.0, 1.1};
  const stiction::BodyId ball = world.add_body(stiction::make_sphere(0.1), 1.0, options);

  stiction::Simulator sim(world.compile(), {});  // law coulomb, solver auto, dt 1 ms
  for (int i = 0; i < 10; ++i) {
    const stiction::StepReport report = sim.step(100);
    std::printf("t = %.1f s   height %.6f m   %s\n", sim.state().time, sim.pose(ball).translation.z() - 0.1,
                name(report.status));
  }

  const double force = sim.contacts()[0].force.z();
  std::printf("force of the ground %.6f N\n", force);
  return std::abs(force - 9.81) < 1e-6 ? 0 : 1;
}
