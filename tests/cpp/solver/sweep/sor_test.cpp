// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the sliding cube's table; projected Gauss-Seidel, which is this method with α = 1 and the velocity split on
// isotropic contacts; the same problem in another storage; the fixed point, which does not depend on α.
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/core/solver.h>

#include <cmath>

#include "solver/newton_problems.h"
#include "solver/solver_support.h"

namespace stiction {
namespace {

using test::run;

TEST(Sor, SlidingCube) {
  struct Row {
    FrictionLaw law;
    Vec3 force;
  };
  for (const Row& row : {Row{{FrictionLaw::coulomb}, {0.975000, -8.774999, 9.81}},
                         Row{{FrictionLaw::convex}, {65.23662, -587.12959, 656.3808}},
                         Row{{FrictionLaw::pyramid}, {9.298173, -9.298173, 10.331303}}})
    for (const bool split : {false, true}) {
      const ContactProblem p = reference::rp1(row.law);
      const auto [lambda, report] =
          run("sor", p, {{"tolerance", 1e-11}, {"max_iterations", 20000}, {"split_velocity", split}});
      EXPECT_EQ(report.status, Status::converged) << name(row.law.kind) << split;
      const double tolerance = row.law.kind == FrictionLaw::convex ? 1e-3 : 1e-5;
      EXPECT_LE((test::total_force(p, lambda, 0, 4) - row.force).norm(), tolerance) << name(row.law.kind) << split;
    }
}

// Equal tangential entries: 1/max and 1/min are the same step, and so are the iterates.
TEST(Sor, WithSplitVelocityIsGaussSeidel) {
  Random random(4);
  Mat G = Mat::Zero(12, 12);
  const Mat J = Mat::NullaryExpr(12, 12, [&] { return random.uniform(-0.3, 0.3); });
  G = J * J.transpose();
  for (int i = 0; i < 12; ++i) G(i, i) = 1.5;
  const Vec g = random.uniform_vector(12, -1.0, 0.5);
  const ContactProblem p = ContactProblem::from_dense(G, g, Vec::Constant(4, 0.5), {}, 1e-3);
  for (const int n : {1, 3, 10}) {
    const auto a = run("sor", p, {{"split_velocity", true}, {"max_iterations", n}, {"test_interval", 1000}});
    const auto b = run("pgs", p, {{"max_iterations", n}, {"test_interval", 1000}});
    EXPECT_LE((a.lambda - b.lambda).norm(), 1e-14) << n;
    EXPECT_GT(b.lambda.norm(), 0.1);
  }
}

// G stored or not: the same impulses to round-off, in both methods and with all kinds of blocks.
TEST(Sor, StoredAndMatrixFreeAgree) {
  for (const char* solver : {"sor", "jor"})
    for (unsigned seed = 0; seed < 20; ++seed) {
      const ContactProblem p = test::random_mix(seed, 3, 4, true, 1e-3);
      ASSERT_EQ(p.G.storage, Delassus::Storage::body_space);
      const OptionMap fixed = {
          {"max_iterations", 50}, {"test_interval", 1000}, {"tolerance", 1e-14}, {"force_tolerance", 0.0}};
      OptionMap stored = fixed;
      stored["stored"] = true;
      const auto a = run(solver, p, fixed), b = run(solver, p, stored), c = run(solver, test::as_dense(p), fixed);
      EXPECT_LE((a.lambda - b.lambda).norm(), 1e-11 * (1.0 + a.lambda.norm())) << solver << seed;
      EXPECT_LE((c.lambda - b.lambda).norm(), 1e-11 * (1.0 + a.lambda.norm())) << solver << seed;
    }
}

// time-stepping 8, oracle 12: what is found does not depend on the step.
TEST(Sor, FixedPointDoesNotDependOnAlpha) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ContactProblem p = test::random_contacts(seed, 4, 0.4);
    const OptionMap base = {{"tolerance", 1e-12}, {"max_iterations", 50000}};
    OptionMap slow = base;
    slow["alpha"] = 0.3;
    const auto a = run("sor", p, base), b = run("sor", p, slow);
    ASSERT_EQ(a.report.status, Status::converged) << seed;
    ASSERT_EQ(b.report.status, Status::converged) << seed;
    EXPECT_LE((test::velocity(p, a.lambda) - test::velocity(p, b.lambda)).norm(), 1e-9) << seed;
    EXPECT_GT(b.report.iterations, a.report.iterations) << seed;
  }
}

// The published stop looks at changes only: it ends early, and says so.
TEST(Sor, PublishedStopIsNotTheJudge) {
  const ContactProblem p = reference::heavy_on_light(100.0);
  const OptionMap change = {{"stop", std::string("change")}, {"max_iterations", 10000}};
  const auto published = run("sor", p, change);
  EXPECT_EQ(published.report.status, Status::stalled);
  EXPECT_LT(published.report.iterations, 10000);
  EXPECT_GT(published.report.own.ratio, 1.0);
  OptionMap fine = change;
  fine["absolute_change"] = 0.0, fine["relative_change"] = 1e-12;
  const auto easy = run("sor", reference::rp1(), fine);
  EXPECT_EQ(easy.report.status, Status::converged);
  const auto energy = run("sor", p, {{"stop", std::string("energy")}, {"max_iterations", 10000}});
  EXPECT_NE(energy.report.iterations, published.report.iterations);
}

// Bilateral rows solved for or iterated: the same motion.
TEST(Sor, DirectBilateralAgrees) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ContactProblem p = test::random_mix(seed, 3, 2, true, 1e-3);
    const OptionMap tight = {{"tolerance", 1e-11}, {"max_iterations", 50000}};
    OptionMap direct = tight;
    direct["eliminate_bilateral"] = true;
    const auto a = run("sor", p, tight), b = run("sor", p, direct);
    EXPECT_EQ(a.report.status, Status::converged) << seed;
    EXPECT_EQ(b.report.status, Status::converged) << seed;
    EXPECT_EQ(b.report.factorisations, 1) << seed;
    EXPECT_LE((test::velocity(p, a.lambda) - test::velocity(p, b.lambda)).norm(), 1e-7) << seed;
  }
}

// Five nearly parallel rows in one bilateral block: taken at once they over-step (jor, α = 1), one after the other they do not.
TEST(Sor, TakesBilateralRowsOneByOne) {
  Random random(9);
  Mat J(5, 8);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 8; ++j) J(i, j) = (j == 0 ? 1.0 : 0.2) * (j == 0 ? 1.0 : random.uniform(-1.0, 1.0));
  ContactProblem p;
  p.blocks = {Block::bilateral(0, 5)};
  p.G = Delassus::from_dense(J * J.transpose() + 0.01 * Mat::Identity(5, 5), {0, 5});
  p.g = GrowingVec(Vec::LinSpaced(5, -0.5, 0.3));
  p.dt = 1e-3;
  EXPECT_NE(run("jor", p, {{"max_iterations", 20000}, {"alpha", 1.0}}).report.status, Status::converged);
  EXPECT_EQ(run("sor", p, {{"max_iterations", 20000}}).report.status, Status::converged);
  const auto block = run("sor", p, {{"max_iterations", 50}});
  p.blocks.clear();
  for (int i = 0; i < 5; ++i) p.blocks.push_back(Block::bilateral(i, 1));
  p.G = Delassus::from_dense(J * J.transpose() + 0.01 * Mat::Identity(5, 5), {0, 1, 2, 3, 4, 5});
  EXPECT_LE((run("sor", p, {{"max_iterations", 50}}).lambda - block.lambda).norm(), 1e-12 * block.lambda.norm());
}

}  // namespace
}  // namespace stiction
