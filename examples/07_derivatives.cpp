// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of a step: which torques make a standing quadruped rise at 20 mm/s after one step? One linear solve tells.
#include <stiction/scene/core/scene.h>
#include <stiction/step/exponential/exponential_derivatives.h>

#include <cmath>
#include <cstdio>
#include <string>

int main() {
  stiction::WorldBuilder world;
  stiction::MaterialValues floor;
  floor.mu = 0.8;
  world.add_ground(floor);
  stiction::RobotOptions options;
  options.position = {0.0, 0.0, 0.24};
  options.values.stiffness = 1e5, options.values.damping = 300.0;
  const int robot = world.add_urdf(stiction::model_path("quadruped_small.urdf"), options);
  for (const std::string leg : {"FL", "FR", "HL", "HR"}) {
    world.set_joint_position(robot, leg + "_HFE", -0.8);
    world.set_joint_position(robot, leg + "_KFE", 1.6);
  }
  stiction::Settings settings;
  settings.law = "anchored", settings.stepper = "exponential", settings.dt = 5e-3;
  stiction::Simulator sim(world.compile(), settings);
  sim.set_pd(8.0, 0.2);
  sim.step(400);  // it stands

  stiction::StepDerivatives d;  // of the step from here, tau = 0; the state is not changed
  sim.step_derivatives(stiction::Vec(), d);
  const stiction::Vec rise = d.du().row(sim.world().nv + 2);  // d(vertical speed of the base) / d tau
  const double wanted = 0.02;
  const stiction::Vec tau = rise * (wanted / rise.squaredNorm());  // the smallest torques the linear model asks for

  const double before = sim.state().v[2];
  sim.step(tau);
  const double reached = sim.state().v[2] - before;
  std::printf("modes %s, exact: %s\n", describe(d.mode[0]).c_str(), d.exact ? "True" : "False");
  std::printf("largest torque %.4f N m   wanted %.4f m/s   reached %.4f m/s\n", tau.cwiseAbs().maxCoeff(), wanted,
              reached);
  return std::abs(reached - wanted) < 1e-3 ? 0 : 1;
}
