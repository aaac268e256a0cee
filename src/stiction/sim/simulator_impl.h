// SPDX-License-Identifier: BSD-2-Clause
// Inside of a Simulator; not part of the public face.
#pragma once

#include <stiction/sim/simulator.h>
#include <stiction/step/core/time_stepper.h>

namespace stiction {

struct Simulator::Impl {
  Impl(std::shared_ptr<const World> world, const Settings& settings);

  // n steps; targets: n × ntau, or null to keep the one that is set.
  StepReport run(const VecRef& tau, const double* targets, int n);

  BodyId engine_body(BodyId id) const;  // number in `world` of a body of `minimal`; throws InvalidInput

  std::shared_ptr<const World> minimal;  // as given: the face's numbers of bodies
  std::shared_ptr<const World> world;    // as stepped
  Settings settings;
  std::shared_ptr<const Machine> machine;
  std::unique_ptr<Solver> solver;
  std::unique_ptr<TimeStepper> stepper;
  std::unique_ptr<TimeStepper> derivative_stepper;  // so that queries of the last step stay what they are
  Workspace work;
  State state;
  State start;  // what reset() goes back to
  std::vector<Wrench> wrenches;
};

// What a blob must agree with, besides the world.
std::string settings_text(const Settings& settings);
void accumulate(const StepOutcome& outcome, StepReport& report);
// Position of every joint in the order of tau; zero for joints of several velocities.
Vec joint_positions(const World& world, const Layout& layout, const State& state);

}  // namespace stiction
