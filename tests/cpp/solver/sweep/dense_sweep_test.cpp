// SPDX-License-Identifier: BSD-2-Clause
// Oracle: the general sweep. block_sparse storage never takes the packed one, and both are the same iteration, so that
// after any number of sweeps λ agrees to round-off.
#include <gtest/gtest.h>
#include <stiction/solver/sweep/dense_sweep.h>

#include "solver/solver_support.h"

namespace stiction {
namespace {

void expect_same_sweeps(const ContactProblem& dense, const std::string& label) {
  const ContactProblem sparse = test::as_block_sparse(dense);
  ASSERT_TRUE(DenseSweep::fits(dense)) << label;
  ASSERT_FALSE(DenseSweep::fits(sparse)) << label;
  for (const char* solver : {"nsgs", "pgs"})
    for (const int sweeps : {1, 2, 3, 7}) {
      const OptionMap options = {{"anderson", 0}, {"max_iterations", sweeps}, {"tolerance", 1e-15}};
      const auto a = test::run(solver, dense, options), b = test::run(solver, sparse, options);
      EXPECT_GT(b.lambda.norm(), 0.0) << label;
      EXPECT_LE((a.lambda - b.lambda).norm(), 1e-11 * b.lambda.norm()) << label << " " << solver << " " << sweeps;
    }
}

TEST(DenseSweep, IsTheGeneralSweep) {
  for (const int contacts : {1, 2, 3, 4, 5, 8, 11})
    for (const double mu : {0.0, 0.05, 0.6}) {
      ContactProblem p = test::random_contacts(static_cast<unsigned>(contacts), contacts, mu);
      const std::string label = std::to_string(contacts) + " contacts, mu " + std::to_string(mu);
      expect_same_sweeps(p, label);
      p.compliance.assign(p.rows(), 0.3);
      for (int i = 0; i < p.rows(); i += 2) p.compliance[i] = 0.1;
      expect_same_sweeps(p, label + ", compliant");
    }
}

// Nothing can move a contact whose block of G is zero: the packed sweep leaves it at zero, as the general one does.
TEST(DenseSweep, BlocksWithoutMassStayFinite) {
  Mat G = Mat::Identity(12, 12);
  G.block(3, 0, 3, 12).setZero(), G.block(0, 3, 12, 3).setZero();
  const ContactProblem p = ContactProblem::from_dense(G, Vec::Constant(12, -0.1), Vec::Constant(4, 0.5), {}, 1e-3);
  for (const char* solver : {"nsgs", "pgs"}) {
    const auto [lambda, report] = test::run(solver, p);
    EXPECT_NE(report.status, Status::converged) << solver;
    EXPECT_TRUE(lambda.allFinite()) << solver;
  }
}

}  // namespace
}  // namespace stiction
