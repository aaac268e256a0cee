// SPDX-License-Identifier: BSD-2-Clause
// At most eight points per patch. Oracle: the polygon of all points, by its support function; a sphere for curved ground.
#include <gtest/gtest.h>
#include <stiction/geometry/manifold.h>

#include "geometry/geometry_support.h"

namespace stiction {
namespace {

using test::Dice;

ManifoldPoint point(const Vec3& x, std::uint32_t feature, double gap = 0.0, const Vec3& normal = Vec3::UnitZ()) {
  return {x, normal, gap, feature};
}

// Distance of x from the polygon of the points, in the plane z = 0: the largest over directions of n · x − max n · p.
double outside(const std::vector<ManifoldPoint>& points, const Vec3& x) {
  double distance = 0.0;
  for (int k = 0; k < 720; ++k) {
    const Vec3 n(std::cos(M_PI / 360.0 * k), std::sin(M_PI / 360.0 * k), 0.0);
    double h = -1e9;
    for (const ManifoldPoint& p : points) h = std::max(h, n.dot(p.point));
    distance = std::max(distance, n.dot(x) - h);
  }
  return distance;
}

// A force F at x has the torque that a force inside the kept polygon has, up to F times the distance of x from it.
TEST(Patches, TheKeptPolygonReachesNearlyAsFar) {
  Dice dice(31);
  for (int trial = 0; trial < 200; ++trial) {
    const bool round = trial % 2;
    std::vector<ManifoldPoint> all;
    const double width = dice.real(0.1, 1.0);
    for (unsigned i = 0; i < 60; ++i) {
      const double phi = 2.0 * M_PI * i / 60.0;
      all.push_back(point(round ? Vec3(0.1 * std::cos(phi), 0.1 * std::sin(phi), 0.0)
                                : Vec3(dice.real(-0.1, 0.1), width * dice.real(-0.1, 0.1), 0.0),
                          i));
    }
    std::vector<ManifoldPoint> kept = all;
    reduce_patches(kept, 0);
    ASSERT_LE(kept.size(), 8u);
    double diameter = 0.0, worst = 0.0;
    for (const ManifoldPoint& p : all) {
      worst = std::max(worst, outside(kept, p.point));
      for (const ManifoldPoint& q : all) diameter = std::max(diameter, (p.point - q.point).norm());
    }
    // Kept points of a circle are 2π/7 apart, up to the spacing 2π/60 of those there are.
    EXPECT_LE(worst, round ? 0.1 * (1.0 - std::cos(M_PI / 7.0 + M_PI / 60.0)) : 0.25 * diameter);
    // Each kept one is one of all, and the order in which they come has no influence.
    std::vector<ManifoldPoint> turned(all.rbegin(), all.rend());
    reduce_patches(turned, 0);
    ASSERT_EQ(turned.size(), kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      EXPECT_EQ(turned[i].feature, kept[i].feature);
      EXPECT_EQ(kept[i].point, all[kept[i].feature].point);
    }
  }
}

TEST(Patches, TheDeepestStaysAndWallsAreCountedApart) {
  Dice dice(32);
  std::vector<ManifoldPoint> points;
  for (unsigned i = 0; i < 40; ++i) points.push_back(point(dice.vec(0.1).cwiseProduct(Vec3(1, 1, 0)), i, -1e-4));
  for (unsigned i = 40; i < 50; ++i)
    points.push_back(point(dice.vec(0.1).cwiseProduct(Vec3(0, 1, 1)), i, -1e-4, Vec3::UnitX()));
  points.push_back(point(Vec3::Zero(), 50, -3e-3));
  reduce_patches(points, 0);
  std::size_t floor = 0, deepest = 0;
  for (const ManifoldPoint& p : points) floor += p.normal.z() > 0.5, deepest += p.feature == 50;
  EXPECT_EQ(deepest, 1u);
  EXPECT_LE(floor, 8u);
  EXPECT_GE(floor, 4u);
  EXPECT_LE(points.size() - floor, 8u);
  EXPECT_GE(points.size() - floor, 3u);
  std::vector<ManifoldPoint> few{point(Vec3::Zero(), 7), point(Vec3::Ones(), 3)};
  reduce_patches(few, 0);
  EXPECT_EQ(few[0].feature, 7u);  // few points stay as they are
}

// A dome of many triangles against a plate: many triangles are near, each with a normal of its own.
TEST(Patches, AHullOnCurvedTrianglesTouchesAtEightPointsAtTheMost) {
  const double r = 2.0;
  const Shape dome =
      test::floor_mesh(40, 1.0, [&](double x, double y) { return r - std::sqrt(r * r - x * x - y * y); });
  std::vector<Vec3> disc;
  for (int i = 0; i < 64; ++i)
    for (const double z : {0.0, 0.05})
      disc.emplace_back(0.2 * std::cos(M_PI / 32.0 * i), 0.2 * std::sin(M_PI / 32.0 * i), z);
  const Shape plate = make_convex(disc);
  const double touch = r - std::sqrt(r * r - 0.04);  // where the rim meets the bowl
  const auto p = test::collide(dome, {}, plate, test::at(0, 0, touch - 1e-3), 1e-4);
  EXPECT_LE(p.size(), 8u);
  ASSERT_GE(p.size(), 4u);
  for (int k = 0; k < 8; ++k) {  // held on all sides
    const Vec3 n(std::cos(M_PI / 4 * k), std::sin(M_PI / 4 * k), 0.0);
    double h = -1.0;
    for (const ManifoldPoint& q : p) h = std::max(h, n.dot(q.point));
    EXPECT_GE(h, 0.2 * 0.85);
  }
}

}  // namespace
}  // namespace stiction
