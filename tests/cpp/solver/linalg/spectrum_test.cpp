// SPDX-License-Identifier: BSD-2-Clause
// Oracle: Eigen's eigenvalues of the matrix written out.
#include <gtest/gtest.h>
#include <stiction/solver/linalg/spectrum.h>

#include <cmath>

#include "solver/newton_problems.h"
#include "solver/solver_support.h"
#include "support/dense_oracles.h"

namespace stiction {
namespace {

SpectrumEnds by_eigen(const ContactProblem& p) {
  Mat W = p.G.densify();
  for (int r = 0; r < p.rows(); ++r) W(r, r) += p.R(r);
  const Vec values = test::eigenvalues(0.5 * (W + W.transpose()));
  SpectrumEnds e{values[values.size() - 1], 0.0};
  for (int k = 0; k < values.size() && e.smallest == 0.0; ++k)
    if (values[k] > 1e-10 * e.largest) e.smallest = values[k];
  return e;
}

// Full rank, rank deficient, compliant, all kinds of blocks; fewer different eigenvalues than steps: exact.
TEST(Spectrum, EndsOfSmallProblems) {
  std::vector<ContactProblem> problems = {test::box_pile(test::cube_stack(5, 1e-3), 0.5, 1e-3)};
  for (unsigned seed = 0; seed < 10; ++seed) {
    problems.push_back(test::random_contacts(seed, 1 + static_cast<int>(seed), 0.5));
    problems.push_back(test::belly_quadruped(seed, 0.5, 1e-3));
    problems.push_back(test::random_mix(seed, 4, 8, true, 1e-3));
  }
  problems.push_back(problems.back());
  problems.back().compliance.assign(problems.back().rows(), 1e-3);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const SpectrumEnds expected = by_eigen(problems[k]), found = Spectrum().ends(problems[k]);
    EXPECT_NEAR(found.largest, expected.largest, 1e-10 * expected.largest) << k;
    EXPECT_NEAR(found.smallest, expected.smallest, 1e-6 * expected.smallest) << k;
  }
}

// A tower of equal cubes: half of the space is null space, and 80 different eigenvalues are used up before the steps are.
TEST(Spectrum, NullSpaceOfATowerStaysOut) {
  const ContactProblem p = test::box_pile(test::cube_stack(20, 1e-2), 0.7, 1e-2);
  for (const ContactProblem& q : {p, test::as_block_sparse(p), test::as_dense(p)}) {
    const SpectrumEnds expected = by_eigen(q), found = Spectrum().ends(q);
    EXPECT_NEAR(found.largest, expected.largest, 1e-6 * expected.largest);
    EXPECT_NEAR(found.smallest, expected.smallest, 1e-3 * expected.smallest);
  }
}

// More eigenvalues than steps: the upper end to round-off, the lower one from above.
TEST(Spectrum, BoundsOfLargeProblems) {
  const ContactProblem p = test::random_contacts(3, 100, 0.5);
  ASSERT_GT(p.rows(), Spectrum::kSteps);
  Spectrum spectrum;
  const SpectrumEnds expected = by_eigen(p), found = spectrum.ends(p);
  EXPECT_EQ(spectrum.steps(), Spectrum::kSteps);
  EXPECT_NEAR(found.largest, expected.largest, 1e-10 * expected.largest);
  EXPECT_GE(found.smallest, expected.smallest * (1.0 - 1e-10));
  EXPECT_LE(found.smallest, 2.0 * expected.smallest);
}

TEST(Spectrum, NothingToSee) {
  for (const ContactProblem& p :
       {ContactProblem{}, ContactProblem::from_dense(Mat::Zero(3, 3), Vec3::Zero(), Vec::Ones(1))}) {
    const SpectrumEnds e = Spectrum().ends(p);
    EXPECT_EQ(e.largest, 0.0);
    EXPECT_EQ(e.smallest, 0.0);
  }
}

}  // namespace
}  // namespace stiction
