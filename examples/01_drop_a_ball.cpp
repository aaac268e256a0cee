// SPDX-License-Identifier: BSD-2-Clause
// Drop a ball on the floor and watch it bounce: a world, a simulator, a loop.
#include <stiction/model/world_builder.h>
#include <stiction/sim/simulator.h>

#include <cstdio>

int main() {
  stiction::WorldBuilder world;
  stiction::MaterialValues rubber;
  rubber.mu = 0.8;
  rubber.restitution = 0.5;
  world.add_ground(rubber);
  stiction::BodyOptions options;
  options.position = {0.0, 0.0, 1.1};
  const stiction::BodyId ball = world.add_body(stiction::make_sphere(0.1), 1.0, options);

  stiction::Simulator sim(world.compile(), {});  // law coulomb, solver auto, dt 1 ms
  for (int i = 0; i < 10; ++i) {
    const stiction::StepReport report = sim.step(200);
    std::printf("t = %.1f s   height %.4f m   energy %.4f J   %s\n", sim.state().time,
                sim.pose(ball).translation.z() - 0.1, sim.energy().total(), name(report.status));
  }
  const double height = sim.pose(ball).translation.z() - 0.1;
  return height > -1e-5 && height < 0.1 ? 0 : 1;  // after two seconds it has nearly come to rest on the floor
}
