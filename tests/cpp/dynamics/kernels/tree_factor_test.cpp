// SPDX-License-Identifier: BSD-2-Clause
// Oracle: the dense Cholesky factor of the mass matrix, M = L̂ᵀL̂ with L̂ lower triangular.
#include <gtest/gtest.h>

#include "dynamics/dense_oracle.h"

namespace stiction {
namespace {

using test::dense_factor, test::DenseOracle, test::relative_error;

// Seeds: even ones have a floating base, odd ones a fixed root; a free body stands beside the tree.
class TreeFactor : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(RandomTrees, TreeFactor, ::testing::Range(0, 8));

TEST_P(TreeFactor, ReproducesTheMassMatrix) {
  const DenseOracle o(GetParam());
  const Mat L = o.factor();
  EXPECT_LE(relative_error(L.transpose() * L, mass_matrix(o.world, o.layout, o.tree.q)), 1e-14);
}

TEST_P(TreeFactor, IsTheDenseFactor) {
  const DenseOracle o(GetParam());
  EXPECT_LE(relative_error(o.factor(), dense_factor(mass_matrix(o.world, o.layout, o.tree.q))), 1e-12);
}

TEST_P(TreeFactor, DenseFactorHasNoEntryOutsideTheChains) {
  const DenseOracle o(GetParam());
  const Mat dense = dense_factor(mass_matrix(o.world, o.layout, o.tree.q));
  const Mat kept = o.lower(std::vector<double>(o.layout.packed, 1.0));
  EXPECT_LE((dense.array() * (1.0 - kept.array())).abs().maxCoeff(), 1e-14);
}

TEST_P(TreeFactor, InverseDiagonal) {
  const DenseOracle o(GetParam());
  const Mat L = o.factor();
  for (int j = 0; j < o.world.nv; ++j) EXPECT_NEAR(o.k.inverse_diagonal[j] * L(j, j), 1.0, 1e-14);
}

TEST_P(TreeFactor, SolveLower) {
  const DenseOracle o(GetParam());
  const Vec b = o.tree.vector(o.world.nv);
  Vec x = b;
  for (const Tree& tree : o.world.trees) solve_lower(o.layout, tree, o.k, x.data());
  EXPECT_LE(relative_error(o.factor() * x, b), 1e-13);
}

TEST_P(TreeFactor, SolveTransposed) {
  const DenseOracle o(GetParam());
  const Vec b = o.tree.vector(o.world.nv);
  Vec x = b;
  for (const Tree& tree : o.world.trees) solve_transposed(o.layout, tree, o.k, x.data());
  EXPECT_LE(relative_error(o.factor().transpose() * x, b), 1e-13);
}

TEST_P(TreeFactor, BothSolvesInvertTheMassMatrix) {
  const DenseOracle o(GetParam());
  const Vec b = o.tree.vector(o.world.nv);
  Vec x = b;
  for (const Tree& tree : o.world.trees) {
    solve_transposed(o.layout, tree, o.k, x.data());
    solve_lower(o.layout, tree, o.k, x.data());
  }
  EXPECT_LE(relative_error(x, test::dense_solve(dense_factor(mass_matrix(o.world, o.layout, o.tree.q)), b)), 1e-11);
}

TEST_P(TreeFactor, OneTreeLeavesTheOtherAlone) {
  const DenseOracle o(GetParam());
  const Vec b = o.tree.vector(o.world.nv);
  const Tree& last = o.world.trees.back();
  Vec x = b;
  solve_lower(o.layout, last, o.k, x.data());
  solve_transposed(o.layout, last, o.k, x.data());
  EXPECT_EQ(x.head(last.v), b.head(last.v));
}

TEST(TreeFactorFreeBody, IsTheSameInEveryOrientation) {
  DenseOracle o(2);
  const Tree& last = o.world.trees.back();
  const Mat before = o.factor().bottomRightCorner(6, 6);
  Vec q = o.tree.q;
  q.segment<4>(last.q + 3) = Eigen::Vector4d(0.5, -0.5, 0.5, 0.5);
  o.place(q);
  EXPECT_EQ(Mat(o.factor().bottomRightCorner(6, 6)), before);
}

}  // namespace
}  // namespace stiction
