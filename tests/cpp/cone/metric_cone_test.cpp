// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the definition of an argmin (no feasible point is nearer), the scaled Euclidean projection, central
// differences of the potential ℓ_R.
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/cone/metric_cone.h>

#include <algorithm>

namespace stiction {
namespace {

MetricCone random_cone(Random& random) {
  return {random.uniform(0.0, 2.0), std::pow(10.0, random.uniform(-2, 2)), std::pow(10.0, random.uniform(-2, 2))};
}

Vec3 random_direction(Random& random) { return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; }

double distance2(const MetricCone& c, const Vec3& a, const Vec3& b) {
  const Vec3 d = a - b;
  return c.R_tangent * d.head<2>().squaredNorm() + c.R_normal * d.z() * d.z();
}

// A random point of K_μ: half of them near p, where a better one would be.
Vec3 feasible_point(Random& random, double mu, const Vec3& p) {
  const bool near = random.uniform() < 0.5;
  Vec3 x = near ? Vec3(p + std::pow(10.0, random.uniform(-6, 0)) * random_direction(random)) : random_direction(random);
  return CoulombCone{mu}.project(x);
}

TEST(MetricCone, ProjectionIsTheArgmin) {
  Random random(5);
  for (int k = 0; k < 2000; ++k) {
    const MetricCone cone = random_cone(random);
    const Vec3 y = random_direction(random), p = cone.project(y);
    ASSERT_LE(p.head<2>().norm(), cone.mu * p.z() * (1.0 + 1e-14));
    const double best = distance2(cone, p, y), size = std::max(cone.R_tangent, cone.R_normal);
    for (int j = 0; j < 100; ++j)
      ASSERT_GE(distance2(cone, feasible_point(random, cone.mu, p), y), best - 1e-12 * size) << y.transpose();
  }
}

TEST(MetricCone, IsTheScaledEuclideanProjection) {
  Random random(6);
  for (int k = 0; k < 200000; ++k) {
    const MetricCone cone = random_cone(random);
    const Vec3 y = random_direction(random);
    const Vec3 root(std::sqrt(cone.R_tangent), std::sqrt(cone.R_tangent), std::sqrt(cone.R_normal));
    const double mu_tilde = cone.mu * std::sqrt(cone.R_tangent / cone.R_normal);
    const Vec3 scaled = CoulombCone{mu_tilde}.project(root.cwiseProduct(y)).cwiseQuotient(root);
    ASSERT_LE((cone.project(y) - scaled).norm(), 1e-12 * (1.0 + scaled.norm()));
  }
}

TEST(MetricCone, GradientAndHessianAgreeWithCentralDifferences) {
  Random random(7);
  const double h = 1e-7;
  int tried[3] = {0, 0, 0};
  for (int k = 0; k < 50000; ++k) {
    const MetricCone cone{random.uniform(0.1, 2.0), random.uniform(0.2, 2.0), random.uniform(0.2, 2.0)};
    const Vec3 y = random_direction(random).normalized();
    const double r = y.head<2>().norm(), mu_hat = cone.mu * cone.R_tangent / cone.R_normal;
    if (std::min({std::abs(mu_hat * r + y.z()), std::abs(r - cone.mu * y.z()), r}) < 0.05) continue;
    ++tried[mu_hat * r <= -y.z() ? 0 : (r <= cone.mu * y.z() ? 1 : 2)];
    for (int j = 0; j < 3; ++j) {
      const Vec3 e = h * Vec3::Unit(j);
      ASSERT_LE(std::abs((cone.potential(y + e) - cone.potential(y - e)) / (2 * h) - cone.gradient(y)[j]), 1e-7);
      ASSERT_LE(((cone.gradient(y + e) - cone.gradient(y - e)) / (2 * h) - cone.hessian(y).col(j)).norm(), 1e-7);
    }
  }
  for (const int count : tried) EXPECT_GT(count, 1000);  // separated, stuck and sliding are all met
}

}  // namespace
}  // namespace stiction
