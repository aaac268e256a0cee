// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of the rigid step allocate nothing once warm and change nothing. That they are right is looked at against
// differences of the step in tests/python/steppers/test_rigid_derivatives.py, shape by shape and joint by joint.
#include <gtest/gtest.h>
#include <stiction/sim/simulator.h>
#include <stiction/step/report/step_derivatives.h>

#include "support/busy_world.h"
#include "support/heap_count.h"

namespace stiction {
namespace {

TEST(HardDerivatives, NothingIsAllocated) {
  for (const std::string stepper : {"semi_implicit", "moreau"}) {
    SCOPED_TRACE(stepper);
    Settings settings;
    settings.stepper = stepper;
    Simulator sim(test::busy_world(), settings);
    const Vec tau = Vec::Zero(sim.world().ntau);
    sim.step(tau, 150);
    StepDerivatives out;
    sim.step_derivatives(tau, out);
    sim.step_derivatives(tau, out);
    ASSERT_EQ(out.status, Status::converged);
    ASSERT_FALSE(out.rows.empty());
    const auto before = sim.hash();
    const test::HeapCount heap;
    sim.step_derivatives(tau, out);
    EXPECT_EQ(test::kCountsAllocations ? heap.count() : 0, 0);
    EXPECT_EQ(sim.hash(), before);
  }
}

}  // namespace
}  // namespace stiction
