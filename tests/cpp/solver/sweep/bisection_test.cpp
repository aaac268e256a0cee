// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the sliding cube's and the stack's published numbers for RaiSim; Coulomb's own numbers for `corrected`.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include <cmath>
#include <numbers>

#include "solver/newton_problems.h"
#include "solver/solver_support.h"

namespace stiction {
namespace {

using test::run;

const FrictionLaw kRaisim{FrictionLaw::raisim};

double coulomb_angle(const ContactProblem& p, const Vec& lambda) {
  JudgeWork work;
  return evaluate(p, lambda, {FrictionLaw::coulomb}, false, {}, work).mdp_angle;
}

// contact-models 14, test 10.
TEST(Bisection, SlidingCubeRaisim) {
  const ContactProblem p = reference::rp1(kRaisim);
  const auto [lambda, report] = run("bisection", p);
  EXPECT_EQ(report.status, Status::converged);
  const Vec3 f = test::total_force(p, lambda, 0, 4);
  EXPECT_NEAR(f.x(), 0.91358, 1e-5);
  EXPECT_NEAR(f.y(), -8.21663, 1e-5);
  EXPECT_NEAR(f.z(), 9.81, 1e-5);
  EXPECT_NEAR(lambda.norm() / *p.dt, 8.77684, 1e-4);
  EXPECT_LE(evaluate(p, lambda).mdp_angle, 1e-6);  // against relation (24)
  EXPECT_NEAR(coulomb_angle(p, lambda) * 180.0 / std::numbers::pi, 20.55, 0.05);
  EXPECT_FALSE(report.ncp.accepted()) << "a sliding contact of this law is no solution of Coulomb's";
}

// The published walk has a finite precision; tightened, it is accepted.
TEST(Bisection, FaithfulNeedsAPreciseContactSolve) {
  const ContactProblem p = reference::rp1(kRaisim);
  const auto coarse = run("bisection", p, {{"variant", std::string("faithful")}});
  const auto fine = run("bisection", p, {{"variant", std::string("faithful")}, {"local_tolerance", 1e-10}});
  EXPECT_EQ(fine.report.status, Status::converged);
  const Vec3 f = test::total_force(p, coarse.lambda, 0, 4), exact = test::total_force(p, fine.lambda, 0, 4);
  EXPECT_LE((f - exact).norm(), 1e-4);
  EXPECT_NEAR(exact.x(), 0.91358, 1e-5);
}

TEST(Bisection, CorrectedSolvesCoulomb) {
  const ContactProblem p = reference::rp1();
  const auto [lambda, report] = run("bisection", p, {{"tolerance", 1e-10}});
  EXPECT_EQ(report.status, Status::converged);
  const Vec3 f = test::total_force(p, lambda, 0, 4);
  EXPECT_NEAR(f.x(), 0.975000, 1e-5);
  EXPECT_NEAR(f.y(), -8.774999, 1e-5);
  EXPECT_LE(coulomb_angle(p, lambda), 1e-6);
}

// contact-models 14, test 12, column RaiSim: 1e4 sweeps, absolute tolerances in newtons, the last iterate.
TEST(Bisection, HeavyOnLightTable) {
  const OptionMap paper = {{"tolerance", 1e-14}, {"max_iterations", 10000}, {"test_interval", 1}};
  const auto easy = run("bisection", reference::heavy_on_light(1.0, kRaisim), paper);
  EXPECT_EQ(easy.report.status, Status::converged);
  EXPECT_GE(easy.report.iterations, 375);
  EXPECT_LE(easy.report.iterations, 843);
  struct Row {
    double ratio, force;
  };
  // The judge is asked only at the end, so that the last iterate comes back and not the best one.
  const OptionMap last = {
      {"tolerance", 1e-14}, {"force_tolerance", 0.0}, {"max_iterations", 10000}, {"test_interval", 100000}};
  for (const Row& row : {Row{1e2, 99.08}, Row{1e4, 102.0}, Row{1e6, 10.8}}) {
    const ContactProblem p = reference::heavy_on_light(row.ratio, kRaisim);
    const auto [lambda, report] = run("bisection", p, last);
    EXPECT_EQ(report.status, Status::max_iterations) << row.ratio;
    EXPECT_NEAR(test::total_force(p, lambda, 0, 4).z(), row.force, 0.05 * row.force) << row.ratio;
    if (row.ratio == 1e2) {
      EXPECT_NEAR(report.own.complementarity / *p.dt, 1.4, 0.1);  // N m/s²
    }
  }
}

TEST(Bisection, VariantsKeepToTheirLaw) {
  for (const char* v : {"exact", "faithful"})
    EXPECT_EQ(run("bisection", reference::rp1(), {{"variant", std::string(v)}}).report.status, Status::invalid_problem);
  EXPECT_EQ(run("bisection", reference::rp1(kRaisim), {{"variant", std::string("corrected")}}).report.status,
            Status::invalid_problem);
  EXPECT_EQ(run("bisection", reference::rp1({FrictionLaw::convex})).report.status, Status::invalid_problem);
}

TEST(Bisection, RefusesOptionsWithoutMeaning) {
  const auto refused = [](const OptionMap& o) { EXPECT_THROW(make_solver("bisection", o), InvalidInput); };
  refused({{"growth", 1.5}});
  refused({{"variant", std::string("walk")}});
  refused({{"eliminate_bilateral", false}});
  refused({{"alpha_min", 0.0}});
  refused({{"gamma", 1.5}});
  refused({{"variant", std::string("faithful")}, {"backtrack", 1.0}});
  EXPECT_NO_THROW(make_solver("bisection", {{"variant", std::string("faithful")}, {"growth", 1.5}}));
}

// Bilateral rows are eliminated, and what comes back obeys the law of the whole problem: its own diagonal block names the
// direction of slip, not that of the Schur complement.
TEST(Bisection, BilateralRowsKeepTheLawsDirection) {
  int solved = 0, sliding = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    ContactProblem p = test::random_mix(seed, 2, 3, true, 1e-3);
    p.law = kRaisim;
    const auto [lambda, report] = run("bisection", p, {{"max_iterations", 5000}});
    EXPECT_EQ(report.status == Status::converged, evaluate(p, lambda).accepted()) << seed;
    solved += report.status == Status::converged;
    sliding += coulomb_angle(p, lambda) > 1e-3;
  }
  EXPECT_GE(solved, 57);
  EXPECT_GE(sliding, 10);
}

// A smaller last share of the new impulse costs sweeps and gives the same forces.
TEST(Bisection, DampingCostsSweeps) {
  const ContactProblem p = reference::heavy_on_light(1.0, kRaisim);
  const auto heavy = run("bisection", p, {{"alpha_min", 0.05}, {"max_iterations", 10000}});
  const auto light = run("bisection", p, {{"alpha_min", 0.7}, {"max_iterations", 10000}});
  const auto none = run("bisection", p, {{"gamma", 1.0}, {"max_iterations", 10000}});
  EXPECT_EQ(heavy.report.status, Status::converged);
  EXPECT_EQ(light.report.status, Status::converged);
  EXPECT_EQ(none.report.status, Status::converged);
  EXPECT_GT(heavy.report.iterations, light.report.iterations);
  EXPECT_GT(light.report.iterations, none.report.iterations);
  EXPECT_NEAR(test::total_force(p, heavy.lambda, 0, 4).z(), 19.62, 1e-4);
}

// The judge of the law on a contact that nothing can move: a number, not NaN.
TEST(Bisection, MasslessContact) {
  const ContactProblem p =
      ContactProblem::from_dense(Mat3::Zero(), Vec3(0.1, 0.0, 0.5), Vec::Constant(1, 0.5), kRaisim, 1e-3);
  const auto [lambda, report] = run("bisection", p);
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_EQ(lambda.norm(), 0.0);
}

// A slip that points aside by a small angle is an error of that share of the friction force, however fast it is: the judge
// measures it as it does Coulomb's.
TEST(Bisection, JudgeMeasuresTheDirectionOfSlipAsAForce) {
  const double mu = 0.5, angle = 1e-4;
  const Vec3 lambda(-mu, 0.0, 1.0);
  for (const double speed : {1.0, 100.0}) {
    const Vec3 u(speed * std::cos(angle), speed * std::sin(angle), 0.0);
    const ContactProblem p =
        ContactProblem::from_dense(Mat3::Identity(), u - lambda, Vec::Constant(1, mu), kRaisim, 1.0);
    const double error = evaluate(p, lambda).natural;
    EXPECT_LE(error, 1.01 * mu * angle) << speed;
    EXPECT_GE(error, 0.5 * mu * angle) << speed;
    const ContactProblem against =
        ContactProblem::from_dense(Mat3::Identity(), -1e-3 * u - lambda, Vec::Constant(1, mu), kRaisim, 1.0);
    EXPECT_GE(evaluate(against, lambda).natural, 0.9e-3 * speed) << speed;
  }
}

}  // namespace
}  // namespace stiction
