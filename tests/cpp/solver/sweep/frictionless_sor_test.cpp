// SPDX-License-Identifier: BSD-2-Clause
// Oracle: the bounded quadratic program by enumeration of all active sets with a dense LDLT, and the judge.
#include <gtest/gtest.h>
#include <stiction/problem/judge.h>
#include <stiction/solver/automatic/auto_solver.h>
#include <stiction/solver/sweep/frictionless_sor.h>

#include <limits>
#include <random>
#include <string>

#include "solver/newton_problems.h"
#include "support/dense_oracles.h"

namespace stiction::test {
namespace {

// Rows between random pairs of free bodies; `central` rows have no angular part, as between spheres.
ContactProblem random_contacts(unsigned seed, int bodies, int contacts, bool central) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  BodyBuilder builder(std::vector<int>(at(bodies), 6));
  for (int i = 0; i < contacts; ++i) {
    builder.begin(Block::unilateral(0), Vec::Constant(1, number(random)));
    const int a = static_cast<int>(random() % static_cast<unsigned>(bodies));
    const int b = static_cast<int>(random() % static_cast<unsigned>(bodies));
    for (const int body : {a, b}) {
      Mat h(1, 6);
      for (int c = 0; c < 6; ++c) h(0, c) = c < 3 || !central ? number(random) : 1e-17 * number(random);
      builder.term(body, h);
      if (a == b) break;  // against the ground
    }
  }
  return builder.finish(0.01);
}

// λ ≥ 0, u ≥ 0, λᵀu = 0 by trying every set of closed contacts. G must be regular.
Vec enumerate(const ContactProblem& p) {
  const Mat G = p.G.densify();
  const int n = p.rows();
  for (unsigned set = 0; set < (1u << n); ++set) {
    std::vector<int> closed;
    for (int i = 0; i < n; ++i)
      if ((set >> i & 1u) != 0) closed.push_back(i);
    const int m = static_cast<int>(closed.size());
    Mat A(m, m);
    Vec b(m);
    for (int i = 0; i < m; ++i) {
      b[i] = -p.g[closed[at(i)]];
      for (int j = 0; j < m; ++j) A(i, j) = G(closed[at(i)], closed[at(j)]) + (i == j ? p.R(closed[at(i)]) : 0.0);
    }
    const Vec x = m > 0 ? Vec(test::solve_symmetric(A, b)) : Vec();
    Vec lambda = Vec::Zero(n);
    for (int i = 0; i < m; ++i) lambda[closed[at(i)]] = x[i];
    Vec u = G * lambda;
    for (int i = 0; i < n; ++i) u[i] += p.g[i] + p.R(i) * lambda[i];
    for (const int i : closed) u[i] = 0.0;
    if (lambda.minCoeff() >= 0.0 && u.minCoeff() >= 0.0) return lambda;
  }
  return Vec::Constant(n, std::numeric_limits<double>::quiet_NaN());
}

TEST(FrictionlessSor, AgreesWithEnumeration) {
  for (const bool central : {true, false})
    for (unsigned seed = 0; seed < 20; ++seed) {
      ContactProblem p = random_contacts(seed, 5, 8, central);
      p.compliance.assign(8, seed % 2 == 0 ? 1e-3 : 0.1);
      const Vec wanted = enumerate(p);
      Vec lambda = Vec::Constant(8, 0.3);
      FrictionlessSor sor;
      ASSERT_TRUE(sor.load(p)) << seed;
      ASSERT_TRUE(sor.run({}, 20000, lambda.data())) << seed;
      EXPECT_LE((lambda - wanted).norm(), 1e-5 * (1.0 + wanted.norm())) << seed << " " << central;
      EXPECT_TRUE(evaluate(p, lambda).accepted()) << seed;
    }
}

TEST(FrictionlessSor, IsWhatAutoUses) {
  const ContactProblem p = random_contacts(3, 60, 120, true);
  AutoSolver solver;
  Vec lambda = Vec::Zero(p.rows()), again = lambda;
  const Report report = solver.solve(p, lambda);
  EXPECT_EQ(std::string(report.path), "sor");
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_TRUE(evaluate(p, lambda).accepted());
  solver.solve(p, again);
  EXPECT_EQ(lambda, again);  // the same bits
  const Report warm = solver.solve(p, lambda);
  EXPECT_EQ(warm.iterations, 1);
}

// The same impulse velocities as the methods in contact space find.
TEST(FrictionlessSor, AgreesWithDenseNewton) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const ContactProblem p = random_contacts(seed, 20, 40, seed % 2 == 0), d = densified(p);
    AutoSolver solver;
    Vec lambda = Vec::Zero(p.rows()), dense = lambda;
    ASSERT_EQ(solver.solve(p, lambda).status, Status::converged);
    ASSERT_EQ(solver.solve(d, dense).status, Status::converged);
    const Mat G = p.G.densify();
    EXPECT_LE((G * (lambda - dense)).norm(), 1e-5 * (G * dense).norm()) << seed;
  }
}

TEST(FrictionlessSor, RefusesOtherProblems) {
  FrictionlessSor sor;
  ContactProblem p = random_contacts(1, 5, 8, true);
  EXPECT_TRUE(sor.load(p));
  EXPECT_FALSE(sor.load(densified(p)));
  p.blocks[2] = Block::box(2, -1.0, 1.0);
  EXPECT_FALSE(sor.load(p));
  BodyBuilder wide({9});
  wide.begin(Block::unilateral(0), Vec::Constant(1, -1.0));
  wide.term(0, Mat::Ones(1, 9));
  EXPECT_FALSE(sor.load(wide.finish(0.01)));
}

TEST(FrictionlessSor, SurvivesWhatIsNotFinite) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  ContactProblem p = random_contacts(2, 5, 8, true);
  FrictionlessSor sor;
  Vec lambda = Vec::Constant(8, nan);
  ASSERT_TRUE(sor.load(p));
  EXPECT_TRUE(sor.run({}, 20000, lambda.data()));
  EXPECT_TRUE(evaluate(p, lambda).accepted());
  p.g[3] = nan;
  ASSERT_TRUE(sor.load(p));
  EXPECT_FALSE(sor.run({}, 200, lambda.data()));
  EXPECT_TRUE(lambda.allFinite());
  AutoSolver solver;
  EXPECT_NE(solver.solve(p, lambda).status, Status::converged);
  EXPECT_TRUE(lambda.allFinite());
}

}  // namespace
}  // namespace stiction::test
