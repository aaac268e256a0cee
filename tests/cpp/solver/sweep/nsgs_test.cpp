// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>
#include <stiction/solver/linalg/anderson.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "solver/newton_problems.h"
#include "solver/solver_support.h"

namespace stiction {
namespace {

using test::run;

// Oracle: table of the sliding cube, ΣN = 9.81 N and ΣT = (0.975000, −8.774999) N.
TEST(Nsgs, SlidingCube) {
  const ContactProblem p = reference::rp1();
  const auto [lambda, report] = run("nsgs", p);
  EXPECT_EQ(report.status, Status::converged);
  const Vec3 f = test::total_force(p, lambda, 0, 4);
  EXPECT_NEAR(f.z(), 9.81, 1e-6);
  EXPECT_NEAR(f.x(), 0.975000, 1e-5);
  EXPECT_NEAR(f.y(), -8.774999, 1e-5);
  EXPECT_LE(evaluate(p, lambda).mdp_angle, 1e-6);
}

// A mass ratio of 1e6 needs about as many sweeps: the honest answer is that it was not solved.
TEST(Nsgs, HeavyOnLightIsNotClaimed) {
  const auto [lambda, report] = run("nsgs", reference::rp2(), {{"anderson", 0}});
  EXPECT_NE(report.status, Status::converged);
  EXPECT_FALSE(report.own.accepted());
  EXPECT_EQ(report.own.ratio, evaluate(reference::rp2(), lambda).ratio);
}

// Oracle: the weight of ten cubes on the floor; the acceleration must save most of the sweeps.
TEST(Nsgs, AndersonSavesSweepsOnAStack) {
  const ContactProblem p = test::box_pile(test::cube_stack(10, 1e-3), 0.6, 1e-3);
  const auto plain = run("nsgs", p, {{"anderson", 0}, {"max_iterations", 100000}, {"stall_window", 0}});
  const auto fast = run("nsgs", p, {{"max_iterations", 100000}});
  ASSERT_EQ(plain.report.status, Status::converged);
  ASSERT_EQ(fast.report.status, Status::converged);
  EXPECT_LT(5 * fast.report.iterations, plain.report.iterations);
  EXPECT_NEAR(test::total_force(p, fast.lambda, 0, 4).z(), 98.1, 1e-3);
}

// A problem that no sweep can solve ends as `stalled` long before the budget, and the best iterate is handed back.
// Oracle: G = 0 in the normal row of one contact, so that no impulse changes its closing velocity.
TEST(Nsgs, ImpossibleProblemStalls) {
  Mat G = Mat::Identity(6, 6);
  G.row(5).setZero(), G.col(5).setZero();
  Vec g = Vec::Constant(6, -0.1);
  const ContactProblem p = ContactProblem::from_dense(G, g, Vec::Constant(2, 0.5), {}, 1e-3);
  const auto [lambda, report] = run("nsgs", p, {{"max_iterations", 100000}});
  EXPECT_EQ(report.status, Status::stalled);
  EXPECT_LT(report.iterations, 1000);
  EXPECT_TRUE(lambda.allFinite());
  EXPECT_NEAR(report.own.signorini_velocity, 0.1, 1e-12);
}

// Sweeps one by one, each from the result of the one before; returns the iterates.
std::vector<Vec> sweeps_by_hand(const ContactProblem& p, int count) {
  std::vector<Vec> path = {Vec::Zero(p.rows())};
  const auto one = make_solver("nsgs", {{"anderson", 0}, {"max_iterations", 1}, {"tolerance", 1e-15}});
  for (int k = 0; k < count; ++k) {
    path.push_back(path.back());
    one->solve(p, path.back());
  }
  return path;
}

// A quadruped on feet and belly with μ = 3, where the local solves wedge: some problems are limit cycles of the sweep.
// Oracle: sweeps by hand, 200 more. After the period that is reported the iterate is back, to a small part of a step.
TEST(Nsgs, ReportsThePeriodOfACycle) {
  int cycles = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const ContactProblem p = test::belly_quadruped(seed, 3.0, 1e-3);
    const auto [lambda, report] = run("nsgs", p, {{"anderson", 0}, {"stall_window", 0}, {"max_iterations", 2000}});
    EXPECT_TRUE(report.cycle == 0 || report.status == Status::stalled) << seed << " " << name(report.status);
    if (report.cycle == 0) continue;
    ++cycles;
    EXPECT_GE(report.cycle, 2);
    const std::vector<Vec> path = sweeps_by_hand(p, report.iterations + 200);
    const auto back = [&](int period) { return (path.back() - path[path.size() - 1 - test::at(period)]).norm(); };
    EXPECT_LE(back(report.cycle), 0.05 * back(1)) << seed << " period " << report.cycle;
    EXPECT_GT(back(1), 1e-6 * path.back().norm()) << seed << " is not a cycle, it converges";
  }
  EXPECT_GE(cycles, 5);
}

// The acceleration, or the detector of stalls alone, reports no period.
TEST(Nsgs, AStallHasNoPeriod) {
  const auto [lambda, report] = run("nsgs", reference::rp2(), {{"anderson", 0}, {"max_iterations", 100000}});
  EXPECT_EQ(report.status, Status::stalled);
  EXPECT_EQ(report.cycle, 0);
}

TEST(Nsgs, TimeLimitEndsTheSolve) {
  const ContactProblem p = reference::rp2();
  const OptionMap endless = {{"tolerance", 1e-15}, {"force_tolerance", 1e-12},    {"velocity_tolerance", 1e-15},
                             {"stall_window", 0},  {"max_iterations", 100000000}, {"time_limit", 0.01}};
  const auto [lambda, report] = run("nsgs", p, endless);
  EXPECT_EQ(report.status, Status::max_iterations);
  EXPECT_LT(report.iterations, 100000000);
  EXPECT_TRUE(lambda.allFinite());
}

// Oracle: the result does not depend on the relaxation (full-rank G: the velocity is unique).
TEST(Nsgs, RelaxationChangesThePathNotTheResult) {
  const ContactProblem p = test::random_contacts(7, 6, 0.5);
  const Vec u = test::velocity(p, run("nsgs", p, {{"tolerance", 1e-12}}).lambda);
  for (const double omega : {0.5, 0.8, 1.2}) {
    const auto [lambda, report] = run("nsgs", p, {{"over_relaxation", omega}, {"tolerance", 1e-12}});
    EXPECT_EQ(report.status, Status::converged) << omega;
    EXPECT_LE((test::velocity(p, lambda) - u).norm(), 1e-9) << omega;
  }
}

// Oracle: for an affine map r ← Ar + b in three unknowns a window of three gives the fixed point in a few steps.
TEST(Anderson, SolvesAnAffineMapAtOnce) {
  const Mat3 A = (Mat3() << 0.9, 0.2, 0.0, 0.0, 0.95, 0.1, 0.0, 0.0, 0.99).finished();
  const Vec3 b(1.0, 2.0, 3.0), exact = (Mat3::Identity() - A).inverse() * b;
  Anderson anderson;
  anderson.begin(3, 3);
  Vec3 r = Vec3::Zero();
  for (int k = 0; k < 8; ++k) {
    Vec3 next = A * r + b;
    anderson.advance(r.data(), next.data());
    r = next;
  }
  EXPECT_LE((r - exact).norm(), 1e-8 * exact.norm());
}

// A residual that jumps sends the iterate back to the last accepted image and forgets the history.
TEST(Anderson, RestartsWhenTheResidualGrows) {
  Anderson anderson;
  anderson.begin(2, 3);
  const double first[2] = {0.0, 0.0}, second[2] = {1.0, 1.0};
  double good[2] = {1.0, 1.0}, bad[2] = {101.0, 1.0};
  EXPECT_FALSE(anderson.advance(first, good));
  EXPECT_FALSE(anderson.advance(second, bad));
  EXPECT_EQ(anderson.restarts(), 1);
  EXPECT_EQ(bad[0], 1.0);
  EXPECT_EQ(bad[1], 1.0);
}

}  // namespace
}  // namespace stiction
