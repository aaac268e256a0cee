// SPDX-License-Identifier: BSD-2-Clause
// Steps of several simulators of one world side by side (step/hard/lane_momentum.h), each with the bits of its own Simulator::step().
#pragma once

#include <stiction/dynamics/lanes/lane_plan.h>
#include <stiction/sim/simulator.h>
#include <stiction/step/core/time_stepper.h>

#include <span>
#include <vector>

namespace stiction {

// A simulator of a group, what acts on it, and what became of it.
struct GroupRun {
  Simulator* own = nullptr;
  const double* tau = nullptr;  // ntau entries, or none
  int index = 0;                // its environment
  StepReport report = {};       // of all steps of the last run()
  StepInput acting = {};
  bool going = true;
};

class GroupRunner {
 public:
  GroupRunner(const LanePlan& plan, const LaneKernels& kernels) : lanes_(plan, kernels) {
    stepping_.reserve(kMostLanes);
  }
  int width() const { return lanes_.width(); }
  // n steps of every run that is `going`, as Simulator::step(tau, n). Those that end early or fail are not going afterwards.
  void run(std::span<GroupRun> group, int n);

 private:
  void step(std::span<GroupRun> group);
  LaneWork lanes_;
  std::vector<StepLane> stepping_;
};

}  // namespace stiction
