// SPDX-License-Identifier: BSD-2-Clause
// Accelerated projected gradient: what is its own beside the properties of every solver.
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/problem/judge.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/splitting/apgd.h>

#include <memory>

#include "solver/solver_support.h"

namespace stiction {
namespace {

using test::run;

double objective(const ContactProblem& p, const Vec& x) { return 0.5 * x.dot(p.G.densify() * x) + x.dot(p.g.vec()); }

// Oracle: ADMM, which shares nothing with this method; the minimum of the convex program is one number however many λ
// reach it, rank deficient problems included (ncp-solvers, test 12).
TEST(Apgd, ConvexObjectiveIsThatOfAdmm) {
  int compared = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    ContactProblem p = seed % 2 ? reference::random_six(seed, 100.0, 0.6, {FrictionLaw::convex})
                                : test::random_contacts(seed, 5, 0.6, {FrictionLaw::convex});
    const OptionMap tight = {{"tolerance", 1e-11}, {"max_iterations", 50000}};
    const auto a = run("apgd", p, tight), b = run("admm", p, tight);
    if (a.report.status != Status::converged || b.report.status != Status::converged) continue;
    ++compared;
    const double f = objective(p, b.lambda);
    EXPECT_NEAR(objective(p, a.lambda), f, 1e-9 * std::abs(f)) << seed;
  }
  EXPECT_GE(compared, 36);
}

struct CountedProduct : DelassusProduct {
  Mat G;
  mutable int calls = 0;
  void multiply(const double* x, double* y) const override {
    ++calls;
    Eigen::Map<Vec>(y, G.rows()).noalias() = G * Eigen::Map<const Vec>(x, G.rows());
  }
};

// The same problem with a product that counts.
ContactProblem counted(const ContactProblem& dense, std::shared_ptr<CountedProduct>& product) {
  ContactProblem p = dense;
  product = std::make_shared<CountedProduct>();
  product->G = dense.G.densify();
  p.G = {};
  p.G.storage = Delassus::Storage::matrix_free;
  p.G.product = product;
  p.G.start = dense.G.start;
  p.G.refresh_diagonal();
  product->calls = 0;
  return p;
}

// Oracle: counting. 60 products for L, one for the guess, one per iteration and one per call of the judge, which is
// asked at iterations 1 to 50, 60, 80, …; this G needs no second try of a step.
TEST(Apgd, OneProductPerIteration) {
  std::shared_ptr<CountedProduct> product;
  const ContactProblem p = counted(test::random_contacts(4, 6, 0.5), product);
  const auto [lambda, report] =
      run("apgd", p, {{"tolerance", 1e-14}, {"max_iterations", 80}, {"force_tolerance", 0.0}});
  ASSERT_EQ(report.iterations, 80);
  EXPECT_EQ(product->calls, 60 + 1 + 80 + 52);
}

// The power iteration starts from a fixed vector. Oracle: G = I + 0.8 ddᵀ with d orthogonal to it: 60 iterations do not
// lift d out of the round-off, L comes out 1.8 times too small, and steps have to be done again.
TEST(Apgd, UnderestimatedStepIsMended) {
  Vec start(6), d = Vec::Zero(6);
  for (int i = 0; i < 6; ++i) start[i] = 1.0 + 0.5 * std::sin(1.0 + i);
  for (const int row : {0, 3}) {  // equal norms in both contacts, so that the scaling of the contacts is one number
    d[row] = start[row + 2], d[row + 2] = -start[row];
    d.segment<3>(row) /= std::sqrt(2.0) * d.segment<3>(row).norm();
  }
  const Mat G = Mat::Identity(6, 6) + 0.8 * d * d.transpose();
  const Vec g = -Vec::Constant(6, 0.1) + d;
  for (const FrictionLaw::Kind law : {FrictionLaw::coulomb, FrictionLaw::convex}) {
    std::shared_ptr<CountedProduct> product;
    const ContactProblem p = counted(ContactProblem::from_dense(G, g, Vec::Constant(2, 0.5), {law}, 1e-3), product);
    const auto [lambda, report] = run("apgd", p);
    EXPECT_EQ(report.status, Status::converged) << name(law);
    ASSERT_LE(report.iterations, 50);
    EXPECT_GT(product->calls, 60 + 1 + 2 * report.iterations + (law == FrictionLaw::convex)) << name(law);  // ncp
  }
}

// Oracle: the count without restart, whose momentum overshoots.
TEST(Apgd, RestartSavesIterations) {
  const ContactProblem p = reference::heavy_on_light(100.0, {FrictionLaw::convex});
  const auto with = run("apgd", p), without = run("apgd", p, {{"restart", false}});
  EXPECT_EQ(with.report.status, Status::converged);
  EXPECT_LT(2 * with.report.iterations, without.report.iterations);
}

// Oracle: the same velocity as with the shift from the start. Starting on the convex problem changes the way, not the end.
TEST(Apgd, ConvexFirstEndsAtCoulomb) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ContactProblem p = test::random_contacts(seed, 4, 0.4);
    const OptionMap tight = {{"tolerance", 1e-11}};
    OptionMap first = tight;
    first["convex_iterations"] = 30;
    const auto a = run("apgd", p, tight), b = run("apgd", p, first);
    EXPECT_EQ(b.report.status, Status::converged) << seed;
    EXPECT_LE((test::velocity(p, a.lambda) - test::velocity(p, b.lambda)).norm(), 1e-7) << seed;
  }
}

// Rows that nothing moves: with u = 0 there λ stays finite, and the rest is solved.
TEST(Apgd, RowsOfZeros) {
  Mat G = Mat::Identity(6, 6);
  G.bottomRightCorner(3, 3).setZero();
  Vec g(6);
  g << 0.1, 0.0, -1.0, 0.0, 0.0, 0.5;
  const ContactProblem p = ContactProblem::from_dense(G, g, Vec::Constant(2, 0.5), {}, 1e-3);
  const auto [lambda, report] = run("apgd", p);
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_LE((lambda - (Vec(6) << -0.1, 0.0, 1.0, 0.0, 0.0, 0.0).finished()).norm(), 1e-7);
}

// The case of its page: a first-order method on a mass ratio of 1e6. Should this pass one day, the page is wrong.
TEST(Apgd, HeavyOnLightIsNotSolved) {
  const auto [lambda, report] = run("apgd", reference::heavy_on_light(1e6));
  EXPECT_NE(report.status, Status::converged);
  EXPECT_TRUE(lambda.allFinite());
}

}  // namespace
}  // namespace stiction
