// SPDX-License-Identifier: BSD-2-Clause
// The LCP by a quadratic program: the published set, the reference problems, agreement with Lemke, problems without a
// solution.
#include <gtest/gtest.h>
#include <stiction/problem/lcp_problem.h>
#include <stiction/problem/reference_problems.h>

#include "solver/solver_support.h"

namespace stiction {
namespace {

using test::run;

struct Published {
  const char* name;
  int n;
  std::vector<double> M, q, z;  // z empty: several solutions
};

// Oracle: the solutions printed in Cottle, Pang, Stone and the other sources of the set.
std::vector<Published> published() {
  std::vector<double> murty(36, 0.0);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = i; j < 6; ++j) murty[6 * i + j] = i == j ? 1.0 : 2.0;
  return {{"CPS_1", 2, {1, 1, 1, 1}, {-1, -1}, {}},
          {"CPS_2", 3, {0, -1, 2, 2, 0, -2, -1, 1, 0}, {-3, 6, -1}, {0, 1, 3}},
          {"CPS_3", 4, {0, 0, 10, 20, 0, 0, 30, 15, 10, 20, 0, 0, 30, 15, 0, 0}, {-1, -1, -1, -1}, {}},
          {"CPS_4", 4, {11, 0, 10, -1, 0, 11, 10, -1, 10, 10, 21, -1, 1, 1, 1, 0}, {50, 50, 10, -6}, {2, 2, 2, 92}},
          {"CPS_5", 2, {1, -1, -1, 1}, {1, -1}, {0, 1}},
          {"Pang", 3, {0, -1, -1, 1, 0, 0, -1, 0, 0}, {0, -1, 1}, {1, 0, 0}},
          {"inf_sol_perturbed", 3, {0, -1, 1, 1, 0, 0, -1, 0, 0}, {-1e-4, -1, 1}, {1, 0, 1e-4}},
          {"deudeu", 2, {2, 1, 1, 2}, {-5, -6}, {4.0 / 3, 7.0 / 3}},
          {"ortiz", 4, {3, 1, 0, -1, -1, 2, 1, 1, 0, 1, 3, -1, 0, 0, 1, 2}, {-2, 1, -1, 1}, {2.0 / 3, 0, 1.0 / 3, 0}},
          {"murty", 6, murty, {-1, -1, -1, -1, -1, -1}, {0, 0, 0, 0, 0, 1}},
          {"murty2", 6, murty, {-126, -124, -120, -112, -96, -64}, {0, 0, 0, 0, 0, 64}}};
}

TEST(LcpQp, PublishedSet) {
  for (const Published& c : published()) {
    SCOPED_TRACE(c.name);
    const Mat M = Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(c.M.data(), c.n, c.n);
    const Vec q = Eigen::Map<const Vec>(c.q.data(), c.n);
    const auto [z, report] = run("lcp_qp", lcp_problem(M, q));
    EXPECT_EQ(report.status, Status::converged);
    EXPECT_LE(lcp_error(M, q, z), 1e-10);
    if (!c.z.empty()) {
      EXPECT_LE((z - Eigen::Map<const Vec>(c.z.data(), c.n)).norm(), 1e-10 * std::max(1.0, z.norm())) << z.transpose();
    }
  }
}

TEST(LcpQp, NoSolution) {
  for (const double m : {0.0, -1.0}) {
    const auto [z, report] = run("lcp_qp", lcp_problem(Mat::Constant(1, 1, m), Vec::Constant(1, -1.0)));
    EXPECT_EQ(report.status, Status::numerical_failure) << m;
    EXPECT_STREQ(report.path, "lcp_qp:infeasible");
    EXPECT_TRUE(z.allFinite());
  }
}

// Scaling q by 1e-6 scales z by 1e-6; q ≥ 0 gives z = 0.
TEST(LcpQp, ScalesAndTrivial) {
  const Mat M = (Mat(2, 2) << 2, 1, 1, 2).finished();
  const Vec z = run("lcp_qp", lcp_problem(M, 1e-6 * Vec2(-5, -6))).lambda;
  EXPECT_LE((1e6 * z - Vec2(4.0 / 3, 7.0 / 3)).norm(), 1e-9);
  EXPECT_EQ(run("lcp_qp", lcp_problem(M, Vec2(1, 2))).lambda.norm(), 0.0);
}

// Oracle: the table of the sliding cube.
TEST(LcpQp, SlidingCube) {
  const ContactProblem p = reference::rp1({FrictionLaw::pyramid});
  const auto [lambda, report] = run("lcp_qp", p);
  ASSERT_EQ(report.status, Status::converged);
  EXPECT_LE((test::total_force(p, lambda, 0, 4) - Vec3(9.298173, -9.298173, 10.331303)).norm(), 1e-5);
}

// Oracle: lemke. Full-rank problems with moderate friction have one solution; without friction the program is convex.
TEST(LcpQp, AgreesWithLemke) {
  int solved = 0;
  for (unsigned seed = 0; seed < 24; ++seed)
    for (const double mu : {0.0, 0.3}) {
      const ContactProblem p = test::random_contacts(seed, 1 + static_cast<int>(seed % 6), mu, {FrictionLaw::pyramid});
      const auto a = run("lcp_qp", p), b = run("lemke", p);
      ASSERT_EQ(b.report.status, Status::converged);
      if (mu == 0.0) {
        EXPECT_EQ(a.report.status, Status::converged) << seed;
      }
      if (a.report.status != Status::converged) continue;
      ++solved;
      EXPECT_LE((a.lambda - b.lambda).norm(), 1e-10 * b.lambda.norm()) << seed << " mu " << mu;
    }
  EXPECT_GE(solved, 44);
}

// Strong friction makes the program indefinite: what is not solved is called stalled, never converged.
TEST(LcpQp, StationaryPointsAreNotSolutions) {
  int stalled = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ContactProblem p = test::random_contacts(seed, 1 + static_cast<int>(seed % 10), 2.0, {FrictionLaw::pyramid});
    const auto [lambda, report] = run("lcp_qp", p);
    EXPECT_EQ(report.status == Status::converged, evaluate(p, lambda).accepted());
    stalled += report.status == Status::stalled;
  }
  EXPECT_GE(stalled, 1);
}

}  // namespace
}  // namespace stiction
