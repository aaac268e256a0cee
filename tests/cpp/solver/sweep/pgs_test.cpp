// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/core/solver.h>

#include <numbers>

#include "solver/solver_support.h"

namespace stiction {
namespace {

using test::run;

// Residuals "in paper scale" are forces [N]: 1e-9 N is asked of every force and nothing relative.
const OptionMap kPaperScale = {{"tolerance", 1e-14}, {"force_tolerance", 1e-9}, {"test_interval", 1}};

// Oracle: the sliding cube's table; 50 sweeps are what the published method needs.
TEST(Pgs, SlidingCubeCoulomb) {
  for (const bool exact : {false, true}) {
    OptionMap options = kPaperScale;
    options["local_exact"] = exact;
    const ContactProblem p = reference::rp1();
    const auto [lambda, report] = run("pgs", p, options);
    EXPECT_EQ(report.status, Status::converged) << exact;
    EXPECT_LE(report.iterations, 50) << exact;
    const Vec3 f = test::total_force(p, lambda, 0, 4);
    EXPECT_NEAR(f.z(), 9.81, 1e-6);
    EXPECT_NEAR(f.x(), 0.975000, 1e-5);
    EXPECT_NEAR(f.y(), -8.774999, 1e-5);
    EXPECT_LE(evaluate(p, lambda).mdp_angle, 1e-6);
  }
}

TEST(Pgs, SlidingCubeConvex) {
  const ContactProblem p = reference::rp1({FrictionLaw::convex});
  const auto [lambda, report] = run("pgs", p, {{"max_iterations", 20000}});
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_NEAR(test::total_force(p, lambda, 0, 4).z(), 656.3808, 1e-3);
  EXPECT_FALSE(report.ncp.accepted()) << "the convex law lifts a sliding body: the exact-Coulomb residual must show it";
}

TEST(Pgs, SlidingCubePyramid) {
  const ContactProblem p = reference::rp1({FrictionLaw::pyramid});
  const auto [lambda, report] = run("pgs", p, {{"tolerance", 1e-11}, {"max_iterations", 20000}});
  EXPECT_EQ(report.status, Status::converged);
  const Vec3 f = test::total_force(p, lambda, 0, 4);
  EXPECT_NEAR(f.z(), 10.331303, 1e-5);
  EXPECT_NEAR(f.x(), 9.298173, 1e-5);
  EXPECT_NEAR(f.y(), -9.298173, 1e-5);
}

// Oracle: a box turned by 90 degrees is the same box.
TEST(Pgs, PyramidTurnedByNinetyDegrees) {
  const OptionMap tight = {{"tolerance", 1e-12}, {"max_iterations", 20000}};
  const ContactProblem straight = reference::rp1({FrictionLaw::pyramid, 4, 0.0});
  const ContactProblem turned = reference::rp1({FrictionLaw::pyramid, 4, std::numbers::pi / 2});
  const auto a = run("pgs", straight, tight), b = run("pgs", turned, tight);
  EXPECT_EQ(b.report.status, Status::converged);
  EXPECT_LE((test::velocity(straight, a.lambda) - test::velocity(turned, b.lambda)).norm(), 1e-9);
}

// More than four facets are lemke's; the refusal leaves λ alone.
TEST(Pgs, RefusesManyFacets) {
  const auto [lambda, report] = run("pgs", reference::rp1({FrictionLaw::pyramid, 8, 0.1}));
  EXPECT_EQ(report.status, Status::invalid_problem);
  EXPECT_EQ(lambda.norm(), 0.0);
}

// Oracle: 1/min(G_TT) is 100 times too long for this block and the sweep swings; 1/λmax converges.
TEST(Pgs, SafeStepSurvivesAnisotropy) {
  const Mat G = Vec3(100.0, 1.0, 1.0).asDiagonal();
  const ContactProblem p = ContactProblem::from_dense(G, Vec3(0.5, 0.1, -1.0), Vec::Constant(1, 0.8), {}, 1e-3);
  EXPECT_NE(run("pgs", p).report.status, Status::converged);
  const auto safe = run("pgs", p, {{"safe_step", true}, {"max_iterations", 5000}});
  EXPECT_EQ(safe.report.status, Status::converged);
  const auto exact = run("pgs", p, {{"local_exact", true}});
  EXPECT_EQ(exact.report.status, Status::converged);
  EXPECT_LE((safe.lambda - exact.lambda).norm(), 1e-6);
}

TEST(Pgs, LocalExactIsForCoulombOnly) {
  Vec lambda = Vec::Zero(12);
  for (const auto law : {FrictionLaw::convex, FrictionLaw::pyramid})
    EXPECT_EQ(run("pgs", reference::rp1({law}), {{"local_exact", true}}).report.status, Status::invalid_problem);
}

}  // namespace
}  // namespace stiction
