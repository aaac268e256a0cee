// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the judge, closed forms, static equilibrium.
#include <gtest/gtest.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/automatic/auto_solver.h>

#include <limits>
#include <string>

#include "solver/newton_problems.h"
#include "support/heap_count.h"

namespace stiction {
namespace {

using namespace test;

// Oracle: one contact, G = I/m: λ_N = m·push, λ_T = −min(μ λ_N, m·slip).
TEST(Auto, OneContactInClosedForm) {
  const double m = 2.0, push = 0.5, slip = 0.4;
  Vec g(3), mu(1);
  g << slip, 0.0, -push;
  mu << 0.3;
  const ContactProblem p = ContactProblem::from_dense(Mat::Identity(3, 3) / m, g, mu, {}, 1e-3);
  AutoSolver solver;
  Vec l = Vec::Constant(3, 5.0);
  const Report r = solver.solve(p, l);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.iterations, 1);
  EXPECT_STREQ(r.path, "closed_form");
  EXPECT_LE((l - Vec3(-0.3 * m * push, 0.0, m * push)).norm(), 1e-14);
}

// Oracle: closed forms of the other blocks alone: unilateral −g/G, box clamp(−g/G), bilateral −G⁻¹g.
TEST(Auto, OtherSingleBlocks) {
  AutoSolver solver;
  const auto solve = [&](const Block& block, const Mat& G, const Vec& g) {
    ContactProblem p;
    p.G = Delassus::from_dense(G, {0, block.size});
    p.g = GrowingVec(g);
    p.blocks = {block};
    p.dt = 1e-3;
    Vec l = Vec::Zero(block.size);
    EXPECT_EQ(solver.solve(p, l).status, Status::converged);
    return l;
  };
  const Mat two = Mat::Constant(1, 1, 2.0);
  EXPECT_NEAR(solve(Block::unilateral(0), two, Vec::Constant(1, -3.0))[0], 1.5, 1e-15);
  EXPECT_NEAR(solve(Block::box(0, -1.0, 1.0), two, Vec::Constant(1, -3.0))[0], 1.0, 1e-15);
  Mat G(2, 2);
  G << 2.0, 0.5, 0.5, 1.0;
  const Vec g = Vec::LinSpaced(2, 1.0, 2.0);
  EXPECT_LE((G * solve(Block::bilateral(0, 2), G, g) + g).norm(), 1e-14);
}

// Oracle: contacts that all open need no impulse, whatever the guess.
TEST(Auto, OpeningContactsGetZero) {
  auto boxes = cube_stack(1, 1e-3);
  boxes[0].velocity = (Vec6() << 1, 0, 0.5, 0, 0, 0).finished();
  const ContactProblem p = box_pile(boxes, 0.5, 1e-3);
  AutoSolver solver;
  Vec l = Vec::Constant(p.rows(), 3.0);
  EXPECT_EQ(solver.solve(p, l).status, Status::converged);
  EXPECT_EQ(l.norm(), 0.0);
}

// Oracle: numbers of reference_problems.h; convex and pyramid have their own.
TEST(Auto, ReferenceProblems) {
  AutoSolver solver;
  Vec l = Vec::Zero(12);
  const auto total = [&](int row) {
    double s = 0.0;
    for (int k = 0; k < 4; ++k) s += l[3 * k + row];
    return s / 1e-3;
  };
  EXPECT_EQ(solver.solve(reference::rp1(), l).status, Status::converged);
  EXPECT_NEAR(total(2), 9.81, 1e-6);
  EXPECT_NEAR(total(1), -8.774999, 2e-6);
  l.setZero();
  EXPECT_EQ(solver.solve(reference::rp1({FrictionLaw::convex}), l).status, Status::converged);
  EXPECT_NEAR(total(2), 656.3808, 1e-4);
  l.setZero();
  EXPECT_EQ(solver.solve(reference::rp1({FrictionLaw::pyramid}), l).status, Status::converged);
  EXPECT_NEAR(total(2), 10.331303, 1e-5);
  for (const auto& [name, p] : reference::rp4()) {
    Vec x = Vec::Zero(p.rows());
    EXPECT_EQ(solver.solve(p, x).status, Status::converged) << name;
    EXPECT_LE(evaluate(p, x).ratio, 1.0) << name;
  }
  Vec x = Vec::Zero(24);
  EXPECT_EQ(solver.solve(reference::rp2(), x).status, Status::converged);
  l.setZero();
  EXPECT_EQ(solver.solve(reference::rp1({FrictionLaw::raisim}), l).status, Status::converged);
  EXPECT_NEAR(total(1), -8.21663, 1e-3);
}

// Oracle: judge. Redundant contacts, all kinds of blocks, dense and in body space: nothing may fail.
TEST(Auto, FiveHundredRankDeficientProblems) {
  AutoSolver solver;
  int failed = 0, deficient = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const int bodies = 1 + static_cast<int>(seed % 3);
    const ContactProblem p = random_mix(seed, bodies, 4 + static_cast<int>(seed % 9), seed % 2 == 0, 1e-3);
    const ContactProblem q = seed % 4 < 2 ? p : densified(p);
    deficient += q.rows() > p.G.body.velocities;
    Vec l = Vec::Zero(q.rows());
    const Report r = solver.solve(q, l);
    const bool ok = evaluate(q, l).accepted();
    EXPECT_EQ(ok, r.status == Status::converged) << seed;
    failed += !ok;
  }
  EXPECT_EQ(failed, 0);
  EXPECT_GT(deficient, 350);
}

// Oracle: judge. Robots on their belly, cold and warm (velocity changed inside the range of G).
TEST(Auto, BellyQuadrupeds) {
  AutoSolver solver;
  int cold = 0, warm = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    ContactProblem p = belly_quadruped(seed, seed % 2 ? 0.8 : 0.4, 1e-3);
    Vec l = Vec::Zero(p.rows());
    solver.solve(p, l);
    cold += !evaluate(p, l).accepted();
    for (int i = 0; i < p.rows(); ++i) p.g[i] *= 1.001;
    solver.solve(p, l);
    warm += !evaluate(p, l).accepted();
  }
  EXPECT_EQ(cold, 0);
  EXPECT_EQ(warm, 0);
}

// Oracle: judge and equilibrium of the whole stack, in both storages.
TEST(Auto, StackOfTwenty) {
  const double dt = 0.01;
  const ContactProblem body = box_pile(cube_stack(20, dt), 0.3, dt), dense = densified(body);
  AutoSolver solver;
  for (const ContactProblem* p : {&body, &dense}) {
    Vec l = Vec::Zero(p->rows());
    EXPECT_EQ(solver.solve(*p, l).status, Status::converged);
    EXPECT_LE(evaluate(*p, l).ratio, 1.0);
    // Accepted velocities are within 2e-9 m/s at each contact, so cube k within 2e-9 k, and m/dt Σ 2e-9 k = 4.2e-5 N.
    EXPECT_NEAR((l[2] + l[5] + l[8] + l[11]) / dt, 20 * 9.81, 4.2e-5);
    const Report warm = solver.solve(*p, l);
    EXPECT_EQ(warm.status, Status::converged);
    EXPECT_EQ(warm.iterations, 1);
  }
}

TEST(Auto, RepeatsItsBitsAndAllocatesNothingTheSecondTime) {
  std::vector<ContactProblem> problems = {densified(belly_quadruped(11, 0.8, 1e-3)), belly_quadruped(1, 0.8, 1e-3),
                                          box_pile(cube_stack(20, 0.01), 0.5, 0.01), random_mix(7, 2, 9, true, 1e-3),
                                          reference::rp1({FrictionLaw::pyramid}),    reference::rp0()};
  AutoSolver used;
  std::vector<Vec> first;
  for (const ContactProblem& p : problems) {
    first.push_back(Vec::Zero(p.rows()));
    used.solve(p, first.back());
  }
  for (std::size_t i = 0; i < problems.size(); ++i) {
    Vec again = Vec::Zero(problems[i].rows()), fresh = again;
    const HeapCount counter;
    used.solve(problems[i], again);
    EXPECT_EQ(counter.count(), 0) << i;
    AutoSolver().solve(problems[i], fresh);
    EXPECT_TRUE((again.array() == first[i].array()).all()) << i;
    EXPECT_TRUE((again.array() == fresh.array()).all()) << i;
  }
}

// Oracle: order. A larger budget of iterations goes further along the same path, so that its result is never worse.
TEST(Auto, BudgetsOfIterationsAreKept) {
  auto boxes = cube_stack(15, 0.01);
  for (std::size_t k = 0; k < boxes.size(); ++k) boxes[k].velocity[1] += 0.02 * static_cast<double>(k % 4);
  const ContactProblem body = box_pile(boxes, 0.3, 0.01);
  for (const ContactProblem& p : {body, densified(body), densified(belly_quadruped(3, 0.8, 1e-3))}) {
    double before = std::numeric_limits<double>::infinity();
    bool converged = false;
    for (int budget = 1; budget <= 200; budget += 7) {
      AutoOptions o;
      o.max_iterations = budget;
      Vec l = Vec::Zero(p.rows());
      const Report r = AutoSolver(o).solve(p, l);
      EXPECT_LE(r.iterations, budget) << r.path;
      EXPECT_LE(r.own.ratio, before) << budget;
      EXPECT_EQ(r.status, r.own.accepted() ? Status::converged : Status::max_iterations) << r.path;
      EXPECT_TRUE(l.allFinite());
      before = r.own.ratio;
      converged = r.status == Status::converged;
    }
    EXPECT_TRUE(converged);
  }
}

// Oracle: two contacts with opposite normals on one body whose free velocity closes both: u_N1 = -u_N2 + closing.
TEST(Auto, ImpossibleProblemsAreReportedAsSuch) {
  Mat J = Mat::Zero(6, 3);  // a body that can only translate, between two walls along z
  J.topRows(3) = Mat::Identity(3, 3);
  J.bottomRows(3) = -Mat::Identity(3, 3);
  Vec g = Vec::Zero(6);
  g[2] = -0.3, g[5] = -0.2;  // walls that approach each other
  const ContactProblem p = ContactProblem::from_dense(J * J.transpose(), g, Vec::Constant(2, 0.4), {}, 1e-3);
  for (const FrictionLaw::Kind law : {FrictionLaw::coulomb, FrictionLaw::convex, FrictionLaw::pyramid}) {
    ContactProblem q = p;
    q.law.kind = law;
    Vec l = Vec::Zero(6);
    const Report r = AutoSolver().solve(q, l);
    EXPECT_EQ(r.status, Status::infeasible) << name(law) << " " << name(r.status);
    EXPECT_TRUE(l.allFinite());
  }
}

// Oracle: options reach the stages: few sweeps send a stack to Newton, none of the restarts changes an easy one.
TEST(Auto, OptionsAndPathTellTheStages) {
  const ContactProblem p = densified(box_pile(cube_stack(5, 0.01), 0.7, 0.01));
  AutoOptions o;
  Vec l = Vec::Zero(p.rows());
  const Report newton = AutoSolver(o).solve(p, l);
  EXPECT_STREQ(newton.path, "nsgs>ppa_newton");
  EXPECT_GT(newton.factorisations, 0);
  o.sweeps = 100000;
  l.setZero();
  EXPECT_STREQ(AutoSolver(o).solve(p, l).path, "nsgs");
  o = {};
  o.time_limit = 1e-12;  // spent before the first stage ends: an honest status and a finite λ
  l.setZero();
  EXPECT_EQ(AutoSolver(o).solve(p, l).status, Status::max_iterations);
  EXPECT_TRUE(l.allFinite());
  o = {};
  o.max_iterations = 1, o.newton_steps = 1, o.restarts = 0;
  l.setZero();
  const Report spent = AutoSolver(o).solve(p, l);
  EXPECT_NE(spent.status, Status::converged);
  EXPECT_TRUE(l.allFinite());
}

}  // namespace
}  // namespace stiction
