// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>
#include <stiction/cone/coulomb_cone.h>
#include <stiction/solver/local/local_blocks.h>
#include <stiction/solver/local/local_contact.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <random>

namespace stiction {
namespace {

using Row3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

struct Local {
  Row3 W;
  Vec3 b;
  double mu;
};

// The oracle: ‖r − P_K(r − ρ(u + Γ(u)))‖ / ‖r‖ with ρ = 3/tr W; 0 for r = 0 exactly when r = 0 solves.
double natural_error(const Local& p, const Vec3& r) {
  const CoulombCone cone{p.mu};
  const Vec3 u = p.W * r + p.b;
  const double e = (r - cone.project(r - 3.0 / p.W.trace() * (u + cone.shift(u)))).norm();
  return r.norm() > 0.0 ? e / r.norm() : (e > 0.0 ? 1.0 : 0.0);
}

ContactMode solve(const Local& p, Vec3& r) {
  LocalContact contact;
  contact.prepare(p.W.data(), p.mu);
  return contact.solve(p.b.data(), r.data());
}

class Generator {
 public:
  explicit Generator(unsigned seed) : rng_(seed) {}
  double uniform() { return uniform_(rng_); }
  double normal() { return normal_(rng_); }
  Mat matrix(int rows, int cols) {
    Mat a(rows, cols);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) a(i, j) = normal();
    return a;
  }
  // Rows scaled over two decades, up to seven degrees of freedom.
  Local block() {
    Mat A = matrix(3, 3 + static_cast<int>(4 * uniform()));
    for (int r = 0; r < 3; ++r) A.row(r) *= std::pow(10.0, 2.0 * uniform() - 1.0);
    const double push = std::abs(normal());
    return {A * A.transpose(), Vec3(normal(), normal(), uniform() < 0.2 ? push : -push), 2.0 * uniform()};
  }

 private:
  std::mt19937_64 rng_;
  std::uniform_real_distribution<double> uniform_;
  std::normal_distribution<double> normal_;
};

TEST(LocalContact, TwoHundredThousandRandomBlocks) {
  Generator random(1);
  int modes[4] = {};
  for (int k = 0; k < 200000; ++k) {
    const Local p = random.block();
    Vec3 r;
    ++modes[static_cast<int>(solve(p, r))];
    ASSERT_LE(natural_error(p, r), 1e-10) << "block " << k;
    ASSERT_GE(r.z(), 0.0) << "block " << k;
  }
  EXPECT_GT(modes[static_cast<int>(ContactMode::open)], 10000);
  EXPECT_GT(modes[static_cast<int>(ContactMode::stick)], 10000);
  EXPECT_GT(modes[static_cast<int>(ContactMode::slip)], 10000);
  EXPECT_EQ(modes[static_cast<int>(ContactMode::failed)], 0);
}

// Oracle: closed form for W = I/m with the push along N: λ_N = m·push, λ_T = −min(μλ_N, m·slip) along the slip.
TEST(LocalContact, ClosedForm) {
  Vec3 r;
  EXPECT_EQ(solve({Row3::Identity() / 2.0, Vec3(0.1, 0.0, -0.5), 0.2}, r), ContactMode::stick);
  EXPECT_NEAR((r - Vec3(-0.2, 0.0, 1.0)).norm(), 0.0, 1e-15);
  EXPECT_EQ(solve({Row3::Identity() / 2.0, Vec3(0.3, -0.4, -0.5), 0.2}, r), ContactMode::slip);
  EXPECT_NEAR((r - Vec3(-0.12, 0.16, 1.0)).norm(), 0.0, 1e-15);
  EXPECT_EQ(solve({Row3::Identity(), Vec3(0.3, 0.4, 0.0), 0.2}, r), ContactMode::open);
  EXPECT_EQ(r, Vec3::Zero());
}

// Unsymmetric W with a positive symmetric part, and a starting point from the last iterate.
TEST(LocalContact, UnsymmetricBlocksAndWarmRoots) {
  Generator random(2);
  for (int k = 0; k < 20000; ++k) {
    Local p = random.block();
    const Mat skew = random.matrix(3, 3);
    p.W += 1e-3 * p.W.trace() * (skew - skew.transpose()) / 3.0 + 1e-2 * p.W.trace() * Row3::Identity();
    LocalContact contact;
    contact.prepare(p.W.data(), p.mu);
    Vec3 cold, warm(random.normal(), random.normal(), 1.0);
    contact.solve(p.b.data(), cold.data());
    const Vec3 u = p.W * warm + p.b;
    contact.solve(p.b.data(), warm.data(), u.data());
    ASSERT_LE(natural_error(p, cold), 1e-10) << "block " << k;
    ASSERT_LE(natural_error(p, warm), 1e-10) << "block " << k;
  }
}

// Rank 1 and 2 with b in range(W): a solution exists and must be found.
TEST(LocalContact, SingularBlocks) {
  Generator random(3);
  int failed = 0;
  for (int k = 0; k < 8000; ++k) {
    const int rank = 1 + k % 2;
    Mat A = random.matrix(3, rank);
    A(2, 0) += A(2, 0) > 0.0 ? 0.5 : -0.5;
    const Row3 W = A * A.transpose();
    const Vec3 b = W * Vec3(random.normal(), random.normal(), random.normal());
    const Local p{W, b, random.uniform()};
    Vec3 r;
    const ContactMode mode = solve(p, r);
    ASSERT_TRUE(r.allFinite());
    ASSERT_GE(r.z(), 0.0);
    // Wedging: a null vector inside the cone leaves no bound on r; excused only there.
    const Vec3 n = Eigen::SelfAdjointEigenSolver<Mat3>(Mat3(W)).eigenvectors().col(0);
    const bool wedges = std::hypot(n.x(), n.y()) <= p.mu * std::abs(n.z()) || rank == 1;
    if (mode == ContactMode::failed || natural_error(p, r) > 1e-8) {
      ++failed;
      EXPECT_TRUE(wedges) << "block " << k << " error " << natural_error(p, r);
    }
  }
  EXPECT_LE(failed, 80);
}

TEST(LocalContact, NothingMovableIsNotNaN) {
  Vec3 r;
  EXPECT_EQ(solve({Row3::Zero(), Vec3(1.0, 0.0, -1.0), 0.5}, r), ContactMode::failed);
  EXPECT_EQ(r, Vec3::Zero());
  EXPECT_EQ(solve({Row3::Zero(), Vec3(1.0, 0.0, 1.0), 0.5}, r), ContactMode::open);
  Row3 W = Row3::Zero();
  W(2, 2) = 2.0;  // only the normal moves: sliding cannot be stopped, friction is at its bound
  EXPECT_EQ(solve({W, Vec3(1.0, 0.0, -1.0), 0.5}, r), ContactMode::slip);
  EXPECT_NEAR((r - Vec3(-0.25, 0.0, 0.5)).norm(), 0.0, 1e-12);
}

// One-block problems of the other kinds, closed forms: G = 2, so λ = −g/2 before the set is applied.
TEST(LocalBlocks, OtherKinds) {
  const auto solved = [](Block block, double g) {
    ContactProblem p;
    p.blocks = {block};
    p.g.push_back(g);
    p.G = Delassus::from_dense(Mat::Constant(1, 1, 2.0), {0, 1});
    LocalBlocks local;
    local.prepare(p, false);
    double lambda = 0.0;
    local.solve_other(block, 0, 1.0, &g, &lambda);
    return lambda;
  };
  EXPECT_EQ(solved(Block::unilateral(0), -1.0), 0.5);
  EXPECT_EQ(solved(Block::unilateral(0), 1.0), 0.0);
  EXPECT_EQ(solved(Block::box(0, -0.1, 0.2), -1.0), 0.2);
  EXPECT_EQ(solved(Block::box(0, -0.1, 0.2), 1.0), -0.1);
  EXPECT_EQ(solved(Block::box(0, -2.0, 2.0), 1.0), -0.5);
  EXPECT_DOUBLE_EQ(solved(Block::bilateral(0, 1), 1.0), -0.5);
}

// Oracle: the step leaves u = 0, for regular and (with b in range) singular blocks of up to six rows.
TEST(LocalBlocks, BilateralBlocksStopTheirVelocity) {
  Generator random(4);
  for (int k = 1; k <= 6; ++k)
    for (int rank = 1; rank <= k; ++rank) {
      const Mat A = random.matrix(k, rank), G = A * A.transpose();
      ContactProblem p;
      p.blocks = {Block::bilateral(0, k)};
      p.g = GrowingVec(Vec(G * random.matrix(k, 1)));
      p.G = Delassus::from_dense(G, {0, k});
      LocalBlocks local;
      local.prepare(p, false);
      Vec lambda = Vec::Zero(k);
      for (int sweep = 0; sweep < 5; ++sweep) {
        Vec u = G * lambda + p.g.vec();
        local.solve_other(p.blocks[0], 0, 1.0, u.data(), lambda.data());
      }
      EXPECT_LE((G * lambda + p.g.vec()).norm(), 1e-10 * p.g.vec().norm()) << "size " << k << " rank " << rank;
    }
}

}  // namespace
}  // namespace stiction
