// SPDX-License-Identifier: BSD-2-Clause
// Oracle: the definition. z, w ≥ 0 and zᵀw = 0 of plain complementarity problems, and their homogeneity: r → a r makes z → a z.
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/problem/lcp_problem.h>
#include <stiction/solver/pivot/lemke.h>

namespace stiction {
namespace {

struct MatrixLcp {
  Mat M;
  Vec q;
};

// M = B Bᵀ of random rank: positive semidefinite; q = w − M z with complementary z, w ≥ 0, so that a solution exists.
MatrixLcp random_psd(std::uint64_t seed) {
  Random random(seed);
  const int n = 2 + static_cast<int>(random.uniform() * 27.0), rank = 1 + static_cast<int>(random.uniform() * n);
  Mat B(n, rank);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < rank; ++k) B(i, k) = random.uniform(-1.0, 1.0);
  Vec z = Vec::Zero(n), w = Vec::Zero(n);
  for (int i = 0; i < n; ++i) (random.uniform() < 0.5 ? z : w)[i] = random.uniform();
  const Mat M = B * B.transpose();
  return {M, w - M * z};
}

TEST(LemkeClassic, RandomSemidefinite) {
  Lemke lemke;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const MatrixLcp p = random_psd(seed);
    Vec z = Vec::Zero(p.q.size());
    ASSERT_EQ(lemke.solve(lcp_problem(p.M, p.q), z).status, Status::converged) << seed;
    const Vec w = p.M * z + p.q;
    ASSERT_GE(z.minCoeff(), -1e-7) << seed;
    ASSERT_GE(w.minCoeff(), -1e-7) << seed;
    ASSERT_LT(std::abs(z.dot(w)), 1e-6) << seed;
  }
}

TEST(LemkeClassic, Scaling) {
  Lemke lemke;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    MatrixLcp p = random_psd(seed);
    p.M.diagonal().array() += 0.1;  // one solution
    Vec z = Vec::Zero(p.q.size()), small = z;
    lemke.solve(lcp_problem(p.M, p.q), z);
    lemke.solve(lcp_problem(p.M, 1e-6 * p.q), small);
    ASSERT_LT((1e6 * small - z).lpNorm<Eigen::Infinity>(), 1e-9 * z.lpNorm<Eigen::Infinity>() + 1e-300) << seed;
  }
}

}  // namespace
}  // namespace stiction
