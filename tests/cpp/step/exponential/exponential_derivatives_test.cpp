// SPDX-License-Identifier: BSD-2-Clause
// Oracle: central differences of the step itself (specification, test 24), extrapolated once where 1e-9 is asked for.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/step/exponential/exponential_derivatives.h>

#include <cmath>

#include "dynamics/rig.h"
#include "support/heap_count.h"
#include "support/soft_worlds.h"

namespace stiction {
namespace {

using test::planar_arm, test::point_quadruped, test::soft, test::tangent_between;

const char* const kApproximants[] = {"1/1", "2/2", "3/3", "1/2", "2/3"};

// x⁺ and the average forces in contact axes, as displacements from the unperturbed step.
struct Steps {
  Steps(const Simulator& start, const Vec& torque) : sim(start.clone()), state(start.state()), tau(torque) {
    layout = std::make_unique<Layout>(sim.world());
    centre = run(Vec::Zero(columns())).first;
  }
  int nv() const { return sim.world().nv; }
  int columns() const { return 2 * nv() + sim.world().ntau; }

  std::pair<State, Vec> run(const Vec& d) {
    sim.state() = state;
    Vec move = d.head(nv());
    integrate(*layout, 1.0, sim.state().q.data(), move.data());
    sim.state().v += d.segment(nv(), nv());
    if (prepare) prepare(sim);
    const Vec torque = tau + d.tail(sim.world().ntau);
    sim.step(torque);
    const auto anchors = sim.anchors();
    Vec forces(3 * static_cast<Eigen::Index>(anchors.size()));
    for (std::size_t i = 0; i < anchors.size(); ++i) forces.segment<3>(3 * static_cast<int>(i)) = anchors[i].projected;
    return {sim.state(), forces};
  }
  // Column j of the derivative: (q⁺, v⁺, forces in world axes).
  Vec column(int j, double e) {
    const auto plus = run(e * Vec::Unit(columns(), j)), minus = run(-e * Vec::Unit(columns(), j));
    EXPECT_EQ(plus.second.size(), minus.second.size());
    Vec out(2 * nv() + plus.second.size());
    out << tangent_between(*layout, centre.q, plus.first.q) - tangent_between(*layout, centre.q, minus.first.q),
        plus.first.v - minus.first.v, plus.second - minus.second;
    return out / (2 * e);
  }

  Simulator sim;
  State state, centre;
  Vec tau;
  std::unique_ptr<Layout> layout;
  std::function<void(Simulator&)> prepare;  // before every step
};

struct Worst {
  double state = 0.0, force = 0.0;  // relative to the largest entry of the column's kind
};

Worst compare(const Simulator& start, const Vec& tau, const StepDerivatives& found, double e, bool extrapolate,
              const std::function<void(Simulator&)>& prepare = {}) {
  Steps steps(start, tau);
  steps.prepare = prepare;
  if (prepare) steps.centre = steps.run(Vec::Zero(steps.columns())).first;
  const int nv = steps.nv(), n = steps.columns();
  RowMat wanted, mine(2 * nv, n);
  mine = found.by_all;
  for (int j = 0; j < n; ++j) {
    Vec column = steps.column(j, e);
    if (extrapolate) column = (4.0 * steps.column(j, 0.5 * e) - column) / 3.0;
    if (wanted.size() == 0) wanted.resize(column.size(), n);
    wanted.col(j) = column;
  }
  Worst worst;
  for (const auto& [first, width] : {std::pair{0, nv}, std::pair{nv, nv}, std::pair{2 * nv, n - 2 * nv}}) {
    for (const int row : {0, nv}) {  // positions and velocities have their own scales
      const auto a = mine.block(row, first, nv, width), b = wanted.block(row, first, nv, width);
      if (width > 0) worst.state = std::max(worst.state, (a - b).norm() / b.norm());
    }
    if (wanted.rows() == 2 * nv || width == 0 || found.dforce.rows() != wanted.rows() - 2 * nv) continue;
    const auto b = wanted.block(2 * nv, first, wanted.rows() - 2 * nv, width);
    worst.force = std::max(worst.force, (found.dforce.middleCols(first, width) - b).norm() / (1e-300 + b.norm()));
  }
  return worst;
}

StepDerivatives derivatives(Simulator& sim, const Vec& tau) {
  StepDerivatives out;
  sim.step_derivatives(tau, out);
  EXPECT_EQ(out.status, Status::converged);
  return out;
}

void set_arm(Simulator& sim) { sim.state().v = Vec3(0.5, -1.0, 2.0); }
const Vec kArmTorque = Vec3(1.0, 2.0, -0.5);

TEST(StepDerivatives, ArmWithEveryApproximant) {
  for (const char* approximant : kApproximants)
    for (const char* position : {"double", "single"})
      for (const double h : {1e-3, 1e-2}) {
        SCOPED_TRACE(std::string(approximant) + " " + position + " " + std::to_string(h));
        Simulator sim(
            planar_arm(),
            soft("exponential", h, {{"approximant", std::string(approximant)}, {"position", std::string(position)}}));
        set_arm(sim);
        const StepDerivatives d = derivatives(sim, kArmTorque);
        ASSERT_EQ(d.mode.size(), 1u);
        EXPECT_EQ(describe(d.mode[0]), "held");
        EXPECT_TRUE(d.exact);
        const Worst worst = compare(sim, kArmTorque, d, 1e-3, true);
        EXPECT_LE(worst.state, 1e-8);
        EXPECT_LE(worst.force, 1e-9);  // held points are in world axes
      }
}

// All four feet in one mode at the pass; the state is prepared with the default approximant, so that it is the same for all.
struct Case {
  const char* name;
  double mu, drop, speed, lift;
  int settle;
  const char* mode;  // at the pass
  std::size_t points;
};

Simulator quadruped(const Case& k, const std::string& approximant) {
  const auto world = point_quadruped(k.mu);
  Simulator start(world, soft("exponential", 2e-3)),
      sim(world, soft("exponential", 2e-3, {{"approximant", approximant}, {"switch_refinement", false}}));
  start.state().q[2] -= k.drop;
  start.set_pd(8.0, 0.2);
  start.step(k.settle);
  start.state().v.head<6>() << k.speed, 0.3 * k.speed, k.lift, 0.2 * k.speed, -0.1 * k.speed, 0.3 * k.speed;
  if (k.points > 0 && k.lift == 0.0) start.step(2);
  sim.state() = start.state();
  return sim;
}

TEST(StepDerivatives, QuadrupedInEveryMode) {
  const Case cases[] = {{"stance", 1.0, 1e-4, 2e-3, 0.0, 500, "stick/", 4},
                        {"slip", 0.2, 1e-4, 0.5, 0.0, 500, "slip/", 4},
                        {"flight", 1.0, -0.05, 0.5, 0.0, 2, "", 0},
                        {"leaving", 1.0, 1e-4, 0.3, 2.0, 500, "clipped/", 4},
                        {"landing", 0.6, 1e-4, 0.2, -1.0, 0, "new stick/", 4}};
  int seen[3] = {};  // averages inside the cone, on it, without force
  for (const Case& k : cases)
    for (const char* approximant : kApproximants) {
      SCOPED_TRACE(std::string(k.name) + " " + approximant);
      Simulator sim = quadruped(k, approximant);
      const Vec tau = Vec::LinSpaced(12, -0.03, 0.04);
      const StepDerivatives d = derivatives(sim, tau);
      ASSERT_EQ(d.mode.size(), k.points);
      for (const PointMode& m : d.mode) {
        EXPECT_EQ(describe(m).find(k.mode), 0u) << describe(m);
        ++seen[static_cast<int>(m.average)];
      }
      EXPECT_TRUE(d.exact);
      EXPECT_LE(compare(sim, tau, d, 1e-6, false).state, 1e-6);
    }
  for (const int count : seen) EXPECT_GT(count, 0);
}

// As in specification test 13: a mass of 1 kg pushed over the floor by a wrench. Another rests beside it: two islands.
TEST(StepDerivatives, SlidingMass) {
  for (const double push : {1.0, 3.5}) {
    SCOPED_TRACE(push);
    Settings settings = soft("exponential", 2.5e-3);
    settings.law_options = {{"stiffness", 1e5}, {"damping", 200.0}};
    Simulator sim(test::point_masses(2, 0.3, -1e-4), settings);
    const auto wrench = [&](Simulator& s) { s.apply_wrench(0, Vec3(push, 0.4, -0.19), Vec3(0.01, 0.02, 0.03)); };
    for (int i = 0; i < 40; ++i) wrench(sim), sim.step();
    wrench(sim);
    const StepDerivatives d = derivatives(sim, Vec());
    ASSERT_EQ(d.mode.size(), 2u);
    EXPECT_EQ(d.mode[1].average, ConeMode::stick);
    EXPECT_EQ(d.mode[0].average, push < 3.0 ? ConeMode::stick : ConeMode::slip);
    Simulator start = sim.clone();  // without the pending wrench
    EXPECT_LE(compare(start, Vec(), d, 1e-6, false, wrench).state, 1e-6);
  }
}

// Contact points that move over their body: a ball that rolls and slips, a box that tilts and slides on its corners.
TEST(StepDerivatives, RollingBallAndTiltingBox) {
  for (const bool ball : {true, false})
    for (const double mu : {0.8, 0.05}) {
      SCOPED_TRACE(std::string(ball ? "ball" : "box") + (mu > 0.5 ? " rough" : " smooth"));
      WorldBuilder builder;
      MaterialValues values;
      values.mu = mu;
      builder.add_ground(values);
      BodyOptions options;
      options.values = values;
      options.position = {0.0, 0.0, 0.1 - 1e-4};
      builder.add_body(ball ? make_sphere(0.1) : make_box({0.3, 0.2, 0.2}), 1.0, options);
      Simulator sim(builder.compile(), soft("exponential", 1e-3));
      sim.step(50);
      sim.state().v << 0.3, 0.1, 0.0, (ball ? 1.0 : 0.01), (ball ? 2.0 : 0.02), 0.5;
      sim.step(3);
      const StepDerivatives d = derivatives(sim, Vec());
      ASSERT_GE(d.mode.size(), ball ? 1u : 2u);
      EXPECT_TRUE(d.exact);
      EXPECT_LE(compare(sim, Vec(), d, 1e-6, false).state, 1e-6);
    }
}

// PD with a motor at its limit, joint damping, a joint beyond its stop, wrenches at the centre and at a place in the world.
TEST(StepDerivatives, MotorsLimitsAndWrenches) {
  Simulator sim(point_quadruped(0.8), soft("exponential", 2e-3, {{"switch_refinement", false}}));
  sim.state().q[2] -= 1e-4;
  sim.set_pd(8.0, 0.2);
  sim.step(300);
  sim.set_pd(Vec::Constant(12, 30.0), Vec::Constant(12, 0.3));
  sim.state().q[7 + 2] = 3.2001;  // beyond the stop of the knee at 3.2, a foot in the air
  sim.state().v.tail<12>() = Vec::LinSpaced(12, -0.5, 0.4);
  sim.state().v.head<6>() << 0.1, 0.02, 0.03, 0.3, -0.2, 0.4;
  const Vec tau = Vec::LinSpaced(12, -3.0, 2.0);
  const auto wrenches = [](Simulator& s) {
    s.apply_wrench(3, Vec3(1.0, -2.0, 0.5), Vec3(0.1, 0.2, -0.3));
    s.apply_wrench(8, Vec3(0.5, 1.0, -0.7), Vec3(0.05, -0.1, 0.2), Vec3(0.3, 0.1, 0.2));
  };
  Simulator start = sim.clone();
  wrenches(sim);
  const StepDerivatives d = derivatives(sim, tau);
  EXPECT_EQ(d.mode.back().kind, SoftKind::limit);
  EXPECT_EQ(d.du().col(2).norm(), 0.0);  // the knee's motor gives all it has
  EXPECT_LE(compare(start, tau, d, 1e-6, false, wrenches).state, 1e-6);
}

TEST(StepDerivatives, NothingIsAllocatedAndNothingChanges) {
  Simulator sim(point_quadruped(0.3), soft("exponential", 2e-3));
  sim.state().v[0] = 0.3;
  sim.step(50);
  StepDerivatives out;
  const Vec tau = Vec::Constant(12, 0.1);
  sim.step_derivatives(tau, out);
  const std::uint64_t before = sim.hash();
  const auto anchors = sim.anchors();
  const test::HeapCount heap;
  sim.step_derivatives(tau, out);
  EXPECT_EQ(test::kCountsAllocations ? heap.count() : 0, 0);
  EXPECT_EQ(sim.hash(), before);
  ASSERT_EQ(sim.anchors().size(), anchors.size());
  for (std::size_t i = 0; i < anchors.size(); ++i) EXPECT_EQ(sim.anchors()[i].point, anchors[i].point);
}

TEST(StepDerivatives, WhatHasNoneIsRefused) {
  StepDerivatives out;
  for (const auto& [stepper, options] :
       std::vector<std::pair<std::string, OptionMap>>{{"euler", {}},
                                                      {"exponential_midpoint", {}},
                                                      {"exponential", {{"approximant", std::string("exact")}}},
                                                      {"exponential", {{"approximant", std::string("auto")}}},
                                                      {"exponential", {{"diagonal", true}}},
                                                      {"exponential", {{"substeps", 2}}},
                                                      {"exponential", {{"slip_continues", true}}}}) {
    SCOPED_TRACE(stepper);
    Simulator sim(planar_arm(), soft(stepper, 1e-3, options));
    EXPECT_THROW(sim.step_derivatives(kArmTorque, out), InvalidInput);
  }
  Simulator sim(planar_arm(), soft("exponential", 1e-3));
  EXPECT_THROW(sim.step_derivatives(Vec::Zero(2), out), InvalidInput);
  EXPECT_THROW(sim.step_derivatives(Vec::Constant(3, NAN), out), InvalidInput);
}

}  // namespace
}  // namespace stiction
