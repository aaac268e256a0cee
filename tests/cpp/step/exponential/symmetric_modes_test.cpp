// SPDX-License-Identifier: BSD-2-Clause
// Oracles: Eigen's SelfAdjointEigenSolver; Q f(Θ) Qᵀ y with f(θ) = θ is a product with the matrix.
#include <gtest/gtest.h>
#include <stiction/base/types.h>
#include <stiction/step/exponential/symmetric_modes.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "support/dense_oracles.h"

namespace stiction {
namespace {

Mat random_symmetric(unsigned seed, int n, int rank) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const Mat factor = Mat::NullaryExpr(n, rank, [&] { return unit(random); });
  return factor * factor.transpose();
}

// Eigenvalues, Qᵀy → Qy = y, and Q Θ Qᵀ y = a y, all relative to the largest eigenvalue.
void expect_modes(const Mat& a, const char* what) {
  const int n = static_cast<int>(a.rows());
  Mat destroyed = a, in = Mat::Zero(4, n), out(2, n);
  for (int i = 0; i < n; ++i) in.col(i) << 1.0 + i, std::cos(2.0 * i), std::sin(3.0 * i), 0.0;
  const Mat y = in.topRows(2).transpose();
  SymmetricModes modes;
  modes.enter(n, destroyed.data(), in.data());
  Vec values = Eigen::Map<const Vec>(modes.eigenvalues(), n);
  for (int i = 0; i < n; ++i) out.col(i) << in(0, i), values[i] * in(1, i);
  modes.leave(out.data());
  std::sort(values.begin(), values.end());
  const Vec expected = test::eigenvalues(a);
  const double scale = std::max(expected.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
  EXPECT_LT((values - expected).cwiseAbs().maxCoeff(), 1e-14 * n * scale) << what << ", " << n << " rows";
  EXPECT_LT((out.row(0).transpose() - y.col(0)).norm(), 1e-14 * n * y.col(0).norm()) << what << ", " << n << " rows";
  EXPECT_LT((out.row(1).transpose() - a * y.col(1)).cwiseAbs().maxCoeff(), 1e-14 * n * scale * y.col(1).norm())
      << what << ", " << n << " rows";
}

TEST(SymmetricModes, RandomMatrices) {
  for (const int n : {1, 2, 3, 4, 5, 6, 7, 9, 12, 17, 24, 48})
    for (unsigned seed = 0; seed < 20; ++seed) {
      expect_modes(random_symmetric(seed, n, n), "full rank");
      expect_modes(random_symmetric(seed, n, std::max(1, n / 2)), "half rank");
      expect_modes(random_symmetric(seed, n, n) - Mat::Identity(n, n), "indefinite");
    }
}

TEST(SymmetricModes, SpecialMatrices) {
  for (const int n : {1, 2, 3, 6, 12}) {
    expect_modes(Mat::Zero(n, n), "zero");
    expect_modes(Mat::Identity(n, n), "identity");
    expect_modes(Mat::Ones(n, n), "ones");
    expect_modes(Vec::LinSpaced(n, -2.0, 3.0).asDiagonal(), "diagonal");
    expect_modes(1e200 * random_symmetric(1, n, n), "huge");
    expect_modes(1e-200 * random_symmetric(1, n, n), "tiny");
    Mat chain = 2.0 * Mat::Identity(n, n);  // tridiagonal already
    for (int i = 0; i + 1 < n; ++i) chain(i, i + 1) = chain(i + 1, i) = -1.0;
    expect_modes(chain, "chain");
    const Vec grade = Vec::NullaryExpr(n, [](Eigen::Index i) { return std::pow(10.0, -0.5 * static_cast<double>(i)); });
    expect_modes(grade.asDiagonal() * random_symmetric(2, n, n) * grade.asDiagonal(), "graded");
  }
  Mat blocks = Mat::Zero(9, 9);  // three contacts of three bodies
  for (int b = 0; b < 3; ++b) blocks.block(3 * b, 3 * b, 3, 3) = random_symmetric(static_cast<unsigned>(b), 3, 2);
  expect_modes(blocks, "blocks");
}

TEST(SymmetricModes, WhatIsNotFiniteGivesNaN) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Mat a = random_symmetric(1, 4, 4), y = Mat::Zero(4, 4);
    a(2, 1) = a(1, 2) = bad;
    SymmetricModes modes;
    modes.enter(4, a.data(), y.data());
    EXPECT_TRUE(std::isnan(modes.eigenvalues()[0]));
  }
}

}  // namespace
}  // namespace stiction
