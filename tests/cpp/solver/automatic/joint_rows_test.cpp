// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the judge; pivoting on problems with one solution; closed forms.
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/problem/judge.h>
#include <stiction/solver/automatic/auto_solver.h>
#include <stiction/solver/catalog.h>

#include <cmath>
#include <string>

#include "support/heap_count.h"

namespace stiction {
namespace {

// A robot: contacts, dry friction in joints, limits and a loop on the same velocities. g = J v: a motion that stops everything exists.
ContactProblem robot_problem(std::uint64_t seed, int contacts, int boxes, int limits, int loops) {
  Random random(seed);
  const int rows = 3 * contacts + boxes + limits + 2 * loops, velocities = boxes + limits + 6;
  Mat J = random.uniform_matrix(rows, velocities, -1.0, 1.0);
  ContactProblem p;
  std::vector<int> start{0};
  const auto add = [&](Block b) {
    b.row = start.back();
    p.blocks.push_back(b);
    start.push_back(b.row + b.size);
  };
  for (int i = 0; i < contacts; ++i) add(Block::coulomb(0, random.uniform()));
  for (int i = 0; i < loops; ++i) add(Block::bilateral(0, 2));
  for (int i = 0; i < boxes + limits; ++i) {
    const double bound = 0.2 * random.uniform();
    if (i < boxes)
      add(Block::box(0, -bound, bound, true));
    else
      add(Block::unilateral(0, true));
    J.row(start.back() - 1).setZero();
    J(start.back() - 1, i) = i < boxes ? 1.0 : -1.0;
  }
  Vec w(velocities);
  for (int j = 0; j < velocities; ++j) w[j] = std::pow(10.0, random.uniform(-0.5, 1.0));
  const Mat H = J * w.cwiseSqrt().asDiagonal();
  p.G = Delassus::from_dense(H * H.transpose(), start);
  p.g = GrowingVec(Vec(J * random.uniform_vector(velocities, -1.0, 1.0)));
  p.dt = 1e-3;
  return p;
}

TEST(JointRows, RobotsAreSolvedAroundTheirContacts) {
  AutoSolver solver;
  int by_joints = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const ContactProblem p = robot_problem(seed, static_cast<int>(seed % 6), 3 + static_cast<int>(seed % 17),
                                           static_cast<int>(seed % 4), static_cast<int>(seed % 3));
    Vec lambda = Vec::Zero(p.rows());
    const Report report = solver.solve(p, lambda);
    EXPECT_EQ(report.status, Status::converged) << seed << " " << report.path;
    EXPECT_TRUE(evaluate(p, lambda).accepted()) << seed;
    by_joints += std::string(report.path) == "joints";
  }
  EXPECT_GE(by_joints, 190);  // the rest by the general stages
}

// Boxes and limits alone with a positive definite G have one solution: Lemke's.
TEST(JointRows, AgreeWithPivotingWhereTheSolutionIsUnique) {
  AutoSolver solver;
  const auto lemke = find_solver("lemke").make({});
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    ContactProblem p = robot_problem(seed, 0, 20, 6, 0);
    p.law.kind = FrictionLaw::pyramid;  // of contacts, of which there are none
    Vec a = Vec::Zero(p.rows()), b = a;
    EXPECT_STREQ(solver.solve(p, a).path, "joints");
    ASSERT_EQ(lemke->solve(p, b).status, Status::converged);
    EXPECT_LE((a - b).cwiseAbs().maxCoeff(), 1e-9) << seed;
  }
}

// The same solution from the states of the last step, and without allocating.
TEST(JointRows, WarmStartTakesOneRound) {
  AutoSolver solver;
  const ContactProblem p = robot_problem(7, 4, 20, 3, 1);
  Vec lambda = Vec::Zero(p.rows());
  ASSERT_EQ(solver.solve(p, lambda).status, Status::converged);
  Vec again = lambda;
  const test::HeapCount heap;
  const Report report = solver.solve(p, again);
  EXPECT_EQ(heap.count(), 0);
  EXPECT_STREQ(report.path, "joints");
  EXPECT_EQ(report.factorisations, 1);
  EXPECT_LE((again - lambda).cwiseAbs().maxCoeff(), 1e-7);
}

// A loop that is held twice: any split of the impulse will do.
TEST(JointRows, RedundantRowsShareTheImpulse) {
  ContactProblem p;
  Mat J(3, 2);
  J << 1.0, 0.0, 1.0, 0.0, 0.0, 1.0;
  p.blocks = {Block::bilateral(0, 1), Block::bilateral(1, 1), Block::box(2, -0.1, 0.1)};
  p.G = Delassus::from_dense(J * J.transpose(), {0, 1, 2, 3});
  p.g = GrowingVec(Vec3(0.5, 0.5, 1.0));
  p.dt = 1e-3;
  AutoSolver solver;
  Vec lambda = Vec::Zero(3);
  EXPECT_EQ(solver.solve(p, lambda).status, Status::converged);
  EXPECT_NEAR(lambda[0] + lambda[1], -0.5, 1e-14);
  EXPECT_NEAR(lambda[2], -0.1, 1e-15);
}

// An arm whose only joint sticks, pressed on a table: the joint gives way once the contact asks for more than it can bear. With
// u_N = λ_N + λ_f + g and friction that can take less than −g the contact bears the rest.
TEST(JointRows, AContactOnAHeldJointGetsWhatTheJointCannotBear) {
  ContactProblem p;
  Mat J(4, 1);
  J << 0.0, 0.0, 1.0, 1.0;
  p.blocks = {Block::coulomb(0, 0.5), Block::box(3, -0.2, 0.2)};
  p.G = Delassus::from_dense(J * J.transpose(), {0, 3, 4});
  p.g = GrowingVec(Vec(J * Vec::Constant(1, -1.0)));
  p.dt = 1e-3;
  AutoSolver solver;
  Vec lambda = Vec::Zero(4);
  EXPECT_EQ(solver.solve(p, lambda).status, Status::converged);
  EXPECT_NEAR(lambda[2] + lambda[3], 1.0, 1e-9);
  EXPECT_GE(lambda[2], 0.8 - 1e-9);
}

}  // namespace
}  // namespace stiction
