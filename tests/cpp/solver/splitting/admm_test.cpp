// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>
#include <stiction/solver/linalg/dense_factor.h>
#include <stiction/solver/linalg/shifted_delassus.h>

#include <random>

#include "solver/newton_problems.h"
#include "solver/solver_support.h"
#include "support/dense_oracles.h"

namespace stiction {
namespace {

using test::run;
using RowMat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Mat random_matrix(int n, unsigned seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal;
  Mat a(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a(i, j) = normal(rng);
  return a;
}

// Oracle: Eigen.
TEST(DenseFactor, SolvesWhatEigenSolves) {
  for (const int n : {1, 2, 3, 4, 5, 7, 8, 13, 40}) {
    const Mat B = random_matrix(n, 11), A = B * B.transpose() + Mat::Identity(n, n);
    const Vec b = random_matrix(n, 12).col(0);
    RowMat L = A;
    ASSERT_TRUE(factor_cholesky(L.data(), n));
    Vec x = b;
    solve_cholesky(L.data(), n, x.data());
    EXPECT_LE((A * x - b).norm(), 1e-12 * A.norm() * x.norm()) << n;
    const Mat C = A + B;
    RowMat LU = C;
    std::vector<int> pivot(static_cast<std::size_t>(n));
    ASSERT_TRUE(factor_lu(LU.data(), n, pivot.data()));
    x = test::solve_general(C, b);
    Vec y = b;
    solve_lu(LU.data(), n, pivot.data(), y.data());
    EXPECT_LE((x - y).norm(), 1e-9 * x.norm()) << n;
  }
  RowMat bad = -Mat::Identity(3, 3);
  EXPECT_FALSE(factor_cholesky(bad.data(), 3));
}

// Oracle: Eigen's solution of the dense system, for every storage; body space has more rows than velocities here.
TEST(ShiftedDelassus, AgreesInEveryStorage) {
  const ContactProblem body = test::random_mix(3, 2, 8, true, 1e-3);
  ASSERT_GT(body.rows(), body.G.body.velocities);
  ContactProblem compliant = body;
  compliant.compliance.assign(body.rows(), 0.01);
  for (const ContactProblem& p : {body, test::as_dense(body), test::as_block_sparse(body), compliant}) {
    const Mat G = p.G.densify() + p.R(0) * Mat::Identity(p.rows(), p.rows());
    ShiftedDelassus shifted;
    shifted.prepare(p);
    EXPECT_EQ(shifted.in_body_space(), p.G.storage == Delassus::Storage::body_space);
    EXPECT_NEAR(shifted.largest_eigenvalue(p), test::eigenvalues(G).maxCoeff(), 0.05 * G.norm());
    for (const double sigma : {1.0, 1e-3, 1e-6}) {
      ASSERT_TRUE(shifted.factor(p, sigma));
      const Vec b = Vec::LinSpaced(p.rows(), -1.0, 2.0);
      Vec x = b;
      shifted.solve(p, x.data());
      EXPECT_LE((G * x + sigma * x - b).norm(), 1e-8 * b.norm()) << sigma;
    }
  }
}

// Oracle: the sliding cube's table, ‖f‖ = 9.038697 N of the minimum-norm solution.
TEST(Admm, SlidingCubeCoulomb) {
  const ContactProblem p = reference::rp1();
  for (const char* preset : {"pinocchio", "contactbench"}) {
    const auto [lambda, report] = run("admm", p, {{"tolerance", 1e-10}, {"preset", std::string(preset)}});
    EXPECT_EQ(report.status, Status::converged) << preset;
    const Vec3 f = test::total_force(p, lambda, 0, 4);
    EXPECT_NEAR(f.z(), 9.81, 1e-6) << preset;
    EXPECT_NEAR(f.x(), 0.975000, 1e-5) << preset;
    EXPECT_NEAR(f.y(), -8.774999, 1e-5) << preset;
    EXPECT_NEAR(lambda.norm() / *p.dt, 9.038697, 1e-5) << preset;
    EXPECT_LE(evaluate(p, lambda).mdp_angle, 1e-6) << preset;
  }
}

TEST(Admm, SlidingCubeConvex) {
  const ContactProblem p = reference::rp1({FrictionLaw::convex});
  const auto [lambda, report] = run("admm", p);
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_LE(report.iterations, 100);
  EXPECT_NEAR(test::total_force(p, lambda, 0, 4).z(), 656.3808, 1e-3);
}

TEST(Admm, HeavyOnLightInTwentyIterations) {
  for (const auto law : {FrictionLaw::coulomb, FrictionLaw::convex}) {
    const ContactProblem p = reference::rp2({law});
    const auto [lambda, report] = run("admm", p);
    EXPECT_EQ(report.status, Status::converged) << name(law);
    EXPECT_LE(report.iterations, 20) << name(law);
    EXPECT_NEAR(test::total_force(p, lambda, 0, 4).z(), 9810.0098, 1e-3) << name(law);
  }
}

// Every contact sticks, so r_p is 0 and the rule divides ρ for ever: unclamped it underflows and gives NaN.
TEST(Admm, TwentyThousandForcedIterationsStayFinite) {
  const OptionMap endless = {{"tolerance", 1e-300},       {"force_tolerance", 0.0}, {"velocity_tolerance", 0.0},
                             {"power_tolerance", 0.0},    {"stall_window", 0},      {"max_iterations", 20000},
                             {"refactorisations", 100000}};
  const ContactProblem p = reference::rp2();
  const auto [lambda, report] = run("admm", p, endless);
  EXPECT_EQ(report.iterations, 20000);
  EXPECT_EQ(report.status, Status::max_iterations);
  ASSERT_TRUE(lambda.allFinite());
  EXPECT_NEAR(test::total_force(p, lambda, 0, 4).z(), 9810.0098, 1e-3);
  const auto few = run("admm", p, {{"tolerance", 1e-15}, {"force_tolerance", 1e-12}, {"velocity_tolerance", 1e-15}});
  EXPECT_LE(few.report.factorisations, 61);
}

// At rest the guess is the solution up to the tolerance. What is left of the velocity is not slip: one iteration.
TEST(Admm, NearlySolvedTakesOneIteration) {
  for (const auto law : {FrictionLaw::coulomb, FrictionLaw::convex}) {
    const ContactProblem p = reference::rp3({law});
    for (const double error : {1e-6, 1e-7, 1e-8}) {
      Vec lambda = reference::rp3_minimum_norm();
      for (int r = 0; r < p.rows(); ++r) lambda[r] *= 1.0 + (r % 2 ? error : -error);
      const Report report = make_solver("admm")->solve(p, lambda);
      EXPECT_EQ(report.status, Status::converged) << name(law) << " " << error;
      EXPECT_LE(report.iterations, 1) << name(law) << " " << error;
    }
  }
  for (const double mu : {0.0, 1e-3, 0.5, 2.0}) {  // without friction the dual's tangential part is free, not 0
    const ContactProblem p = test::random_contacts(4, 4, mu);
    Vec lambda = run("nsgs", p, {{"tolerance", 1e-12}, {"max_iterations", 50000}}).lambda;
    const Report report = make_solver("admm")->solve(p, lambda);
    EXPECT_EQ(report.status, Status::converged) << mu;
    EXPECT_LE(report.iterations, 1) << mu;
  }
}

// Oracle: λ = −G⁺g in closed form when all contacts stick and the start is cold.
TEST(Admm, ColdStartGivesTheMinimumNorm) {
  const ContactProblem p = reference::rp3();
  const Vec exact = reference::rp3_minimum_norm();
  const OptionMap tight = {{"tolerance", 1e-12}, {"force_tolerance", 1e-10}, {"velocity_tolerance", 1e-14}};
  const auto cold = run("admm", p, tight);
  EXPECT_EQ(cold.report.status, Status::converged);
  EXPECT_LE((cold.lambda - exact).norm(), 1e-8 * exact.norm());

  // Warm from another feasible λ: the same velocity, other internal forces.
  Vec warm = exact;
  for (int i = 0; i < 4; ++i)
    warm.segment<3>(3 * i) += Vec3(i % 2 ? 3e-4 : -3e-4, 0.0, i == 0 || i == 3 ? 1e-3 : -1e-3);
  const Report r = make_solver("admm", tight)->solve(p, warm);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LE((test::velocity(p, warm) - test::velocity(p, exact)).norm(), 1e-8);
  EXPECT_GT((warm - exact).norm(), 1e-2 * exact.norm());
}

// A tower with 288 rows on 72 velocities: the factor lives in body space. Oracle: the weight, and the dense solve.
TEST(Admm, BodySpaceTower) {
  const double dt = 1e-3;
  const ContactProblem p = test::box_pile(test::cube_stack(12, dt), 0.6, dt);
  const auto body = run("admm", p, {{"max_iterations", 5000}});
  EXPECT_EQ(body.report.status, Status::converged);
  EXPECT_NEAR(test::total_force(p, body.lambda, 0, 4).z(), 12 * 9.81, 1e-4);
  const auto dense = run("admm", test::as_dense(p), {{"max_iterations", 5000}});
  EXPECT_LE((test::velocity(p, body.lambda) - test::velocity(p, dense.lambda)).norm(), 1e-7);
}

// A slightly unsymmetric G (gyroscopic terms) is factorised as it is.
TEST(Admm, UnsymmetricG) {
  ContactProblem p = test::random_contacts(5, 4, 0.5);
  Mat G = p.G.densify();
  G(0, 5) += 1e-3, G(5, 0) -= 1e-3;
  p.G = Delassus::from_dense(G, p.G.start);
  ASSERT_FALSE(p.G.symmetric);
  for (const char* solver : {"admm", "nsgs", "pgs"})
    EXPECT_EQ(run(solver, p, {{"max_iterations", 5000}}).report.status, Status::converged) << solver;
}

}  // namespace
}  // namespace stiction
