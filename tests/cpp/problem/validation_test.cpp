// SPDX-License-Identifier: BSD-2-Clause
// Bad problems are refused by name, slightly wrong ones pass.
// Oracle: matrices Q Λ Qᵀ with eigenvalues chosen here, on both sides of each limit; dense and block-sparse alike.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/base/random.h>
#include <stiction/problem/definiteness.h>
#include <stiction/problem/validate_problem.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include <cmath>
#include <limits>
#include <string>

#include "support/dense_oracles.h"

namespace stiction {
namespace {

const double kBadNumber = std::numeric_limits<double>::quiet_NaN();

std::string refusal(const ContactProblem& p) {
  try {
    p.validate();
  } catch (const InvalidInput& e) {
    return e.what();
  }
  return "";
}

void expect_words(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " in: " << text;
}

// Contacts with the given G; `sparse` stores every block of it as block_sparse.
ContactProblem problem(const Mat& G, bool sparse = false) {
  ContactProblem p;
  std::vector<int> start{0};
  for (int i = 0; i < G.rows() / 3; ++i) {
    p.blocks.push_back(Block::coulomb(3 * i, 0.5));
    start.push_back(3 * i + 3);
  }
  p.g.assign(static_cast<int>(G.rows()), -0.1);
  p.G = Delassus::from_dense(G, start);
  if (!sparse) return p;
  Delassus s;
  s.storage = Delassus::Storage::block_sparse;
  s.start = start;
  s.row_start = {0};
  for (int i = 0; i < s.blocks(); ++i) {
    for (int j = 0; j < s.blocks(); ++j) {
      if (i != j && G.block<3, 3>(3 * i, 3 * j).isZero(0.0)) continue;
      s.column.push_back(j);
      s.value_start.push_back(static_cast<int>(s.values.size()));
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) s.values.push_back(G(3 * i + r, 3 * j + c));
    }
    s.row_start.push_back(static_cast<int>(s.column.size()));
  }
  s.refresh_diagonal();
  p.G = s;
  return p;
}

Mat random_basis(int n, std::uint64_t seed) {
  Random random(seed);
  Mat A(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A(i, j) = random.uniform(-1.0, 1.0);
  return test::orthogonal_factor(A);
}

// Eigenvalues: one `smallest`, a third of them zero, the rest spread over [0.1, 1].
Mat with_smallest(int n, double smallest) {
  Vec values = Vec::LinSpaced(n, 0.1, 1.0);
  values.head(n / 3).setZero();
  values[0] = smallest;
  const Mat Q = random_basis(n, 7);
  const Mat G = Q * values.asDiagonal() * Q.transpose();
  return 0.5 * (G + G.transpose());
}

TEST(Validation, IndefiniteMatricesAreRefusedOnceTheyAreBelowTheLimit) {
  for (const bool sparse : {false, true})
    for (const int n : {3, 12, 60, 240}) {
      EXPECT_EQ(refusal(problem(with_smallest(n, 0.0), sparse)), "") << n;
      EXPECT_EQ(refusal(problem(with_smallest(n, -0.99e-6), sparse)), "") << n;
      EXPECT_EQ(refusal(problem(3e9 * with_smallest(n, -9e-8), sparse)), "") << n;
      const std::string text = refusal(problem(with_smallest(n, -1.01e-6), sparse));
      expect_words(text, {"ContactProblem.G is indefinite", "-1.01e-06", "row", "general = true"});
      expect_words(refusal(problem(2e-9 * with_smallest(n, -0.1), sparse)), {"indefinite", "-2e-10", "largest 2e-09"});
    }
}

TEST(Validation, TheEigenvalueReportedIsTheSmallestAndItsRowTheLargestComponent) {
  Mat G = Mat::Identity(9, 9);
  G(4, 7) = G(7, 4) = 1.5;  // eigenvalues 1 ± 1.5 on rows 4 and 7
  G(7, 7) = 0.9;
  const auto found = find_negative_eigenvalue(problem(G).G, kLargestNegative);
  ASSERT_TRUE(found.has_value());
  const double root = std::sqrt(0.05 * 0.05 + 1.5 * 1.5);
  EXPECT_NEAR(found->smallest, 0.95 - root, 1e-12);
  EXPECT_NEAR(found->largest, 0.95 + root, 1e-12);
  EXPECT_EQ(found->row, 7);
}

TEST(Validation, UnsymmetricMatricesAreRefusedWithTheLargestDifferenceNamed) {
  for (const bool sparse : {false, true}) {
    const Mat G = with_smallest(12, 0.1);
    for (const double relative : {0.99e-2, 1.01e-2}) {
      Mat skewed = G;
      // ‖G − Gᵀ‖_F = √2 |change|, so that this is `relative` of the norm after the change, to first order.
      const double change = relative * G.norm() / std::sqrt(2.0);
      skewed(3, 5) += 0.5 * change, skewed(5, 3) -= 0.5 * change;
      const std::string text = refusal(problem(skewed, sparse));
      if (relative < kLargestSkew)
        EXPECT_EQ(text, "");
      else
        expect_words(text, {"G[3, 5]", "G[5, 3]", "symmetric", "general = true"});
    }
  }
}

TEST(Validation, AHalfThatIsNotStoredCountsAsZero) {
  Mat G = Mat::Identity(6, 6);
  G(1, 4) = 0.3;
  for (const bool sparse : {false, true}) {
    const Skewness skew = skewness(problem(G, sparse).G);
    EXPECT_NEAR(skew.relative, std::sqrt(2.0) * 0.3 / std::sqrt(6.09), 1e-14);
    EXPECT_EQ(skew.row, 1);
    EXPECT_EQ(skew.column, 4);
    EXPECT_EQ(skew.entry, 0.3);
    EXPECT_EQ(skew.mirrored, 0.0);
  }
}

TEST(Validation, EntriesThatAreNotFiniteAreNamed) {
  for (const bool sparse : {false, true}) {
    ContactProblem p = problem(with_smallest(12, 0.1), sparse);
    (sparse ? p.G.values[static_cast<std::size_t>(p.G.value_start[4 * 1 + 2]) + 3 * 2 + 1] : p.G.dense[5 * 12 + 7]) =
        kBadNumber;
    expect_words(refusal(p), {"G[5, 7]", "nan", "finite"});
  }
  ContactProblem p = problem(Mat::Identity(9, 9));
  p.g[4] = std::numeric_limits<double>::infinity();
  expect_words(refusal(p), {"g[4]", "inf", "finite"});
  p = problem(Mat::Identity(9, 9));
  p.blocks[2].mu = -0.25;
  expect_words(refusal(p), {"mu[2]", "-0.25", ">= 0"});
}

// Oracle: the sizes at which the exact test is given up for Lanczos; a gross eigenvalue is still found there.
TEST(Validation, LargeMatricesAreTested) {
  const int n = 2400;
  ContactProblem p = problem(Mat::Identity(3, 3));
  p.blocks.clear();
  p.G = {};
  p.G.start = {0};
  for (int i = 0; i < n / 3; ++i) p.blocks.push_back(Block::coulomb(3 * i, 0.5)), p.G.start.push_back(3 * i + 3);
  p.g.assign(n, 0.0);
  p.G.dense.assign(static_cast<std::size_t>(n) * n, 0.0);
  for (int i = 0; i < n; ++i) p.G.dense[static_cast<std::size_t>(i) * (n + 1)] = 1.0 + i % 7;
  p.G.refresh_diagonal();
  EXPECT_EQ(refusal(p), "");
  for (const int other : {17 * n + 900, 900 * n + 17}) p.G.dense[static_cast<std::size_t>(other)] = 6.5;
  expect_words(refusal(p), {"indefinite", "-2.0"});  // rows 17 and 900 hold 4 and 5: 4.5 − √(0.25 + 6.5²) = −2.02
}

TEST(Validation, GeneralProblemsMayHaveAnySquareMatrixButNotContacts) {
  ContactProblem p = problem(Mat::Identity(3, 3));
  p.general = true;
  expect_words(refusal(p), {"blocks[0].kind", "coulomb", "unilateral or box"});
  Mat M(2, 2);
  M << -1.0, 5.0, 0.0, 0.0;
  ContactProblem lcp;
  lcp.blocks = {Block::unilateral(0), Block::box(1, 0.0, 1.0)};
  lcp.g.assign(2, 1.0);
  lcp.G = Delassus::from_dense(M, {0, 1, 2});
  expect_words(refusal(lcp), {"G[0, 1]", "symmetric"});
  lcp.general = true;
  EXPECT_EQ(refusal(lcp), "");
  lcp.G.dense[1] = kBadNumber;
  expect_words(refusal(lcp), {"G[0, 1]", "nan"});
}

// Oracle: nothing to do is done: every solver of the catalog accepts the empty problem.
TEST(Validation, TheEmptyProblemIsLegalAndSolved) {
  for (const SolverInfo& info : solver_catalog()) {
    ContactProblem p;
    p.law.kind = info.laws.front();
    EXPECT_EQ(refusal(p), "");
    Vec lambda(0);
    EXPECT_EQ(info.make({})->solve(p, lambda).status, Status::converged) << info.name;
  }
}

}  // namespace
}  // namespace stiction
