// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the judge (no solver involved), dense linear algebra of Eigen, static equilibrium of stacks.
#include <gtest/gtest.h>
#include <stiction/solver/linalg/whitened_rows.h>
#include <stiction/solver/newton/ppa_newton.h>

#include <random>

#include "solver/newton_problems.h"
#include "support/dense_oracles.h"
#include "support/heap_count.h"

namespace stiction {
namespace {

using namespace test;

// Oracle: Eigen's dense solve of the same matrix. Groups of different sizes, a pattern that fills in.
TEST(BlockFactor, CholeskyAndLuSolveWhatEigenSolves) {
  const std::vector<int> start = {0, 6, 9, 15, 16, 22, 26};
  const int groups = 6, n = 26;
  const std::vector<std::pair<int, int>> edges = {{0, 1}, {1, 2}, {2, 4}, {0, 4}, {3, 5}, {0, 5}, {2, 0}};
  std::mt19937_64 rng(7);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  for (const bool symmetric : {true, false}) {
    Mat A = Mat::Identity(n, n) * 30.0;
    const auto fill = [&](int a, int b) {
      for (int i = start[at(a)]; i < start[at(a + 1)]; ++i)
        for (int j = start[at(b)]; j < start[at(b + 1)]; ++j) {
          A(i, j) += u(rng);
          if (symmetric && (a != b || i > j)) A(j, i) = A(i, j);
        }
    };
    for (int g = 0; g < groups; ++g) fill(g, g);
    for (const auto& [a, b] : edges) {
      fill(a, b);
      if (!symmetric) fill(b, a);
    }
    if (symmetric) A = (0.5 * (A + A.transpose())).eval();
    BlockFactor factor;
    factor.begin_pattern(start);
    for (const auto& [a, b] : edges) factor.connect(a, b);
    factor.finish_pattern();
    factor.set_identity(true);
    for (int g = 0; g < groups; ++g) {
      const int s = start[at(g + 1)] - start[at(g)];
      Eigen::Map<Mat>(factor.diagonal(g), s, s) = A.block(start[at(g)], start[at(g)], s, s);
    }
    for (const auto& [a, b] : edges) {
      const bool later = factor.position(a) > factor.position(b);
      const int r = later ? a : b, c = later ? b : a, block = factor.find_block(r, c);
      const int nr = factor.group_size(r), nc = factor.group_size(c);
      Eigen::Map<Mat>(factor.lower(block), nr, nc) = A.block(start[at(r)], start[at(c)], nr, nc);
      Eigen::Map<Mat>(factor.upper(block), nr, nc) = A.block(start[at(c)], start[at(r)], nc, nr).transpose();
    }
    Vec b = Vec::LinSpaced(n, -1.0, 2.0), x = b;
    ASSERT_TRUE(symmetric ? factor.factor_cholesky() : factor.factor_lu());
    factor.solve(x.data());
    EXPECT_LE((test::solve_general(A, b) - x).norm(), 1e-13 * x.norm());
  }
}

// Oracle: H of the problem as a dense matrix.
TEST(WhitenedRows, ProductsAreThoseOfTheDelassusOperator) {
  const ContactProblem p = random_mix(3, 3, 9, true, 1e-3);
  const Vec lambda = Vec::LinSpaced(p.rows(), -1.0, 1.0);
  Vec velocity(p.G.body.velocities), u(p.rows());
  multiply_rows_transposed(p.G.body, p.G.start, lambda.data(), velocity.data());
  multiply_rows(p.G.body, p.G.start, velocity.data(), u.data());
  EXPECT_LE((p.G.densify() * lambda - u).norm(), 1e-13 * u.norm());
}

// Oracle: judge; static equilibrium: the floor carries n m g, joint k carries (n − k) m g.
TEST(BodyNewton, StackOfTwentyColdAndWarm) {
  const double dt = 0.01;
  const ContactProblem p = box_pile(cube_stack(20, dt), 0.7, dt);
  PpaNewton solver;
  Vec lambda = Vec::Zero(p.rows());
  Report report = solver.solve(p, lambda);
  EXPECT_EQ(report.status, Status::converged) << report.own.ratio;
  EXPECT_LE(evaluate(p, lambda).ratio, 1.0);
  for (int k = 0; k < 20; ++k) {
    double normal = 0.0;
    for (int c = 0; c < 4; ++c) normal += lambda[12 * k + 3 * c + 2];
    EXPECT_NEAR(normal / dt, (20 - k) * 9.81, 1e-5);
  }
  report = solver.solve(p, lambda);
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_EQ(report.iterations, 1);  // never zero: a warm start is never accepted untouched
}

// Oracle: judge. 102 planks, 808 contacts; pushed at the top, so that contacts slip and the matrix is unsymmetric.
TEST(BodyNewton, PlankTowerAtRestAndPushed) {
  const double dt = 0.01;
  auto planks = plank_tower(51, dt);
  ContactProblem p = box_pile(planks, 0.5, dt);
  PpaNewton solver;
  Vec lambda = Vec::Zero(p.rows());
  EXPECT_EQ(solver.solve(p, lambda).status, Status::converged);
  EXPECT_LE(evaluate(p, lambda).ratio, 1.0);
  EXPECT_LE(solver.solve(p, lambda).iterations, 2);
  planks.back().velocity[0] += 0.5;
  planks.back().velocity[4] += 0.3;
  p = box_pile(planks, 0.5, dt);
  EXPECT_EQ(solver.solve(p, lambda).status, Status::converged);
  EXPECT_LE(evaluate(p, lambda).ratio, 1.0);
}

// Oracles: judge; exact count of steps. The hybrid for warm steps of a simulation solves the push and keeps to its budget.
TEST(BodyNewton, WarmStepsAreSolvedWithinTheirBudget) {
  const double dt = 0.01;
  auto planks = plank_tower(12, dt);
  PpaNewton solver;
  ContactProblem p = box_pile(planks, 0.5, dt);
  Vec guess = Vec::Zero(p.rows());
  ASSERT_EQ(solver.solve(p, guess).status, Status::converged);
  planks.back().velocity[0] += 0.5;
  p = box_pile(planks, 0.5, dt);
  BodyNewton newton;
  Progress best;
  best.reset(p, CommonOptions{}.judge_tolerance());
  newton.prepare(p);
  newton.run_warm(p, guess.data(), {3.0, 5.0, 1e6, 131}, best);
  EXPECT_TRUE(best.accepted());
  EXPECT_LE(evaluate(p, Eigen::Map<const Vec>(best.lambda(), p.rows())).ratio, 1.0);
  best.reset(p, CommonOptions{}.judge_tolerance());
  newton.prepare(p);
  newton.run_warm(p, guess.data(), {3.0, 5.0, 1e6, 2}, best);
  EXPECT_FALSE(best.accepted());
  EXPECT_LE(newton.steps(), 2);
}

// Oracle: judge. Interior points from their own start.
TEST(BodyNewton, InteriorPointsSolveThePushedTower) {
  const double dt = 0.01;
  auto planks = plank_tower(12, dt);
  planks.back().velocity[0] += 0.5;
  const ContactProblem p = box_pile(planks, 0.5, dt);
  BodyNewton newton;
  Progress best;
  best.reset(p, CommonOptions{}.judge_tolerance());
  newton.prepare(p);
  EXPECT_TRUE(newton.run_interior(p, 40, best));
  EXPECT_LE(evaluate(p, Eigen::Map<const Vec>(best.lambda(), p.rows())).ratio, 1.0);
  EXPECT_EQ(newton.steps(), newton.factorisations());
}

// Oracle: the velocity after the step is unique for frictionless rows and sticking stacks: both forms must agree on Gλ.
TEST(BodyNewton, AgreesWithTheDenseForm) {
  const double dt = 0.01;
  const ContactProblem body = box_pile(cube_stack(4, dt), 0.7, dt), dense = densified(body);
  PpaNewtonOptions options;
  options.tolerance = 1e-11, options.force_tolerance = options.velocity_tolerance = options.power_tolerance = 1e-12;
  PpaNewton solver(options);
  Vec a = Vec::Zero(body.rows()), b = a;
  EXPECT_EQ(solver.solve(body, a).status, Status::converged);
  EXPECT_EQ(solver.solve(dense, b).status, Status::converged);
  const Mat G = body.G.densify();
  EXPECT_LE((G * a - G * b).norm(), 1e-9 * body.g.vec().norm());
}

// Oracle: bits. What was solved before must not matter, though the symbolic factor is kept.
TEST(BodyNewton, SameBitsWhateverWasSolvedBefore) {
  const ContactProblem p = box_pile(cube_stack(12, 0.01), 0.5, 0.01), other = random_mix(5, 3, 12, true, 1e-3);
  PpaNewton used, fresh;
  Vec x = Vec::Zero(other.rows());
  used.solve(other, x);
  Vec a = Vec::Zero(p.rows()), b = a, c = a;
  used.solve(p, a);
  used.solve(p, b);
  fresh.solve(p, c);
  EXPECT_TRUE((a.array() == b.array()).all());
  EXPECT_TRUE((a.array() == c.array()).all());
}

TEST(BodyNewton, SecondSolveAllocatesNothing) {
  const ContactProblem p = box_pile(cube_stack(12, 0.01), 0.5, 0.01);
  PpaNewton solver;
  Vec lambda = Vec::Zero(p.rows());
  solver.solve(p, lambda);
  lambda.setZero();
  const HeapCount counter;
  solver.solve(p, lambda);
  EXPECT_EQ(counter.count(), 0);
}

// Oracle: a cube on springs, λ_N = m g dt / 4 per corner and u_N = R λ_N + (Gλ + g)_N = 0.
TEST(BodyNewton, ComplianceIsPartOfTheProblem) {
  const double dt = 0.01;
  ContactProblem p = box_pile(cube_stack(3, dt), 0.6, dt);
  p.compliance.assign(p.rows(), 0.02);
  PpaNewton solver;
  Vec lambda = Vec::Zero(p.rows());
  EXPECT_EQ(solver.solve(p, lambda).status, Status::converged);
  const Vec u = p.G.densify() * lambda + 0.02 * lambda + p.g.vec();
  for (int k = 0; k < p.rows() / 3; ++k) EXPECT_NEAR(u[3 * k + 2], 0.0, 1e-8);
}

}  // namespace
}  // namespace stiction
