// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/problem/judge.h>
#include <stiction/problem/lcp_problem.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/pivot/box_pivoting.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "solver/random_problems.h"
#include "solver/solver_support.h"

namespace stiction {
namespace {

using test::run;

const FrictionLaw kPyramid = {FrictionLaw::pyramid};

// Oracle: the table of the sliding cube, with the passes as published and with the coupled end.
TEST(Dantzig, SlidingCube) {
  const ContactProblem p = reference::rp1(kPyramid);
  int passes[2];
  for (const bool coupled : {false, true}) {
    const auto [lambda, report] = run("dantzig", p, {{"coupled", coupled}, {"tolerance", 1e-10}});
    EXPECT_EQ(report.status, Status::converged);
    const Vec3 f = test::total_force(p, lambda, 0, 4);
    EXPECT_NEAR(f.z(), 10.331303, 1e-5);
    EXPECT_NEAR(f.x(), 9.298173, 1e-5);
    EXPECT_NEAR(f.y(), -9.298173, 1e-5);
    passes[coupled] = report.iterations;
  }
  EXPECT_GT(passes[0], 20) << "friction that tips the cube makes the passes contract slowly";
  EXPECT_LT(passes[1], 10);
}

// Oracle: weight. Masses 1e-3 kg under 1e3 kg.
TEST(Dantzig, HeavyOnLight) {
  const ContactProblem p = reference::rp2(kPyramid);
  const auto [lambda, report] = run("dantzig", p);
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_NEAR(test::total_force(p, lambda, 0, 4).z(), 9810.00981, 1e-3);
  EXPECT_NEAR(test::total_force(p, lambda, 4, 8).z(), 9810.00000, 1e-3);
}

// Oracle: lemke, on symmetric positive definite matrices, where the solution is unique.
TEST(Dantzig, LinearComplementarityProblems) {
  Random random(1);
  for (int k = 0; k < 40; ++k) {
    const int n = 1 + random.index(30);
    const Mat J = random.uniform_matrix(n, n + 1, -1.0, 1.0);
    const Mat M = J * J.transpose() + 1e-3 * Mat::Identity(n, n);
    const Vec q = random.uniform_vector(n, -1.0, 1.0);
    ContactProblem p = lcp_problem(M, q);
    const Vec oracle = run("lemke", p).lambda;
    p.general = false;
    const auto [z, report] = run("dantzig", p);
    EXPECT_EQ(report.status, Status::converged);
    EXPECT_EQ(report.iterations, 1) << "no friction, no second pass";
    EXPECT_LE(lcp_error(M, q, z), 1e-12);
    EXPECT_LE((z - oracle).norm(), 1e-8 * (1.0 + oracle.norm()));
  }
}

TEST(Dantzig, RefusesWhatItCannot) {
  ContactProblem p = reference::rp1({FrictionLaw::pyramid, 8});
  EXPECT_EQ(run("dantzig", p).report.status, Status::invalid_problem);
  p.law = {FrictionLaw::coulomb};
  EXPECT_EQ(run("dantzig", p).report.status, Status::invalid_problem);
  EXPECT_EQ(run("dantzig", lcp_problem(Mat::Identity(2, 2), Vec::Ones(2))).report.status, Status::invalid_problem);
}

// The pyramid turned by 90° is itself; turned by another angle it is another law, and lemke's answer.
TEST(Dantzig, Angle) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    ContactProblem p = test::random_contacts(seed, 4, 0.4, {FrictionLaw::pyramid, 4, 0.3});
    const OptionMap tight = {{"tolerance", 1e-12}};
    const Vec a = run("dantzig", p, tight).lambda;
    EXPECT_LE((run("lemke", p).lambda - a).norm(), 1e-8 * (1.0 + a.norm())) << seed;
    p.law.angle += 0.5 * std::numbers::pi;
    EXPECT_LE((run("dantzig", p, tight).lambda - a).norm(), 1e-9 * (1.0 + a.norm())) << seed;
  }
}

// Oracle: (1) of box_pivoting.h, checked from outside, on random boxes of every kind.
TEST(BoxPivoting, SolvesBoxes) {
  const double inf = std::numeric_limits<double>::infinity();
  Random random(7);
  BoxPivoting pivoting;
  for (int k = 0; k < 300; ++k) {
    const int n = 1 + random.index(25);
    const Mat J = random.uniform_matrix(n, n, -1.0, 1.0);
    const Eigen::Matrix<double, -1, -1, Eigen::RowMajor> A = J * J.transpose() + 1e-2 * Mat::Identity(n, n);
    const Vec b = random.uniform_vector(n, -1.0, 1.0);
    Vec lo(n), hi(n);
    for (int i = 0; i < n; ++i) {
      lo[i] = random.uniform(-1.0, 0.5), hi[i] = lo[i] + random.uniform(0.0, 1.0);
      if (random.index(3) == 0) lo[i] = -inf;
      if (random.index(3) == 0) hi[i] = inf;
      if (random.index(8) == 0) lo[i] = hi[i] = 0.1;
    }
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    ASSERT_TRUE(pivoting.solve({n, A.data(), b.data(), lo.data(), hi.data()}, order.data()));
    const Vec x = pivoting.x().vec(), w = A * x + b;
    for (int i = 0; i < n; ++i) {
      EXPECT_GE(x[i], lo[i]);
      EXPECT_LE(x[i], hi[i]);
      EXPECT_LE(std::abs(x[i] - std::clamp(x[i] - w[i], lo[i], hi[i])), 1e-10) << "problem " << k << " row " << i;
    }
  }
}

// What cannot be promised is measured: the passes converge on most problems, and the rest is labelled.
TEST(Dantzig, RandomProblems) {
  int solved = 0, asked = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const test::RandomProblem r = test::random_pyramid(seed);
    const auto [lambda, report] = run("dantzig", r.problem);
    ASSERT_TRUE(lambda.allFinite()) << seed;
    ASSERT_EQ(report.status == Status::converged, evaluate(r.problem, lambda).accepted()) << seed;
    if (!r.consistent) continue;
    ++asked, solved += report.status == Status::converged;
  }
  EXPECT_GE(solved, asked * 97 / 100) << solved << " of " << asked;
}

}  // namespace
}  // namespace stiction
