// SPDX-License-Identifier: BSD-2-Clause
// What a time stepper is: it takes a state over one step. It keeps scratch memory only; what the future depends on is in State.
#pragma once

#include <stiction/step/core/simulation_model.h>

#include <memory>
#include <span>
#include <string>

namespace stiction {

class LaneWork;
struct SoftWork;
struct StepDerivatives;
class IslandThreads;  // island_threads.h

struct StepContext {
  const World& world;
  const SimulationModel& model;
  Solver& solver;
  Workspace& work;                   // its contacts and impulses tell of the last step
  IslandThreads* threads = nullptr;  // null: islands are solved one after the other
  IslandScratch* scratch = nullptr;  // of the thread; null: that of `work`

  IslandScratch& own() const { return scratch != nullptr ? *scratch : work; }
};

// One environment of a group that is stepped side by side.
struct StepLane {
  StepContext context;
  const StepInput* input;
  State* state;
  StepReport report;  // of this step
};

class TimeStepper {
 public:
  virtual ~TimeStepper() = default;
  // The state is written to only if the result is finite; otherwise the status is numerical_failure.
  virtual StepReport step(const StepContext& context, const StepInput& input, State& state) = 0;
  // Whether step_group() does more than one step() after the other.
  virtual bool has_lanes() const { return false; }
  // A step of each of up to lanes.width() environments of one world, with the bits of step().
  virtual void step_group(LaneWork& lanes, std::span<StepLane> group);
  // Points of the last step, for steppers on soft contacts.
  virtual const SoftWork* soft() const { return nullptr; }
  // The contact problems of the step from here, one per island, as the step solves them last: with the contacts that a second
  // look finds, and with the rebounds that impulses of the step cause. The state is not changed. `keep_bodies`: small problems
  // in body space too. Throws InvalidInput if the law gives forces.
  virtual std::vector<ContactProblem> problems(const StepContext& context, const StepInput& input, const State& state,
                                               bool keep_bodies);
  // Derivatives of the step from here, which is not made. False: this stepper has none. Throws InvalidInput for options
  // that have none.
  virtual bool derivatives(const StepContext&, const StepInput&, const State&, StepDerivatives&) { return false; }
};

// Checked options; throws InvalidInput.
std::unique_ptr<TimeStepper> make_stepper(const std::string& name, const OptionMap& options, const World& world,
                                          const SimulationModel& model);

}  // namespace stiction
