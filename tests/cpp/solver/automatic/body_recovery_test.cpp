// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the H that G was made of (its velocities, groups and products), and a rank that a dense factorisation finds.
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/problem/body_problem.h>
#include <stiction/solver/automatic/auto_solver.h>
#include <stiction/solver/automatic/body_recovery.h>

#include <string>

#include "solver/newton_problems.h"
#include "support/dense_oracles.h"
#include "support/heap_count.h"

namespace stiction {
namespace {

using namespace test;

ContactProblem condensed(const ContactProblem& body) {
  ContactProblem out = body;
  out.G = condense(body.G);
  return out;
}

double difference(const ContactProblem& a, const ContactProblem& b) {
  const Mat A = a.G.densify(), B = b.G.densify();
  return (A - B).cwiseAbs().maxCoeff() / A.cwiseAbs().maxCoeff();
}

// A stack of cubes has one group of six velocities per cube, and contacts touch two of them.
TEST(BodyRecovery, FindsTheBodiesOfAStack) {
  const ContactProblem body = box_pile(cube_stack(12, 0.01), 0.5, 0.01);
  for (const ContactProblem& p : {condensed(body), densified(body)}) {
    BodyRecovery recovery;
    ASSERT_TRUE(recovery.run(p));
    const BodySpace& found = recovery.problem().G.body;
    EXPECT_EQ(found.velocities, 72);
    EXPECT_EQ(found.group_start.size(), 13u);
    EXPECT_EQ(found.terms.size(), body.G.body.terms.size());
    EXPECT_LE(difference(p, recovery.problem()), 1e-13);
  }
}

// Random contacts among bodies, sometimes without ground, bilateral rows among them: F Fᵀ = G, and no more columns than rank.
TEST(BodyRecovery, ReproducesRandomMatrices) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const ContactProblem body =
        random_mix(seed, 2 + static_cast<int>(seed % 5), 6 + static_cast<int>(seed % 30), seed % 2 == 0, 1e-3);
    const ContactProblem p = condensed(body);
    BodyRecovery recovery;
    if (!recovery.run(p)) continue;  // refused, e.g. for its fill: that is an answer
    EXPECT_LE(difference(p, recovery.problem()), 1e-6) << seed;
    const Vec rank = test::eigenvalues(p.G.densify());
    const auto above = (rank.array() > 1e-10 * rank.maxCoeff()).count();
    EXPECT_LE(recovery.problem().G.body.velocities, above + 1) << seed;
  }
}

// What is not a Gram matrix is refused, not bent into one.
TEST(BodyRecovery, RefusesWhatHasNoBodies) {
  Random random(5);
  Mat G = random.uniform_matrix(30, 30, -1.0, 1.0);
  G = G + G.transpose().eval();
  ContactProblem p = ContactProblem::from_dense(Mat::Identity(30, 30), Vec::Ones(30), Vec::Ones(10));
  const std::vector<int> start = p.G.start;
  p.G = Delassus::from_dense(G, start);
  BodyRecovery recovery;
  EXPECT_FALSE(recovery.run(p));
  p.G = Delassus::from_dense(Mat::Identity(30, 30), start);
  EXPECT_TRUE(recovery.run(p));
  p.G.symmetric = false;
  EXPECT_FALSE(recovery.run(p));
}

// Oracle: the judge, of the matrix as given. The path tells that the bodies were used.
TEST(BodyRecovery, AutoSolvesAMatrixInBodySpace) {
  auto boxes = cube_stack(30, 0.01);
  for (std::size_t k = 0; k < boxes.size(); ++k) boxes[k].velocity[0] += 0.01 * static_cast<double>(k % 3);
  const ContactProblem p = condensed(box_pile(boxes, 0.3, 0.01));
  AutoSolver solver;
  Vec l = Vec::Zero(p.rows());
  Report r = solver.solve(p, l);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_TRUE(evaluate(p, l).accepted());
  EXPECT_EQ(std::string(r.path).rfind("nsgs>bodies>", 0), 0u) << r.path;
  const Vec first = l;
  l.setZero();
  const HeapCount counter;
  r = solver.solve(p, l);
  EXPECT_EQ(counter.count(), 0);
  EXPECT_EQ(first, l);
}

// Oracle: the product of H with its transpose.
TEST(Condenser, MultipliesOut) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ContactProblem body =
        random_mix(seed, 1 + static_cast<int>(seed % 4), 3 + static_cast<int>(seed % 9), seed % 2 == 0, 1e-3);
    EXPECT_LE(difference(body, condensed(body)), 1e-15);
  }
}

}  // namespace
}  // namespace stiction
