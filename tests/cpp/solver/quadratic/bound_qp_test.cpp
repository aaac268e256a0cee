// SPDX-License-Identifier: BSD-2-Clause
// Oracle: the optimality conditions of min ½xᵀQx + gᵀx, x_i ≥ 0 on every third row, which are sufficient for Q ≻ 0.
#include <gtest/gtest.h>
#include <stiction/base/types.h>
#include <stiction/solver/quadratic/bound_qp.h>

#include <random>

namespace stiction::test {
namespace {

struct Draw {
  Mat Q;
  Vec g;
};

Draw draw(int contacts, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const int n = 3 * contacts;
  const Mat A = Mat::NullaryExpr(n, std::max(3, n / 2), [&] { return normal(random); });
  return {A * A.transpose() + 0.1 * Mat::Identity(n, n), Vec::NullaryExpr(n, [&] { return normal(random); })};
}

void fill(const Draw& d, BoundQp& qp) {
  const int n = static_cast<int>(d.g.size());
  qp.resize(n, 3);
  for (int i = 0; i < n; ++i) {
    qp.g()[i] = d.g[i];
    for (int j = 0; j < n; ++j) qp.Q()[i * n + j] = d.Q(i, j);
  }
}

TEST(BoundQp, IsOptimal) {
  BoundQp qp;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const Draw d = draw(1 + static_cast<int>(seed % 12), seed);
    fill(d, qp);
    ASSERT_TRUE(qp.solve()) << seed;
    const Vec x = Eigen::Map<const Vec>(qp.x(), d.g.size());
    const Vec slope = d.Q * x + d.g;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const bool bounded = i % 3 == 2, at_bound = bounded && x[i] <= 0.0;
      EXPECT_TRUE(!bounded || x[i] >= 0.0) << seed;
      EXPECT_TRUE(at_bound ? slope[i] >= -1e-9 : std::abs(slope[i]) <= 1e-9) << seed << ": " << slope[i];
    }
  }
}

// What the published rule leaves: stationary on the contacts that are kept, nothing on the others, and a cost that is not lower.
TEST(BoundQp, OmittingIsFeasibleButNotBetter) {
  BoundQp qp;
  int worse = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Draw d = draw(4, seed);
    fill(d, qp);
    ASSERT_TRUE(qp.solve());
    const Vec best = Eigen::Map<const Vec>(qp.x(), d.g.size());
    ASSERT_TRUE(qp.solve_omitting());
    const Vec x = Eigen::Map<const Vec>(qp.x(), d.g.size());
    for (Eigen::Index i = 2; i < x.size(); i += 3) EXPECT_GE(x[i], 0.0);
    const auto cost = [&](const Vec& y) { return 0.5 * y.dot(d.Q * y) + d.g.dot(y); };
    EXPECT_GE(cost(x), cost(best) - 1e-10);
    worse += cost(x) > cost(best) + 1e-6;
  }
  EXPECT_GT(worse, 50);
}

TEST(BoundQp, AnIndefiniteMatrixIsTold) {
  BoundQp qp;
  Draw d = draw(2, 1);
  d.Q(0, 0) = -1.0;
  fill(d, qp);
  EXPECT_FALSE(qp.solve());
}

}  // namespace
}  // namespace stiction::test
