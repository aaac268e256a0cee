// SPDX-License-Identifier: BSD-2-Clause
// Oracle: Eigen's dense J M⁻¹ Jᵀ and J M⁻¹ f + w.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/base/random.h>
#include <stiction/problem/body_problem.h>

#include <Eigen/Dense>

#include "support/dense_oracles.h"

namespace stiction {
namespace {

SparseRows rows_of(const Mat& dense) {
  SparseRows out{static_cast<int>(dense.rows()), static_cast<int>(dense.cols()), {0}, {}, {}};
  for (int r = 0; r < out.rows; ++r) {
    for (int c = 0; c < out.columns; ++c)
      if (dense(r, c) != 0.0) out.column.push_back(c), out.values.push_back(dense(r, c));
    out.start.push_back(static_cast<int>(out.column.size()));
  }
  return out;
}

Mat dense_of(const SparseRows& x) {
  Mat out = Mat::Zero(x.rows, x.columns);
  for (int r = 0; r < x.rows; ++r)
    for (int k = x.start[static_cast<std::size_t>(r)]; k < x.start[static_cast<std::size_t>(r) + 1]; ++k)
      out(r, x.column[static_cast<std::size_t>(k)]) += x.values[static_cast<std::size_t>(k)];
  return out;
}

Mat random_matrix(Random& random, int rows, int columns) {
  Mat out(rows, columns);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) out(r, c) = random.uniform(-1.0, 1.0);
  return out;
}

// Velocities 0 2 6 and 1 3 are two bodies that lie between each other; 4 and 5 are alone.
struct Example {
  Mat M = Mat::Zero(7, 7), J;
  Vec f, w;
  ContactProblem problem;

  explicit Example(Random& random) {
    for (const std::vector<int>& body : {std::vector<int>{0, 2, 6}, {1, 3}, {4}, {5}}) {
      const int n = static_cast<int>(body.size());
      const Mat root = random_matrix(random, n, n), block = root * root.transpose() + Mat::Identity(n, n);
      for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c)
          M(body[static_cast<std::size_t>(r)], body[static_cast<std::size_t>(c)]) = block(r, c);
    }
    J = random_matrix(random, 9, 7);
    J.row(3) << 0, 0, 0, 0, 0, 2, 0;                                    // a limit of the last velocity
    for (const int c : {0, 2, 4, 5, 6}) J.block(4, c, 3, 1).setZero();  // the second body only
    f = random_matrix(random, 7, 1), w = random_matrix(random, 9, 1);
    problem.blocks = {Block::coulomb(0, 0.5), Block::unilateral(3), Block::coulomb(4, 0.7), Block::bilateral(7, 2)};
    fill_body_form(rows_of(M), rows_of(J), f, w, problem);
  }
};

TEST(BodyProblem, IsTheCondensedProblem) {
  Random random(1);
  const Example e(random);
  const Mat inverse = test::inverse(e.M);
  e.problem.validate();
  EXPECT_EQ(e.problem.G.storage, Delassus::Storage::body_space);
  EXPECT_EQ(e.problem.G.body.group_start, (std::vector<int>{0, 3, 5, 6, 7}));
  EXPECT_LT((e.problem.G.densify() - e.J * inverse * e.J.transpose()).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((e.problem.g.vec() - e.J * inverse * e.f - e.w).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(BodyProblem, CondensesToBlocksThatShareABody) {
  Random random(2);
  const Example e(random);
  const Delassus blocks = condense(e.problem.G);
  EXPECT_EQ(blocks.storage, Delassus::Storage::block_sparse);
  EXPECT_LT((blocks.densify() - e.problem.G.densify()).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_EQ(blocks.row_start[2] - blocks.row_start[1],
            3);  // the limit meets itself and two others, not the second contact
  for (int i = 0; i < blocks.blocks(); ++i)
    for (int k = blocks.diagonal_start[static_cast<std::size_t>(i)];
         k < blocks.diagonal_start[static_cast<std::size_t>(i) + 1]; ++k)
      EXPECT_NEAR(blocks.diagonal[static_cast<std::size_t>(k)], e.problem.G.diagonal[static_cast<std::size_t>(k)],
                  1e-14);
}

TEST(BodyProblem, SixVelocitiesOfADiagonalMassAreABody) {
  Random random(4);
  const Mat J = random_matrix(random, 3, 14);
  ContactProblem problem;
  problem.blocks = {Block::coulomb(0, 0.5)};
  fill_body_form(rows_of(Mat::Identity(14, 14)), rows_of(J), Vec(), Vec::Zero(3), problem);
  EXPECT_EQ(problem.G.body.group_start, (std::vector<int>{0, 6, 12, 13, 14}));
  EXPECT_LT((problem.G.densify() - J * J.transpose()).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(BodyProblem, CondensesDenseMatrices) {
  Mat G = Mat::Zero(6, 6);
  G.topLeftCorner(3, 3).setIdentity();
  const Delassus blocks = condense(Delassus::from_dense(G, {0, 3, 6}));
  EXPECT_EQ(blocks.column, (std::vector<int>{0, 1}));  // the diagonal is always there
  EXPECT_EQ(blocks.densify(), G);
}

TEST(BodyProblem, SparseRowsAreGOrH) {
  Random random(3);
  const Example e(random);
  const Mat H = dense_of(sparse_rows(e.problem.G));
  EXPECT_LT((H * H.transpose() - e.problem.G.densify()).cwiseAbs().maxCoeff(), 1e-14);
  const Delassus blocks = condense(e.problem.G);
  EXPECT_EQ(dense_of(sparse_rows(blocks)), blocks.densify());
}

TEST(BodyProblem, TreesKeepTheirZeros) {
  // A root and two branches: M connects each branch with the root only.
  Mat M(3, 3), J = Mat::Zero(3, 3);
  M << 3, 1, 1, 1, 2, 0, 1, 0, 2;
  J(0, 1) = 1, J(1, 1) = 2, J(2, 1) = 3;  // moved by the first branch
  ContactProblem problem;
  problem.blocks = {Block::coulomb(0, 0.5)};
  fill_body_form(rows_of(M), rows_of(J), Vec(), Vec::Zero(3), problem);
  EXPECT_EQ(problem.G.body.terms.front().width, 2);  // the branch and the root, not the other branch
  EXPECT_LT((problem.G.densify() - J * test::inverse(M) * J.transpose()).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(BodyProblem, RefusesMassesThatAreNone) {
  ContactProblem problem;
  problem.blocks = {Block::coulomb(0, 0.5)};
  Mat M = Mat::Identity(3, 3);
  const Mat J = Mat::Identity(3, 3);
  M(2, 2) = -1.0;
  EXPECT_THROW(fill_body_form(rows_of(M), rows_of(J), Vec(), Vec::Zero(3), problem), InvalidInput);
  M(2, 2) = 1.0, M(0, 1) = 0.5;
  EXPECT_THROW(fill_body_form(rows_of(M), rows_of(J), Vec(), Vec::Zero(3), problem), InvalidInput);
}

}  // namespace
}  // namespace stiction
