// SPDX-License-Identifier: BSD-2-Clause
// Oracles: hand-made values, brute force over the polygon's boundary, and the variational inequality of a projection.
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/cone/box.h>
#include <stiction/cone/disc.h>
#include <stiction/cone/free.h>
#include <stiction/cone/half_line.h>
#include <stiction/cone/pyramid_set.h>
#include <stiction/cone/zero.h>

#include <limits>

namespace stiction {
namespace {

TEST(Sets, LinesAndIntervals) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Box({-1.0, 2.0}).project(-3.0), -1.0);
  EXPECT_EQ(Box({-1.0, 2.0}).project(3.0), 2.0);
  EXPECT_EQ(Box({-1.0, 2.0}).project(0.1), 0.1);
  EXPECT_EQ(Box({-inf, inf}).project(-1e30), -1e30);
  EXPECT_EQ(HalfLine{}.project(-2.0), 0.0);
  EXPECT_EQ(HalfLine{}.project(2.0), 2.0);
  EXPECT_EQ(Free{}.project(-2.0), -2.0);
  EXPECT_EQ(Free{}.project_dual(-2.0), 0.0);
  EXPECT_EQ(Zero{}.project(-2.0), 0.0);
  EXPECT_EQ(Zero{}.project_dual(-2.0), -2.0);
  EXPECT_TRUE(std::isnan(Box({0.0, 1.0}).project(nan)));
  EXPECT_TRUE(std::isnan(HalfLine{}.project(nan)));
  EXPECT_TRUE(std::isnan(Zero{}.project(nan)));
}

TEST(Sets, HorizontalProjectionKeepsTheNormal) {
  EXPECT_LE((project_horizontal(0.5, {3.0, 4.0, 2.0}) - Vec3(0.6, 0.8, 2.0)).norm(), 1e-15);
  EXPECT_EQ(project_horizontal(0.5, {0.3, 0.4, 2.0}), Vec3(0.3, 0.4, 2.0));
  EXPECT_EQ(project_horizontal(0.5, {0.3, 0.4, -2.0}), Vec3::Zero());
  EXPECT_EQ(project_horizontal(0.0, {0.3, 0.4, 2.0}), Vec3(0.0, 0.0, 2.0));
}

TEST(Sets, DiscDerivativesAgreeWithCentralDifferences) {
  Random random(8);
  const double h = 1e-6;
  for (int k = 0; k < 10000; ++k) {
    const Disc disc{random.uniform(0.2, 1.0)};
    const Vec2 t(random.uniform(-1, 1), random.uniform(-1, 1));
    if (std::abs(t.norm() - disc.radius) < 0.05) continue;
    for (int j = 0; j < 2; ++j) {
      const Vec2 e = h * Vec2::Unit(j);
      ASSERT_LE(((disc.project(t + e) - disc.project(t - e)) / (2 * h) - disc.derivative(t).col(j)).norm(), 1e-8);
    }
    const Vec2 slope = (Disc{disc.radius + h}.project(t) - Disc{disc.radius - h}.project(t)) / (2 * h);
    ASSERT_LE((slope - disc.derivative_radius(t)).norm(), 1e-8);
  }
}

TEST(Pyramid, FourFacetsClampTheAxes) {
  EXPECT_EQ(PyramidSet({0.5}).project({3.0, -0.4, 2.0}), Vec3(1.0, -0.4, 2.0));
  EXPECT_EQ(PyramidSet({0.5}).project({3.0, -4.0, 2.0}), Vec3(1.0, -1.0, 2.0));
  EXPECT_EQ(PyramidSet({0.5}).project({3.0, -4.0, -2.0}), Vec3::Zero());
  EXPECT_EQ(PyramidSet({0.0}).project({3.0, -4.0, 2.0}), Vec3(0.0, 0.0, 2.0));
  // At 45 degrees the corner of the box lies on T1.
  const double quarter = std::numbers::pi / 4.0;
  EXPECT_LE((PyramidSet({0.5, quarter}).project({9.0, 0.0, 2.0}) - Vec3(std::sqrt(2.0), 0.0, 2.0)).norm(), 1e-15);
}

TEST(Pyramid, TurnByNinetyDegreesIsTheSameSet) {
  Random random(9);
  for (int k = 0; k < 10000; ++k) {
    const Vec3 x(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0, 1));
    const double angle = random.uniform(-3, 3);
    const PyramidSet a{0.6, angle}, b{0.6, angle + std::numbers::pi / 2.0};
    ASSERT_LE((a.project(x) - b.project(x)).norm(), 1e-14);
    ASSERT_LE(std::abs(a.support(x.head<2>()) - b.support(x.head<2>())), 1e-14);
  }
}

TEST(Pyramid, PolygonProjectionIsTheNearestPointAndSupportTheLargest) {
  Random random(10);
  for (int k = 0; k < 2000; ++k) {
    const PyramidSet set{1.0, random.uniform(-3, 3), 4 + 2 * random.index(5)};
    const double radius = random.uniform(0.1, 1.0);
    const Vec2 t(random.uniform(-2, 2), random.uniform(-2, 2)), p = set.project_tangent(t, radius);
    ASSERT_LE(set.violation({p.x(), p.y(), radius}), 1e-14);
    double farthest = 0.0;
    for (int j = 0; j < set.facets; ++j) {  // a linear function is largest at a corner: v·(c − p) ≤ 0 for all corners c
      const double theta = set.angle + (2 * j + 1) * std::numbers::pi / set.facets;
      const Vec2 corner = radius / std::cos(std::numbers::pi / set.facets) * Vec2(std::cos(theta), std::sin(theta));
      ASSERT_LE((t - p).dot(corner - p), 1e-13) << set.facets << " facets";
      farthest = std::max(farthest, corner.dot(t) / radius);
    }
    ASSERT_NEAR(set.support(t), farthest, 1e-13);
  }
}

}  // namespace
}  // namespace stiction
