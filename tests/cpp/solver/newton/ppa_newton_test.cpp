// SPDX-License-Identifier: BSD-2-Clause
// Oracles: finite differences, closed forms of the reference problems, the judge.
#include <gtest/gtest.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/newton/ppa_newton.h>

#include <limits>
#include <random>

#include "solver/newton_problems.h"
#include "support/heap_count.h"

namespace stiction {
namespace {

using namespace test;

Vec map_of(const ContactProblem& p, const Vec& rho, const Vec& lambda, std::vector<ContactSlope>& slopes) {
  const Vec u = p.G.densify() * lambda + p.g.vec() +
                (p.compliant() ? Vec(p.compliance.vec().cwiseProduct(lambda)) : Vec::Zero(p.rows()));
  Vec F = lambda;
  slopes.resize(p.blocks.size());
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    Vec a = lambda.segment(b.row, b.size) - rho.segment(b.row, b.size).cwiseProduct(u.segment(b.row, b.size));
    slopes[i] = alart_curnier_block(b, a.data(), a.data());
    F.segment(b.row, b.size) -= a;
  }
  return F;
}

// Oracle: central differences of F. The Newton step d must make F(λ) + J d vanish, J from differences.
TEST(AlartCurnier, NewtonStepSolvesTheDifferencedSystem) {
  int slips = 0, opens = 0, sticks = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    ContactProblem p = densified(random_mix(seed, 3, 4, true, 1e-3));
    p.compliance.assign(p.rows(), 0.05);
    Vec rho(p.rows()), lambda(p.rows());
    alart_curnier_steps(p, 2.0, 0.0, 1e-12, rho.data());
    std::mt19937_64 rng(seed + 100);
    std::uniform_real_distribution<double> u(-0.3, 0.6);
    for (int i = 0; i < p.rows(); ++i) lambda[i] = u(rng);
    std::vector<ContactSlope> slopes, ignored;
    const Vec F = map_of(p, rho, lambda, slopes);
    for (const ContactSlope& s : slopes)
      slips += s.mode == Branch::slip, opens += s.mode == Branch::open, sticks += s.mode == Branch::stick;
    NewtonSystem system;
    system.load(p);
    Vec d(p.rows());
    ASSERT_TRUE(system.solve(p, slopes, rho.data(), 0.0, F.data(), d.data()));
    const double h = 1e-6 / d.norm();
    const Vec Jd = (map_of(p, rho, lambda + h * d, ignored) - map_of(p, rho, lambda - h * d, ignored)) / (2.0 * h);
    EXPECT_LE((F + Jd).norm(), 1e-5 * F.norm()) << seed;
  }
  EXPECT_GT(slips, 20);
  EXPECT_GT(opens, 20);
  EXPECT_GT(sticks, 20);
}

// Oracle: the dense solve of the same system.
TEST(NewtonSystem, SparseFormAgreesWithDense) {
  const ContactProblem body = box_pile(plank_tower(8, 0.01), 0.5, 0.01), dense = densified(body);
  ContactProblem sparse = dense;
  Delassus& G = sparse.G;
  G.storage = Delassus::Storage::block_sparse;
  G.row_start = {0};
  const int n = dense.rows();
  for (int i = 0; i < G.blocks(); ++i) {
    for (int j = 0; j < G.blocks(); ++j) {
      double size = 0.0;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) size += std::abs(dense.G.dense[at((3 * i + r) * n + 3 * j + c)]);
      if (size == 0.0) continue;
      G.column.push_back(j);
      G.value_start.push_back(static_cast<int>(G.values.size()));
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) G.values.push_back(dense.G.dense[at((3 * i + r) * n + 3 * j + c)]);
    }
    G.row_start.push_back(static_cast<int>(G.column.size()));
  }
  G.refresh_diagonal();
  Vec rho(n), lambda(n), a(n), b(n);
  alart_curnier_steps(dense, 10.0, 0.1, 1e-12, rho.data());
  std::mt19937_64 rng(5);
  std::uniform_real_distribution<double> u(-0.1, 0.2);
  for (int i = 0; i < n; ++i) lambda[i] = u(rng);
  std::vector<ContactSlope> slopes;
  const Vec F = map_of(dense, rho, lambda, slopes);
  NewtonSystem of_dense, of_sparse;
  of_dense.load(dense), of_sparse.load(sparse);
  ASSERT_TRUE(of_sparse.sparse());
  const double alpha = 0.1 * of_dense.scale();
  ASSERT_TRUE(of_dense.solve(dense, slopes, rho.data(), alpha, F.data(), a.data()));
  ASSERT_TRUE(of_sparse.solve(sparse, slopes, rho.data(), alpha, F.data(), b.data()));
  EXPECT_LE((a - b).norm(), 1e-9 * a.norm());
}

PpaNewton newton_only(double tolerance = 1e-8, double absolute = 1e-9) {
  PpaNewtonOptions o;
  o.warm_sweeps = 0;
  o.tolerance = tolerance, o.velocity_tolerance = o.power_tolerance = absolute, o.force_tolerance = 1e3 * absolute;
  return PpaNewton(o);
}

double sum_of(const Vec& lambda, int row, int first, int contacts) {
  double s = 0.0;
  for (int k = first; k < first + contacts; ++k) s += lambda[3 * k + row];
  return s;
}

// Oracle: numbers of reference_problems.h, which have seven digits: the default tolerance would allow four times 1e-6 N.
TEST(PpaNewton, ReferenceProblems) {
  PpaNewton solver = newton_only(1e-10, 1e-11);
  const ContactProblem rp1 = reference::rp1(), rp2 = reference::rp2(), rp3 = reference::rp3();
  Vec l = Vec::Zero(12);
  EXPECT_EQ(solver.solve(rp1, l).status, Status::converged);
  EXPECT_NEAR(sum_of(l, 2, 0, 4) / 1e-3, 9.81, 1e-6);
  EXPECT_NEAR(sum_of(l, 0, 0, 4) / 1e-3, 0.975000, 2e-6);
  EXPECT_NEAR(sum_of(l, 1, 0, 4) / 1e-3, -8.774999, 2e-6);
  l = Vec::Zero(24);
  EXPECT_EQ(newton_only().solve(rp2, l).status,
            Status::converged);  // 1e-10 is below the round-off of a mass ratio of 1e6
  EXPECT_NEAR(sum_of(l, 2, 0, 4) / 1e-3, 9810.00981, 1e-4);
  EXPECT_NEAR(sum_of(l, 2, 4, 4) / 1e-3, 9810.0, 1e-4);
  l = Vec::Zero(12);
  EXPECT_EQ(solver.solve(rp3, l).status, Status::converged);
  EXPECT_LE((rp3.G.densify() * l + rp3.g.vec()).norm(), 1e-9);  // all stick
  for (const auto& [name, p] : reference::rp4()) {
    Vec x = Vec::Zero(p.rows());
    const Report r = newton_only().solve(p, x);
    EXPECT_EQ(r.status, Status::converged) << name;
    EXPECT_TRUE(x.allFinite()) << name;
    EXPECT_LE(evaluate(p, x).ratio, 1.0) << name;
  }
}

// Oracle: judge. Newton alone, without sweeps, from zero, on redundant contacts of a fallen quadruped.
TEST(PpaNewton, BellyQuadrupeds) {
  PpaNewton solver = newton_only();
  int failed = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const ContactProblem p = densified(belly_quadruped(seed, seed % 2 ? 0.8 : 0.4, 1e-3));
    Vec l = Vec::Zero(p.rows());
    solver.solve(p, l);
    failed += !evaluate(p, l).accepted();
  }
  EXPECT_LE(failed, 2);  // Newton alone is not the cascade: auto must solve all
}

// Oracle: definition. Bad guesses, bad data and foreign laws have defined outcomes.
TEST(PpaNewton, OutcomesOfBadInput) {
  PpaNewton solver;
  ContactProblem p = reference::rp1();
  Vec l = Vec::Constant(12, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(solver.solve(p, l).status, Status::converged);
  EXPECT_TRUE(l.allFinite());
  p.g[2] = std::numeric_limits<double>::quiet_NaN();
  const Report bad = solver.solve(p, l);
  EXPECT_EQ(bad.status, Status::invalid_problem);
  EXPECT_FALSE(bad.own.accepted());
  EXPECT_TRUE(l.allFinite());
  const ContactProblem convex = reference::rp1({FrictionLaw::convex});
  l.setConstant(7.0);
  EXPECT_EQ(solver.solve(convex, l).status, Status::invalid_problem);
  EXPECT_EQ(l[0], 7.0);
}

TEST(PpaNewton, SecondSolveAllocatesNothingAndRepeatsItsBits) {
  const ContactProblem p = densified(belly_quadruped(4, 0.8, 1e-3));
  PpaNewton solver = newton_only();
  Vec a = Vec::Zero(p.rows()), b = a;
  solver.solve(p, a);
  const HeapCount counter;
  solver.solve(p, b);
  EXPECT_EQ(counter.count(), 0);
  EXPECT_TRUE((a.array() == b.array()).all());
}

// Oracle: every option changes something: the iterates of a hard problem differ in bits or the outcome does.
TEST(PpaNewton, NoOptionIsSilent) {
  const ContactProblem dense = densified(belly_quadruped(11, 0.8, 1e-3)),
                       body = box_pile(cube_stack(8, 0.01), 0.5, 0.01);
  const auto run = [](const PpaNewtonOptions& o, const ContactProblem& p) {
    PpaNewton s(o);
    Vec l = Vec::Zero(p.rows());
    s.solve(p, l);
    return l;
  };
  PpaNewtonOptions base;
  base.warm_sweeps = 0;
  const Vec d0 = run(base, dense), b0 = run(base, body);
  PpaNewtonOptions o = base;
  o.penalty = 40.0;
  EXPECT_NE(run(o, dense), d0);
  o = base, o.damping = 0.1;
  EXPECT_NE(run(o, dense), d0);
  o = base, o.warm_sweeps = 7;
  EXPECT_NE(run(o, dense), d0);
  o = base, o.kappa = 50.0;
  EXPECT_NE(run(o, body), b0);
  o = base, o.kappa_growth = 3.0;
  EXPECT_NE(run(o, body), b0);
}

}  // namespace
}  // namespace stiction
