// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/problem/judge.h>
#include <stiction/problem/lcp_problem.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include <cmath>
#include <limits>

namespace stiction {
namespace {

const Mat kM = (Mat(2, 2) << 2.0, 1.0, 1.0, 2.0).finished();
const Vec kQ = (Vec(2) << -5.0, -6.0).finished();

TEST(LcpProblem, IsUnilateralRowsWithTheMatrixAsGiven) {
  const Mat M = (Mat(2, 2) << -1.0, 3.0, 0.5, 0.0).finished();
  const ContactProblem p = lcp_problem(M, kQ);
  EXPECT_TRUE(p.general);
  EXPECT_FALSE(p.G.symmetric);
  EXPECT_EQ(p.G.densify(), M);
  EXPECT_EQ(p.g.vec(), kQ);
  ASSERT_EQ(p.blocks.size(), 2u);
  for (const Block& b : p.blocks) EXPECT_EQ(b.kind, BlockKind::unilateral);
}

// Oracle: (4/3, 7/3) solves it; by hand, z = 0 leaves w = q and z = (1, 1) leaves w = (−2, −3).
TEST(LcpProblem, ErrorIsRelativeToQ) {
  EXPECT_LE(lcp_error(kM, kQ, Vec::Zero(2)), 1.0);
  EXPECT_DOUBLE_EQ(lcp_error(kM, kQ, Vec::Zero(2)), 1.0);
  EXPECT_DOUBLE_EQ(lcp_error(kM, kQ, Vec::Ones(2)), 0.5);
  const Vec z = (Vec(2) << 4.0 / 3.0, 7.0 / 3.0).finished();
  EXPECT_LE(lcp_error(kM, kQ, z), 1e-15);
  EXPECT_TRUE(evaluate(lcp_problem(kM, kQ), z).accepted());
  EXPECT_FALSE(evaluate(lcp_problem(kM, kQ), Vec::Ones(2)).accepted());
  EXPECT_TRUE(std::isnan(lcp_error(kM, kQ, Vec::Constant(2, std::numeric_limits<double>::quiet_NaN()))));
}

TEST(LcpProblem, BadInputIsNamed) {
  EXPECT_THROW(lcp_problem(Mat::Identity(2, 3), kQ), InvalidInput);
  EXPECT_THROW(lcp_problem(Mat::Identity(3, 3), kQ), InvalidInput);
  EXPECT_THROW(lcp_problem(Mat::Constant(2, 2, std::numeric_limits<double>::infinity()), kQ), InvalidInput);
  ContactProblem p = ContactProblem::from_dense(Mat::Identity(3, 3), Vec::Zero(3), Vec::Ones(1));
  p.general = true;
  EXPECT_THROW(p.validate(), InvalidInput) << "friction needs a positive semidefinite matrix";
}

// A matrix that need not be positive semidefinite goes only to solvers that promise nothing about it.
TEST(LcpProblem, OnlySolversOfGeneralMatricesTakeIt) {
  const ContactProblem p = lcp_problem(kM, kQ);
  EXPECT_NO_THROW(require_problem(find_solver("lemke"), p));
  EXPECT_THROW(require_problem(find_solver("dantzig"), p), InvalidInput);
  EXPECT_THROW(require_problem(find_solver("admm"), p), InvalidInput);
}

// Sweeps divide by the diagonal: a zero in it is refused by its place, never divided by.
TEST(LcpProblem, SweepsNeedAPositiveDiagonal) {
  const Mat good = (Mat(2, 2) << 1.0, 2.0, 0.0, 1.0).finished(), bad = (Mat(2, 2) << 1.0, 2.0, 0.0, 0.0).finished();
  const Vec q = Vec::Constant(2, -1.0);
  for (const char* solver : {"pgs", "nsgs", "sor", "jor"}) {
    EXPECT_NO_THROW(require_problem(find_solver(solver), lcp_problem(good, q)));
    try {
      require_problem(find_solver(solver), lcp_problem(bad, q));
      FAIL() << solver;
    } catch (const InvalidInput& e) {
      EXPECT_NE(std::string(e.what()).find("M[1, 1]"), std::string::npos) << e.what();
    }
  }
}

}  // namespace
}  // namespace stiction
