// SPDX-License-Identifier: BSD-2-Clause
// Inside of a Simulator; not part of the public face.
#pragma once

#include <stiction/sim/simulator.h>
#include <stiction/step/core/island_threads.h>
#include <stiction/step/core/time_stepper.h>

namespace stiction {

// What sensors need of the last step besides contacts (sim/sensor_moment.h); kept only where the world has sensors.
struct LastStep {
  bool made = false;
  Vec tau;
  std::vector<Wrench> wrenches;
};

struct Simulator::Impl {
  Impl(std::shared_ptr<const World> world, const Settings& settings);
  Impl(const Impl& other);  // shares what never changes; no wrenches

  // n steps; targets: n × ntau, or null to keep the one that is set.
  StepReport run(const VecRef& tau, const double* targets, int n);
  StepReport step_in_time(const StepInput& acting);  // one step within the budget

  // What acts in the next step; `field` names tau in messages. Throws InvalidInput.
  StepInput input(const char* field, const VecRef& tau) const;
  StepContext context(Workspace& scratch) const { return {*world, *model, *solver, scratch, threads.get()}; }

  void make_own();  // solver, stepper and workspace
  std::unique_ptr<Solver> new_solver() const;

  Kinematics kinematics() const;           // at the present q and v
  Kinematics drifting_kinematics() const;  // with accelerations at v̇ = 0
  Vec joint_positions() const;             // in the order of tau; zero for joints of several velocities
  BodyId engine_body(BodyId id) const;     // number in `world` of a body of `minimal`; throws InvalidInput

  std::shared_ptr<const World> minimal;  // as given: the face's numbers of bodies
  std::shared_ptr<const World> world;    // as stepped
  Settings settings;
  std::shared_ptr<const SimulationModel> model;
  // The two above where this simulator has them for itself, to be written to from environment to environment (batch_parameters.h).
  std::shared_ptr<World> varied_world;
  std::shared_ptr<SimulationModel> varied_model;
  std::unique_ptr<Solver> solver;
  std::unique_ptr<TimeStepper> stepper;
  std::unique_ptr<TimeStepper> derivative_stepper;  // so that queries of the last step stay what they are
  Workspace work;
  std::unique_ptr<Workspace> derivative_work;  // likewise
  State state;
  State start;  // what reset() goes back to
  std::vector<Wrench> wrenches;
  LastStep last;
  std::function<bool()> interrupted;
  std::unique_ptr<IslandThreads> threads;  // null: one thread
  double budget = 0.0;                     // of a step [s], 0 for none
  double after_solve = 0.0;                // what the last step within a budget did once its impulses were found [s]
};

// Throw InvalidInput naming the field.
void check_size(const char* field, Eigen::Index found, int expected);
void check_finite(const char* field, const VecRef& x);
// Sizes of its vectors are those of the world.
void check_fit(const World& world, const State& state);
// What a blob must agree with, besides the world.
std::string settings_text(const Settings& settings);

}  // namespace stiction
