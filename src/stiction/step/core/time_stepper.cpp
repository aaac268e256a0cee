// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/step/core/time_stepper.h>

namespace stiction {

void TimeStepper::step_group(LaneWork&, std::span<StepLane> group) {
  for (StepLane& lane : group) lane.report = step(lane.context, *lane.input, *lane.state);
}

std::vector<ContactProblem> TimeStepper::problems(const StepContext&, const StepInput&, const State&, bool) {
  throw InvalidInput(
      "the law of this simulator gives forces, not contact problems; make a simulator with a hard law and copy q and "
      "v");
}

}  // namespace stiction
