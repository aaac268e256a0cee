// SPDX-License-Identifier: BSD-2-Clause
// The dense QP: closed forms, random programs with singular matrices and redundant rows, programs without a solution.
#include <gtest/gtest.h>
#include <stiction/base/types.h>
#include <stiction/solver/quadratic/dense_qp.h>

#include <algorithm>
#include <limits>
#include <random>

namespace stiction {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Program {
  Mat H, A;
  Vec c, b, lo, hi;

  void load(DenseQp& qp) const {
    const int n = static_cast<int>(c.size()), m = static_cast<int>(b.size());
    qp.resize(n, m);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) qp.H()[i * n + j] = H(i, j);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) qp.A()[i * n + j] = A(i, j);
    std::copy_n(c.data(), n, qp.c()), std::copy_n(b.data(), m, qp.b());
    std::copy_n(lo.data(), n, qp.lo()), std::copy_n(hi.data(), n, qp.hi());
    qp.prepare();
  }

  // Largest violation of the optimality conditions, recomputed from what the solver hands out.
  double error(const DenseQp& qp) const {
    const Eigen::Map<const Vec> x(qp.x(), c.size()), y(qp.row_multipliers(), b.size()),
        w(qp.bound_multipliers(), c.size());
    double e = (H * x + c - A.transpose() * y - w).lpNorm<Eigen::Infinity>();
    const Vec slack = A * x - b;
    for (int i = 0; i < slack.size(); ++i) e = std::max({e, -slack[i], -y[i], std::abs(y[i] * slack[i])});
    for (int j = 0; j < x.size(); ++j) {
      e = std::max({e, lo[j] - x[j], x[j] - hi[j]});
      if (w[j] > 0.0) e = std::max(e, w[j] * std::abs(x[j] - lo[j]));
      if (w[j] < 0.0) e = std::max(e, -w[j] * std::abs(hi[j] - x[j]));
    }
    return e;
  }
};

// H of half rank, duplicated rows, bounds on one side, both or none; feasible and bounded by construction.
Program random_program(unsigned seed, int n) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  const int rank = std::max(1, n / 2), m = n + n / 3;
  Mat B(n, rank);
  Program p{Mat(), Mat(m, n), Vec(n), Vec(m), Vec(n), Vec(n)};
  Vec feasible(n), y(m), s(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < rank; ++j) B(i, j) = u(rng);
  for (int j = 0; j < n; ++j) feasible[j] = u(rng), s[j] = u(rng);
  p.H = B * B.transpose();
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) p.A(i, j) = u(rng);
    if (i >= n) p.A.row(i) = p.A.row(i - n);
    p.b[i] = p.A.row(i).dot(feasible) - (i >= n ? 0.0 : std::max(0.0, u(rng)));
    y[i] = std::max(0.0, u(rng));
  }
  p.c = -p.H * s + p.A.transpose() * y;
  for (int j = 0; j < n; ++j) {
    p.lo[j] = j % 3 == 0 ? std::min(0.0, feasible[j]) : -kInfinity;
    p.hi[j] = j % 3 == 0 && j % 2 == 0 ? 1.0 : kInfinity;
  }
  return p;
}

// Oracle: the corner (1, 2) of x ≥ 1, y ≥ 2 and the foot of the perpendicular on x + y ≥ 2.
TEST(DenseQp, ClosedForms) {
  DenseQp qp;
  Program p{
      Mat::Identity(2, 2),        Mat::Ones(1, 2), Vec::Zero(2), Vec::Constant(1, 2.0), Vec::Constant(2, -kInfinity),
      Vec::Constant(2, kInfinity)};
  p.load(qp);
  ASSERT_EQ(qp.solve(1e-13, 100), DenseQp::Outcome::solved);
  EXPECT_NEAR(qp.x()[0], 1.0, 1e-12);
  EXPECT_NEAR(qp.x()[1], 1.0, 1e-12);
  EXPECT_NEAR(qp.row_multipliers()[0], 1.0, 1e-12);
  p.lo = Vec2(1.0, 2.0);
  p.load(qp);
  ASSERT_EQ(qp.solve(1e-13, 100), DenseQp::Outcome::solved);
  EXPECT_NEAR(qp.x()[0], 1.0, 1e-12);
  EXPECT_NEAR(qp.x()[1], 2.0, 1e-12);
}

// Oracle: the optimality conditions.
TEST(DenseQp, RandomProgramsToTwelveDigits) {
  DenseQp qp;
  for (const int n : {1, 2, 5, 12, 24, 48, 80, 150})
    for (unsigned seed = 0; seed < (n > 50 ? 2u : 15u); ++seed) {
      const Program p = random_program(seed, n);
      p.load(qp);
      ASSERT_EQ(qp.solve(1e-12, 100), DenseQp::Outcome::solved) << n << " seed " << seed << " at " << qp.residual();
      EXPECT_LE(p.error(qp), 1e-11 * std::max(1.0, p.H.norm())) << n << " seed " << seed;
    }
}

// A linear program: H = 0.
TEST(DenseQp, LinearProgram) {
  DenseQp qp;
  Program p{Mat::Zero(2, 2),       Mat(1, 2),    Vec2(1.0, 2.0),
            Vec::Constant(1, 1.0), Vec::Zero(2), Vec::Constant(2, kInfinity)};
  p.A << 1.0, 1.0;
  p.load(qp);
  ASSERT_EQ(qp.solve(1e-12, 200), DenseQp::Outcome::solved);
  EXPECT_NEAR(qp.x()[0], 1.0, 1e-11);
  EXPECT_NEAR(qp.x()[1], 0.0, 1e-11);
}

TEST(DenseQp, NoFeasiblePoint) {
  DenseQp qp;
  Program p{Mat::Identity(1, 1),        Mat(2, 1), Vec::Zero(1), Vec2(1.0, 1.0), Vec::Constant(1, -kInfinity),
            Vec::Constant(1, kInfinity)};
  p.A << 1.0, -1.0;  // x ≥ 1 and x ≤ −1
  p.load(qp);
  EXPECT_NE(qp.solve(1e-10, 50), DenseQp::Outcome::solved);
  EXPECT_GT(qp.infeasibility(), 1e-3);
}

// Warm from its own solution, one iteration and no new factor suffices.
TEST(DenseQp, WarmStart) {
  DenseQp qp;
  const Program p = random_program(7, 24);
  p.load(qp);
  ASSERT_EQ(qp.solve(1e-12, 100), DenseQp::Outcome::solved);
  EXPECT_EQ(qp.solve(1e-11, 100), DenseQp::Outcome::solved);
  EXPECT_EQ(qp.iterations(), 1);
  EXPECT_EQ(qp.factorisations(), 0);
}

}  // namespace
}  // namespace stiction
