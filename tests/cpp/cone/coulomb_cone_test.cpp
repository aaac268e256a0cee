// SPDX-License-Identifier: BSD-2-Clause
// Oracles: Moreau's decomposition with the polar projection written directly (not as x − P_K x), bit-exactness inside
// the cone, central differences.
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/cone/coulomb_cone.h>

#include <cstring>
#include <limits>

namespace stiction {
namespace {

constexpr double kMus[] = {0.0, 1e-9, 0.1, 1.0, 10.0};

Vec3 random_vector(Random& random) {
  const double scale = std::pow(10.0, random.uniform(-6.0, 6.0));
  return scale * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
}

// P_K° in its own closed form: K° = −K*; n ≤ μz → 0; μn ≤ −z → x; else the ray (t̂, −μ).
Vec3 project_polar(double mu, const Vec3& x) {
  const double n = x.head<2>().norm(), z = x.z();
  if (mu * n <= -z) return x;
  if (n <= mu * z) return Vec3::Zero();
  const double along = (n - mu * z) / (1.0 + mu * mu);
  return {along * x.x() / n, along * x.y() / n, -mu * along};
}

TEST(CoulombCone, MoreauDecomposition) {
  Random random(1);
  for (const double mu : kMus)
    for (int k = 0; k < 100000; ++k) {
      const Vec3 x = random_vector(random), p = CoulombCone{mu}.project(x), q = project_polar(mu, x);
      ASSERT_LE((x - p - q).norm(), 1e-14 * x.norm()) << "mu " << mu << " x " << x.transpose();
      ASSERT_LE(std::abs(p.dot(q)), 1e-14 * x.squaredNorm()) << "mu " << mu << " x " << x.transpose();
    }
}

// Oracle: the direct form of P_K*: n ≤ −μz → 0; μn ≤ z → x; else the ray (t̂, μ).
TEST(CoulombCone, DualProjectionAgreesWithItsDirectForm) {
  Random random(2);
  for (const double mu : kMus)
    for (int k = 0; k < 100000; ++k) {
      const Vec3 x = random_vector(random);
      const double n = x.head<2>().norm(), z = x.z(), along = (n + mu * z) / (1.0 + mu * mu);
      Vec3 direct(along * x.x() / n, along * x.y() / n, mu * along);
      if (n <= -mu * z)
        direct.setZero();
      else if (mu * n <= z)
        direct = x;
      ASSERT_LE((CoulombCone{mu}.project_dual(x) - direct).norm(), 1e-14 * x.norm()) << "mu " << mu;
    }
}

TEST(CoulombCone, InteriorPointsAreReturnedBitExactly) {
  Random random(3);
  int inside = 0;
  for (const double mu : {0.1, 1.0, 10.0})
    for (int k = 0; k < 100000; ++k) {
      Vec3 x = random_vector(random);
      x.head<2>() *= 0.99 * std::min(1.0, mu * std::abs(x.z()) / x.head<2>().norm());
      x.z() = std::abs(x.z());
      const Vec3 p = CoulombCone{mu}.project(x);
      ASSERT_EQ(std::memcmp(p.data(), x.data(), sizeof(double) * 3), 0);
      ++inside;
    }
  EXPECT_EQ(inside, 300000);
  const Vec3 axis(0.0, 0.0, 0.3);  // μ = 0: the cone is the normal axis
  EXPECT_EQ(CoulombCone{0.0}.project(axis), axis);
}

TEST(CoulombCone, NotANumberStaysNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(CoulombCone{0.5}.project({nan, 0.0, 1.0}).hasNaN());
  EXPECT_TRUE(CoulombCone{0.5}.project({0.0, 0.0, nan}).hasNaN());
  EXPECT_TRUE(CoulombCone{nan}.project({0.1, 0.0, 1.0}).hasNaN());
  EXPECT_FALSE(CoulombCone{0.5}.contains({nan, 0.0, 1.0}));
}

// How far x is from the two borders of the regions, relative to its size.
double distance_to_kinks(double mu, const Vec3& x) {
  const double n = x.head<2>().norm();
  return std::min({std::abs(mu * n + x.z()), std::abs(n - mu * x.z()), n}) / x.norm();
}

TEST(CoulombCone, DerivativesAgreeWithCentralDifferences) {
  Random random(4);
  const double h = 1e-7;
  int tried = 0;
  for (const double mu : {0.0, 0.1, 0.5, 1.0, 10.0})
    for (int k = 0; k < 20000; ++k) {
      const Vec3 x = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
      if (distance_to_kinks(mu, x) < 0.05) continue;
      ++tried;
      const CoulombCone cone{mu};
      const Mat3 D = cone.derivative(x);
      for (int j = 0; j < 3; ++j) {
        const Vec3 e = h * Vec3::Unit(j);
        const Vec3 difference = (cone.project(x + e) - cone.project(x - e)) / (2.0 * h);
        ASSERT_LE((difference - D.col(j)).norm(), 1e-7) << "mu " << mu << " x " << x.transpose();
      }
      if (mu < h) continue;
      const Vec3 difference = (CoulombCone{mu + h}.project(x) - CoulombCone{mu - h}.project(x)) / (2.0 * h);
      ASSERT_LE((difference - cone.derivative_mu(x)).norm(), 1e-7) << "mu " << mu << " x " << x.transpose();
    }
  EXPECT_GT(tried, 20000);
}

// Oracle: by definition Γ(u) = (0, 0, μ‖u_T‖), the last component being the normal: distinct values catch a permutation.
TEST(CoulombCone, ShiftActsOnTheNormal) { EXPECT_EQ(CoulombCone{0.5}.shift({3.0, 4.0, -7.0}), Vec3(0.0, 0.0, 2.5)); }

}  // namespace
}  // namespace stiction
