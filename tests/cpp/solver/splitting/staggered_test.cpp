// SPDX-License-Identifier: BSD-2-Clause
// Staggered projections: the reference problems, mass ratios, both laws, and an honest failure.
#include <gtest/gtest.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/quadratic/set_qp.h>

#include "solver/newton_problems.h"
#include "solver/solver_support.h"

namespace stiction {
namespace {

using test::run;

// Oracle: the table of the sliding cube, and the norm of the solution without internal forces.
TEST(Staggered, SlidingCubeWithoutInternalForces) {
  const ContactProblem p = reference::rp1();
  const auto [lambda, report] = run("staggered", p);
  ASSERT_EQ(report.status, Status::converged);
  const Vec3 total = test::total_force(p, lambda, 0, 4);
  EXPECT_NEAR(total.z(), 9.81, 1e-6);
  EXPECT_NEAR(total.x(), 0.975, 1e-5);
  EXPECT_NEAR(total.y(), -8.774999, 1e-5);
  EXPECT_NEAR(lambda.norm() / *p.dt, 9.038697, 1e-5);
  EXPECT_LE(evaluate(p, lambda).mdp_angle, 1e-6);
  EXPECT_LE(report.iterations, 5);
}

TEST(Staggered, SlidingCubeOnThePyramid) {
  const ContactProblem p = reference::rp1({FrictionLaw::pyramid});
  const auto [lambda, report] = run("staggered", p);
  ASSERT_EQ(report.status, Status::converged);
  EXPECT_LE((test::total_force(p, lambda, 0, 4) - Vec3(9.298173, -9.298173, 10.331303)).norm(), 1e-4);
}

// Oracle: −G⁺g in closed form.
TEST(Staggered, PulledCubeColdIsMinimumNorm) {
  const Vec exact = reference::rp3_minimum_norm();
  const auto [lambda, report] = run("staggered", reference::rp3(),
                                    {{"tolerance", 1e-12}, {"force_tolerance", 1e-10}, {"velocity_tolerance", 1e-14}});
  ASSERT_EQ(report.status, Status::converged);
  EXPECT_LE((lambda - exact).norm(), 1e-8 * exact.norm());
}

// Oracle: the weight of both cubes on the floor; one pass, whatever the ratio of the masses.
TEST(Staggered, HeavyOnLight) {
  const ContactProblem p = reference::rp2();
  const auto [lambda, report] = run("staggered", p);
  ASSERT_EQ(report.status, Status::converged);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_NEAR(test::total_force(p, lambda, 0, 4).z(), 9810.00981, 1e-3);
  EXPECT_LE(report.own.dual / *p.dt, 2e-5);  // paper scale
}

// Oracle: the pyramid is turned, not the contact frame: turning axes and frames together leaves the motion alone.
TEST(Staggered, PyramidAxesTurn) {
  FrictionLaw law{FrictionLaw::pyramid};
  law.angle = 0.4;
  const ContactProblem p = test::random_contacts(3, 4, 0.5, law);
  Mat turn = Mat::Identity(12, 12);
  for (int i = 0; i < 4; ++i)
    turn.block<2, 2>(3 * i, 3 * i) << std::cos(0.4), std::sin(0.4), -std::sin(0.4), std::cos(0.4);
  const ContactProblem q = ContactProblem::from_dense(turn * p.G.densify() * turn.transpose(), turn * p.g.vec(),
                                                      Vec::Constant(4, 0.5), {FrictionLaw::pyramid}, p.dt);
  const OptionMap tight = {{"tolerance", 1e-11}};
  const auto a = run("staggered", p, tight), b = run("staggered", q, tight);
  ASSERT_EQ(a.report.status, Status::converged);
  ASSERT_EQ(b.report.status, Status::converged);
  EXPECT_LE((test::velocity(p, a.lambda) - turn.transpose() * test::velocity(q, b.lambda)).norm(), 1e-8);
}

// The case of docs/solvers/staggered.md: a redundant mix on which the passes do not contract; other methods solve it.
TEST(Staggered, StallsHonestly) {
  const ContactProblem p = test::random_mix(30, 3, 11, false, 1e-3);
  const auto [lambda, report] = run("staggered", p);
  EXPECT_EQ(report.status, Status::stalled);
  EXPECT_GT(evaluate(p, lambda).ratio, 1.0);
  EXPECT_EQ(run("auto", p).report.status, Status::converged);
}

// Oracle: min ½x² − 2x on [0, 1] is 1; a disc of radius 1 around a pull of (3, 4) is (0.6, 0.8).
TEST(SetQp, ClosedForms) {
  SetQp qp;
  qp.resize(3);
  const double A[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-2, -3, -4};
  std::copy_n(A, 9, qp.matrix());
  qp.sets() = {{SimpleSet::interval, 0, 0.0, 1.0, 0.0, 0.0}, {SimpleSet::disc, 1, 0.0, 0.0, 1.0, 0.0}};
  ASSERT_TRUE(qp.prepare(1e-6, true));
  const double zero[3] = {0, 0, 0};
  qp.start(zero, b);
  EXPECT_EQ(qp.solve(b, {1e-13, 1e-13, 5000}), SetQp::Outcome::settled);
  EXPECT_NEAR(qp.z()[0], 1.0, 1e-12);
  EXPECT_NEAR(qp.z()[1], 0.6, 1e-12);
  EXPECT_NEAR(qp.z()[2], 0.8, 1e-12);
}

}  // namespace
}  // namespace stiction
