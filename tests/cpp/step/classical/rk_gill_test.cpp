// SPDX-License-Identifier: BSD-2-Clause
// Oracles of the stepper rk_gill: the heap (a second run allocates nothing), bits (a saved run goes on as it would have), J M⁻¹ Jᵀ.
#include <gtest/gtest.h>
#include <stiction/model/world/world_builder.h>
#include <stiction/sim/contact_space_query.h>
#include <stiction/sim/simulator.h>

#include "support/busy_world.h"
#include "support/dense_oracles.h"
#include "support/heap_count.h"

namespace stiction::test {
namespace {

Settings settings_of(const std::string& model, const std::string& forces) {
  Settings s;
  s.law = "relaxed", s.law_options = {{"model", model}}, s.stepper_options = {{"forces", forces}};
  s.dt = model == "micro" ? 1e-4 : 1e-3;
  return s;
}

TEST(RkGill, AllocatesNothing) {
  if (!kCountsAllocations) GTEST_SKIP() << "allocations are not counted in this build";
  for (const char* model : {"proposed", "macro", "micro", "hybrid"})
    for (const char* forces : {"held", "per_stage"}) {
      const Settings s = settings_of(model, forces);
      Simulator sim(busy_world(), s);
      sim.set_pd(100.0, 3.0);
      const State start = sim.state();
      const int steps = static_cast<int>(0.3 / s.dt);
      EXPECT_GT(sim.step(steps).penetration, 1e-6) << model;
      sim.state() = start;
      const HeapCount heap;
      sim.step(steps);
      EXPECT_EQ(heap.count(), 0) << model << " " << forces;
    }
}

TEST(RkGill, RepeatsItself) {
  for (const char* model : {"proposed", "macro", "micro", "hybrid"}) {
    const Settings s = settings_of(model, "per_stage");
    Simulator a(busy_world(), s), b(busy_world(), s);
    a.step(150);
    b.restore(a.save());
    a.step(150), b.step(150);
    EXPECT_EQ(a.hash(), b.hash()) << model;
  }
}

// The mass matrix of the query is the one of Pinocchio's convention; J is of internal velocities, which agree with it.
TEST(RkGill, UnitForcesGiveTheInverseInertia) {
  Simulator sim(busy_world(), settings_of("proposed", "held"));
  sim.step(350);
  const ContactSpaceView view = ContactSpaceQuery(sim).view();
  ASSERT_GE(view.A.rows(), 9);
  const Mat wanted = view.J * test::solve_symmetric(sim.mass_matrix(), view.J.transpose());
  EXPECT_LE((view.A - wanted).cwiseAbs().maxCoeff(), 1e-10 * wanted.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace stiction::test
