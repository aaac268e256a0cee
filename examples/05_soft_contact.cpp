// SPDX-License-Identifier: BSD-2-Clause
// A small quadruped stands on stiff soft ground (1e5 N/m): exponential integration at 10 ms beside explicit Euler at 0.1 ms.
#include <stiction/scene/core/scene.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

namespace {

stiction::WorldBuilder quadruped_on_ground() {
  stiction::WorldBuilder world;
  stiction::MaterialValues floor;
  floor.mu = 0.8;
  world.add_ground(floor);
  stiction::RobotOptions options;
  options.position = {0.0, 0.0, 0.2309};
  options.values.stiffness = 1e5, options.values.damping = 300.0;
  const int robot = world.add_urdf(stiction::model_path("quadruped_small.urdf"), options);
  for (const std::string leg : {"FL", "FR", "HL", "HR"}) {
    world.set_joint_position(robot, leg + "_HFE", -0.8);
    world.set_joint_position(robot, leg + "_KFE", 1.6);
  }
  return world;
}

}  // namespace

int main() {
  bool stands = true;
  for (const auto& [stepper, dt] : {std::pair{"exponential", 1e-2}, {"exponential_midpoint", 1e-2}, {"euler", 1e-4}}) {
    stiction::Settings settings;
    settings.law = "anchored", settings.stepper = stepper, settings.dt = dt;
    stiction::Simulator sim(quadruped_on_ground().compile(), settings);
    sim.set_pd(20.0, 1.0, true);  // implicit: joints of light legs are stiff at 10 ms
    const stiction::StepReport report = sim.step(static_cast<int>(std::lround(2.0 / dt)));
    double load = 0.0;
    for (const stiction::ContactView& contact : sim.contacts()) load += contact.force.z();
    std::printf("%-20s %4.1f ms: height %.5f m   load on the feet %.4f N   %s\n", stepper, 1e3 * dt, sim.state().q[2],
                load, name(report.status));
    stands = stands && std::abs(load - 9.81 * sim.mass()) < 1e-3;
  }
  return stands ? 0 : 1;
}
