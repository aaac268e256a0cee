// SPDX-License-Identifier: BSD-2-Clause
// The exact solve of one contact on 120 000 random blocks of six families, five coefficients of friction each.
//
//     u = W r + b,   K ∋ r ⟂ u + Γ(u) ∈ K*,   B3 = ‖r − P_K(r − (u + Γ(u))/‖W‖_F)‖ / ‖r‖ ≤ 1e-11
//
// Oracle: B3, which knows nothing of how r was found. Singular blocks have b in their range, so that a solution exists.
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/cone/coulomb_cone.h>
#include <stiction/solver/local/local_contact.h>

#include <cmath>

#include "support/dense_oracles.h"

namespace stiction {
namespace {

using Row3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

double b3(const Row3& W, const Vec3& b, double mu, const Vec3& r) {
  const CoulombCone cone{mu};
  const Vec3 u = W * r + b;
  const double error = (r - cone.project(r - (u + cone.shift(u)) / W.norm())).norm();
  return r.norm() > 0.0 ? error / r.norm() : (error > 0.0 ? 1.0 : 0.0);
}

Row3 rotation(Random& random) { return Row3(Mat3(test::orthogonal_factor(random.uniform_matrix(3, 3, -1.0, 1.0)))); }

// Eigenvalues 1 and down to 1/condition, the middle one anywhere between (logarithmically).
Row3 conditioned(Random& random, double condition) {
  const Row3 Q = rotation(random);
  const Vec3 d(1.0, std::pow(condition, -random.uniform()), 1.0 / condition);
  return Q * d.asDiagonal() * Q.transpose();
}

Row3 skew(Random& random) {
  const Row3 A = random.uniform_matrix(3, 3, -1.0, 1.0);
  return A - A.transpose();
}

Row3 of_rank(Random& random, int rank) {
  const Mat A = random.uniform_matrix(3, rank, -1.0, 1.0);
  return A * A.transpose();
}

enum Family { spd, ill_conditioned, unsymmetric, strong_skew, rank_two, rank_one };
constexpr const char* kNames[] = {"spd", "condition to 1e8", "unsymmetric", "strong skew part", "rank 2", "rank 1"};

Row3 block(Random& random, Family family) {
  switch (family) {
    case spd:
      return conditioned(random, 1.0 + 99.0 * random.uniform());
    case ill_conditioned:
      return conditioned(random, std::pow(10.0, 2.0 + 6.0 * random.uniform()));
    case unsymmetric:
      return conditioned(random, 100.0) + 0.1 * random.uniform() * skew(random);
    case strong_skew:
      return conditioned(random, 100.0) + (1.0 + 9.0 * random.uniform()) * skew(random);
    case rank_two:
      return of_rank(random, 2);
    default:
      return of_rank(random, 1);
  }
}

Vec3 velocity(Random& random, const Row3& W, Family family) {
  const Vec3 x = random.uniform_vector(3, -1.0, 1.0);
  if (family == rank_two || family == rank_one) return W * x;
  return Vec3(x.x(), x.y(), random.index(5) == 0 ? std::abs(x.z()) : -std::abs(x.z()));
}

// Blocks that are not solved to 1e-11; the first three are shown.
int failures(Random& random, Family family, int count, int (&modes)[4]) {
  constexpr double kFriction[] = {0.0, 0.05, 0.3, 0.8, 1.5};
  int failed = 0;
  for (int k = 0; k < count; ++k) {
    const double mu = kFriction[k % 5], size = std::pow(10.0, 6.0 * random.uniform() - 3.0);  // grams to tons
    const Row3 W = size * block(random, family);
    const Vec3 b = velocity(random, W, family);
    LocalContact contact;
    contact.prepare(W.data(), mu);
    Vec3 r;
    ++modes[static_cast<int>(contact.solve(b.data(), r.data()))];
    const double error = b3(W, b, mu, r);
    if (error <= 1e-11 && r.z() >= 0.0) continue;
    if (++failed <= 3)
      ADD_FAILURE() << kNames[family] << ", block " << k << ", mu " << mu << ", B3 " << error << "\nW\n"
                    << W << "\nb " << b.transpose() << "\nr " << r.transpose();
  }
  return failed;
}

TEST(Targets, LocalFuzz) {
  Random random(2026);
  int modes[4] = {};
  for (const Family family : {spd, ill_conditioned, unsymmetric, strong_skew, rank_two, rank_one})
    EXPECT_EQ(failures(random, family, 20000, modes), 0) << kNames[family];
  for (const ContactMode mode : {ContactMode::open, ContactMode::stick, ContactMode::slip})
    EXPECT_GT(modes[static_cast<int>(mode)], 10000);
  EXPECT_EQ(modes[static_cast<int>(ContactMode::failed)], 0);
}

}  // namespace
}  // namespace stiction
