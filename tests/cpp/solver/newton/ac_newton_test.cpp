// SPDX-License-Identifier: BSD-2-Clause
// Alart–Curnier Newton: what is its own beside the properties of every solver, and the minimum-norm solve it falls back to.
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/problem/judge.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/linalg/minimum_norm.h>
#include <stiction/solver/newton/ac_newton.h>

#include "solver/newton_problems.h"
#include "solver/solver_support.h"
#include "support/dense_oracles.h"

namespace stiction {
namespace {

using test::run;

const OptionMap kPure = {{"warm_sweeps", 0}};
OptionMap pure(const char* variant) { return {{"warm_sweeps", 0}, {"variant", std::string(variant)}}; }

// Oracle: the pseudo-inverse by Eigen's singular values, for every rank from 0 to n, right-hand sides in and off the range.
TEST(MinimumNorm, IsThePseudoInverse) {
  Random random(3);
  MinimumNorm solver;
  for (const int n : {1, 2, 7, 12})
    for (int rank = 0; rank <= n; ++rank) {
      const Mat left = random.uniform_matrix(n, rank, -1.0, 1.0), right = random.uniform_matrix(rank, n, -1.0, 1.0);
      const Mat A = left * right;
      const Vec b = random.uniform_vector(n, -1.0, 1.0);
      const Vec expected = rank == 0 ? Vec(Vec::Zero(n)) : test::minimum_norm_solution(A, b, 1e-12);
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> copy = A;
      Vec x = b;
      ASSERT_TRUE(solver.solve(copy.data(), n, 1e-12, x.data()));
      EXPECT_EQ(solver.rank(), rank) << n;
      EXPECT_LE((x - expected).norm(), 1e-9 * (1.0 + expected.norm())) << n << " rank " << rank;
    }
}

TEST(MinimumNorm, NotANumberIsSaid) {
  MinimumNorm solver;
  double A[4] = {1.0, std::nan(""), 0.0, 1.0}, b[2] = {1.0, 1.0};
  EXPECT_FALSE(solver.solve(A, 2, 1e-12, b));
}

// Oracle: by hand. Contacts that do not touch each other, G = I: one Newton step from zero finds stick and separation.
TEST(AcNewton, OneStepWhereTheBranchIsRight) {
  Vec g(6);
  g << 0.1, 0.0, -1.0, 0.0, 0.0, 0.5;
  const ContactProblem p = ContactProblem::from_dense(Mat::Identity(6, 6), g, Vec::Constant(2, 0.5), {}, 1e-3);
  for (const char* variant : {"alart_curnier", "jean_moreau"}) {
    const auto [lambda, report] = run("ac_newton", p, pure(variant));
    EXPECT_EQ(report.status, Status::converged) << variant;
    // With the radius of λ_N = 0 the first step of jean_moreau knows no friction.
    EXPECT_LE(report.iterations, variant[0] == 'a' ? 1 : 2);
    EXPECT_LE((lambda - (Vec(6) << -0.1, 0.0, 1.0, 0.0, 0.0, 0.0).finished()).norm(), 1e-14) << variant;
  }
}

// Oracle: quadratic order. From a guess 1e-4 off the solution the error is squared, up to a constant, and round-off reached
// within four steps, by both variants; a wrong entry of J would make it linear.
TEST(AcNewton, ConvergesQuadratically) {
  int problems = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    const ContactProblem p = test::random_contacts(seed, 5, 0.4);
    const auto exact = run("ac_newton", p, {{"tolerance", 1e-13}, {"force_tolerance", 0.0}});
    if (exact.report.own.b3 > 1e-13) continue;
    Random random(seed);
    const Vec guess = exact.lambda + 1e-4 * exact.lambda.norm() * random.uniform_vector(15, -1.0, 1.0);
    for (const char* variant : {"alart_curnier", "jean_moreau"}) {
      OptionMap options = pure(variant);
      options["max_iterations"] = 4;
      options["tolerance"] = 1e-30;
      options["force_tolerance"] = 0.0, options["velocity_tolerance"] = 0.0, options["power_tolerance"] = 0.0;
      Vec lambda = guess;
      const Report report = make_solver("ac_newton", options)->solve(p, lambda);
      EXPECT_LE(report.own.b3, 1e-13) << seed << " " << variant;
    }
    ++problems;
  }
  EXPECT_GE(problems, 25);
}

// Oracle: both maps have the same zeros, so on full rank the variants meet at one motion, with and without line search.
TEST(AcNewton, VariantsAgree) {
  int compared = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const ContactProblem p = test::random_contacts(seed, 1 + static_cast<int>(seed % 6), 0.4);
    OptionMap searching = pure("jean_moreau");
    searching["line_search"] = true;
    const auto a = run("ac_newton", p, kPure), b = run("ac_newton", p, pure("jean_moreau")),
               c = run("ac_newton", p, searching);
    for (const auto* other : {&b, &c}) {
      if (a.report.status != Status::converged || other->report.status != Status::converged) continue;
      ++compared;
      EXPECT_LE((test::velocity(p, a.lambda) - test::velocity(p, other->lambda)).norm(), 1e-6) << seed;
    }
  }
  EXPECT_GE(compared, 160);
}

// Oracle: the dense solve of the same problem, for the block-sparse factor that large sparse problems take.
TEST(AcNewton, LargeSparseProblemTakesTheBlockFactor) {
  const ContactProblem pile = test::box_pile(test::cube_stack(30, 1e-3), 0.5, 1e-3);
  ASSERT_GT(pile.rows(), 300);
  ContactProblem p = pile;
  p.compliance.assign(p.rows(), 1e-3);  // full rank: one solution
  const auto sparse = run("ac_newton", test::as_block_sparse(p)), dense = run("ac_newton", test::as_dense(p));
  EXPECT_EQ(sparse.report.status, Status::converged);
  EXPECT_EQ(dense.report.status, Status::converged);
  EXPECT_LE((test::velocity(p, sparse.lambda) - test::velocity(p, dense.lambda)).norm(), 1e-7);
}

// The case of its page: contact on feet and belly from a cold start, without sweeps, is where the pure method fails.
TEST(AcNewton, HyperstaticContactIsNotSolvedWithoutSweeps) {
  int solved = 0;
  for (unsigned seed = 0; seed < 20; ++seed)
    solved += run("ac_newton", test::belly_quadruped(seed, 1.5, 1e-3), kPure).report.status == Status::converged;
  std::printf("  feet and belly: %d of 20\n", solved);
  EXPECT_LT(solved, 20);
}

}  // namespace
}  // namespace stiction
