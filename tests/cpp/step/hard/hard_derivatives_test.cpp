// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of the rigid step: oracle are central differences of the step itself, extrapolated once, at tight solves.
// tests/python/steppers/test_rigid_derivatives.py has every shape, joint and loop; here a busy world, and that nothing is
// allocated.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/kernels/integrate.h>
#include <stiction/sim/simulator.h>
#include <stiction/step/core/step_derivatives.h>

#include "dynamics/rig.h"
#include "support/busy_world.h"
#include "support/heap_count.h"

namespace stiction {
namespace {

using test::busy_world, test::tangent_between;

Settings tight(const std::string& stepper) {
  Settings s;
  s.stepper = stepper, s.dt = 1e-3;
  s.solver_options = {{"tolerance", 1e-12}};
  return s;
}

// Column j of dx⁺.
Vec column(Simulator& sim, const State& start, const State& centre, const Vec& tau, int j, double e) {
  const Layout layout(sim.world());
  const int nv = sim.world().nv;
  State end[2];
  for (int side = 0; side < 2; ++side) {
    Vec move = Vec::Zero(2 * nv + sim.world().ntau);
    move[j] = side == 0 ? e : -e;
    sim.state() = start;
    Vec shift = move.head(nv);
    integrate(layout, 1.0, sim.state().q.data(), shift.data());
    sim.state().v += move.segment(nv, nv);
    sim.step(Vec(tau + move.tail(sim.world().ntau)));
    end[side] = sim.state();
  }
  Vec out(2 * nv);
  out << tangent_between(layout, centre.q, end[0].q) - tangent_between(layout, centre.q, end[1].q), end[0].v - end[1].v;
  return out / (2 * e);
}

TEST(HardDerivatives, ABusyWorldAgreesWithDifferences) {
  for (const std::string stepper : {"semi_implicit", "moreau"}) {
    SCOPED_TRACE(stepper);
    Simulator sim(busy_world(), tight(stepper));
    const Vec tau = Vec::LinSpaced(sim.world().ntau, -2.0, 3.0);
    sim.step(tau, 40);
    const State start = sim.state();
    StepDerivatives found;
    sim.step_derivatives(tau, found);
    ASSERT_EQ(found.status, Status::converged);
    EXPECT_FALSE(found.rows.empty());
    Simulator other = sim.clone();
    other.step(tau);
    const State centre = other.state();
    const double scale = found.by_all.cwiseAbs().maxCoeff();
    for (int j = 0; j < found.by_all.cols(); j += 5) {
      double worst = 1.0;
      for (const double e : {1e-5, 1e-6}) {
        const Vec wanted =
            (4.0 * column(other, start, centre, tau, j, 0.5 * e) - column(other, start, centre, tau, j, e)) / 3.0;
        worst = std::min(worst, (found.by_all.col(j) - wanted).cwiseAbs().maxCoeff() / scale);
      }
      EXPECT_LT(worst, 1e-6) << "column " << j;
    }
  }
}

TEST(HardDerivatives, NothingIsAllocated) {
  for (const std::string stepper : {"semi_implicit", "moreau"}) {
    SCOPED_TRACE(stepper);
    Simulator sim(busy_world(), tight(stepper));
    const Vec tau = Vec::Zero(sim.world().ntau);
    sim.step(tau, 60);
    StepDerivatives out;
    sim.step_derivatives(tau, out);
    sim.step_derivatives(tau, out);
    const auto before = sim.hash();
    const test::HeapCount heap;
    sim.step_derivatives(tau, out);
    EXPECT_EQ(test::kCountsAllocations ? heap.count() : 0, 0);
    EXPECT_EQ(sim.hash(), before);
  }
}

}  // namespace
}  // namespace stiction
