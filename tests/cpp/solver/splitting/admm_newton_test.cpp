// SPDX-License-Identifier: BSD-2-Clause
// Newton's method on the fixed point of ADMM: alone (admm_newton.h), and as what finishes a warm start of admm.
#include <gtest/gtest.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>
#include <stiction/solver/linalg/dense_factor.h>
#include <stiction/solver/splitting/admm_newton.h>

#include <cmath>
#include <vector>

#include "solver/newton_problems.h"
#include "solver/solver_support.h"
#include "support/dense_oracles.h"

namespace stiction {
namespace {

using test::run;

const OptionMap kTight = {{"tolerance", 1e-12},
                          {"force_tolerance", 1e-11},
                          {"velocity_tolerance", 1e-14},
                          {"power_tolerance", 1e-14},
                          {"max_iterations", 50000}};

// Oracle: nsgs at a tolerance of 1e-12 on well-posed contacts; near the solution the error of a Newton step is squared,
// so that from 1e-4 away three steps reach 1e-9. A wrong derivative of sliding would leave a linear rate.
TEST(AdmmNewton, ConvergesQuadratically) {
  int sliding = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    const ContactProblem p = test::random_contacts(seed, 5, 0.3);
    const auto exact = run("nsgs", p, kTight);
    if (exact.report.status != Status::converged) continue;
    for (const Block& b : p.blocks) {
      const Vec3 l = exact.lambda.segment<3>(b.row), u = test::velocity(p, exact.lambda).segment<3>(b.row);
      sliding += l.z() > 0.0 && u.head<2>().norm() > 1e-6;
    }
    Vec guess = exact.lambda;
    for (int r = 0; r < p.rows(); ++r) guess[r] *= 1.0 + (r % 2 ? 1e-4 : -1e-4);
    AdmmNewton newton;
    ASSERT_TRUE(newton.begin(p, p.G.dense.data()));
    newton.start_from_impulse(p, guess.data());
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(newton.step(p)) << seed;
    EXPECT_LE((newton.lambda().vec() - exact.lambda).norm(), 1e-9 * exact.lambda.norm()) << seed;
  }
  EXPECT_GE(sliding, 20);  // or the test says nothing about sliding
}

// Oracle: admm without Newton's method. Every kind of block, every storage, both laws; the next step's problem differs
// in g, which makes one of them unsolvable for both. In body space there is no Newton's method: nothing may change.
TEST(AdmmNewton, WarmStartsAreSolvedAsWithout) {
  int with = 0, without = 0, solved = 0;
  for (const auto law : {FrictionLaw::convex, FrictionLaw::coulomb})
    for (unsigned seed = 0; seed < 24; ++seed) {
      ContactProblem p =
          test::random_mix(seed, 1 + static_cast<int>(seed % 3), 1 + static_cast<int>(seed % 5), true, 1e-3);
      p.law = {law};
      p.compliance.assign(p.rows(), 1e-2);
      if (seed % 3 == 1) p = test::as_dense(p);
      if (seed % 3 == 2) p = test::as_block_sparse(p);
      const auto before = run("admm", p, {{"max_iterations", 20000}});
      for (int r = 0; r < p.rows(); ++r) p.g[r] *= r % 2 ? 1.01 : 0.99;
      OptionMap options = {{"max_iterations", 20000}, {"tolerance", 1e-10}, {"velocity_tolerance", 1e-11}};
      Vec a = before.lambda, b = before.lambda;
      const Report fast = make_solver("admm", options)->solve(p, a);
      options["newton"] = 0;
      const Report plain = make_solver("admm", options)->solve(p, b);
      if (seed % 3 == 0) {
        EXPECT_EQ(fast.iterations, plain.iterations) << name(law) << " " << seed;
      }
      if (plain.status != Status::converged) continue;
      EXPECT_EQ(fast.status, Status::converged) << name(law) << " " << seed;
      if (law == FrictionLaw::convex) {
        EXPECT_LE((a - b).norm(), 1e-6 * (1e-3 + b.norm())) << seed;  // R > 0: unique
      }
      if (seed % 3 == 0) continue;
      with += fast.iterations, without += plain.iterations, ++solved;
    }
  EXPECT_GE(solved, 30);
  EXPECT_LE(with, without / 2) << without;
}

// Oracle: G⁺. Four sticking contacts on one body: a change of g moves λ in the range of G, and the part of the guess
// in its null space stays.
TEST(AdmmNewton, KeepsInternalImpulses) {
  ContactProblem p = reference::rp3();
  const Mat G = p.G.densify();
  const auto internal_part = [&](const Vec& x) -> Vec { return x - test::minimum_norm_solution(G, G * x, 1e-10); };
  Vec guess = reference::rp3_minimum_norm();
  for (int i = 0; i < 4; ++i) guess.segment<3>(3 * i) += Vec3(0.0, 0.0, i == 0 || i == 3 ? 1e-3 : -1e-3);
  const Vec internal = internal_part(guess);
  ASSERT_GT(internal.norm(), 1e-4);
  for (int r = 0; r < p.rows(); ++r) p.g[r] *= 1.001;
  const Report report = make_solver("admm")->solve(p, guess);
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_EQ(report.factorisations, 1);
  EXPECT_LE((internal_part(guess) - internal).norm(), 1e-8 * internal.norm());
}

// A zero G has no scale and no steps; bounds and iterations hold as without.
TEST(AdmmNewton, EdgesAreLegal) {
  ContactProblem p = ContactProblem::from_dense(Mat::Zero(6, 6), Vec::Zero(6), Vec::Constant(2, 0.5), {}, 1e-3);
  AdmmNewton newton;
  EXPECT_FALSE(newton.begin(p, p.G.dense.data()));
  Vec lambda = Vec::Constant(6, 0.1);
  EXPECT_TRUE(make_solver("admm")->solve(p, lambda).iterations >= 1);
  EXPECT_TRUE(lambda.allFinite());
  const ContactProblem q = test::random_contacts(3, 6, 0.3);
  Vec guess = Vec::Constant(q.rows(), 1.0);
  EXPECT_EQ(make_solver("admm", {{"max_iterations", 1}, {"tolerance", 1e-14}})->solve(q, guess).iterations, 1);
  EXPECT_ANY_THROW(make_solver("admm", {{"newton", -1}}));
  EXPECT_ANY_THROW(make_solver("admm", {{"newton", 2}, {"variant", std::string("primal")}}));
}

// Oracle: A x = b by Eigen, sizes that are a multiple of four, and a matrix that is not definite.
TEST(DenseFactor, CholeskyByColumns) {
  for (const int n : {4, 8, 24, 40}) {
    const Mat J = test::random_contacts(7, (n + 2) / 3, 0.5).G.densify().topLeftCorner(n, n);
    Mat A = J;
    Vec x = Vec::LinSpaced(n, -1.0, 2.0), inverse(n);
    const Vec b = x;
    ASSERT_TRUE(factor_cholesky_columns(A.data(), n, inverse.data())) << n;
    solve_cholesky_columns(A.data(), n, inverse.data(), x.data());
    EXPECT_LE((J * x - b).norm(), 1e-12 * b.norm() * J.norm() / 0.05) << n;
    A = J;
    A(n - 1, n - 1) = -1.0;
    EXPECT_FALSE(factor_cholesky_columns(A.data(), n, inverse.data())) << n;
  }
}

}  // namespace
}  // namespace stiction
