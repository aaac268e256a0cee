// SPDX-License-Identifier: BSD-2-Clause
// Oracle: the heap. A quadruped that falls on its feet beside balls and a box: the second run from the same start allocates
// nothing, for every stepper on soft contacts and every approximant.
#include <gtest/gtest.h>
#include <stiction/model/world/world_builder.h>
#include <stiction/sim/simulator.h>
#include <stiction/step/catalog.h>

#include "support/busy_world.h"
#include "support/heap_count.h"

namespace stiction::test {
namespace {

void expect_no_allocation(const std::string& stepper, const OptionMap& options, const OptionMap& law = {}) {
  Settings s;
  s.law = "anchored", s.stepper = stepper, s.stepper_options = options, s.law_options = law;
  s.dt = stepper == "euler" || stepper == "rk4" ? 1e-4 : 5e-4;
  Simulator sim(busy_world(), s);
  sim.set_pd(100.0, 3.0);
  const State start = sim.state();
  const double time =
      stepper == "rigid_euler" ? 0.1 : 0.2;  // later its points throw the ball, which the energy guard refuses
  const int steps = static_cast<int>(time / s.dt);
  sim.step(steps);
  EXPECT_GT(sim.contacts().size(), 2u) << stepper;
  sim.state() = start;
  const HeapCount heap;
  const StepReport report = sim.step(steps);
  EXPECT_EQ(heap.count(), 0) << stepper;
  EXPECT_NE(report.status, Status::numerical_failure) << stepper;
}

TEST(SoftSteppers, AllocateNothing) {
  if (!kCountsAllocations) GTEST_SKIP() << "allocations are not counted in this build";
  for (const StepperInfo& info : stepper_catalog())
    if (info.steps(LawFamily::anchored)) expect_no_allocation(info.name, {});
}

TEST(SoftSteppers, AllocateNothingWithAnyApproximant) {
  if (!kCountsAllocations) GTEST_SKIP() << "allocations are not counted in this build";
  for (const char* name : {"1/1", "2/2", "3/3", "2/3", "exact", "auto", "dense"})
    expect_no_allocation("exponential", {{"approximant", std::string(name)}});
  expect_no_allocation("exponential", {{"approximant", std::string("exact")}}, {{"damping_ratio_t1", 0.5}});
  expect_no_allocation("exponential", {{"switch_refinement", true}, {"slip_continues", true}});
  expect_no_allocation("exponential", {{"substeps", 4}, {"refresh", 3}});
  expect_no_allocation("exponential_midpoint", {{"error_tolerance", 0.05}});
}

// Oracle: bits. The same run twice, and from a saved state.
TEST(SoftSteppers, RepeatThemselves) {
  for (const StepperInfo& info : stepper_catalog()) {
    if (!info.steps(LawFamily::anchored)) continue;
    Settings s;
    s.law = "anchored", s.stepper = info.name, s.dt = 2e-4;
    Simulator a(busy_world(), s), b(busy_world(), s);
    a.step(150);
    b.restore(a.save());
    a.step(150), b.step(150);
    EXPECT_EQ(a.hash(), b.hash()) << info.name;
  }
}

}  // namespace
}  // namespace stiction::test
