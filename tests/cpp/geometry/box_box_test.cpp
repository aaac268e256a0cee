// SPDX-License-Identifier: BSD-2-Clause
// Boxes on boxes. Oracles: closed forms of aligned stacks; names of points that must not change.
#include <gtest/gtest.h>

#include "geometry/geometry_support.h"

namespace stiction {
namespace {

using test::at;
using test::collide;

TEST(BoxBox, AlignedStackIsExact) {
  const Shape box = make_box({0.1, 0.1, 0.1});
  for (const double gap : {-1e-3, 0.0, 1e-4})
    for (int level = 0; level < 20; ++level) {
      const auto p = collide(box, at(0.0, 0.0, 0.1 * level), box, at(0.0, 0.0, 0.1 * (level + 1) + gap), 1e-3);
      ASSERT_EQ(p.size(), 4u);
      for (const auto& q : p) {
        EXPECT_NEAR(q.gap, gap, 1e-15);
        EXPECT_EQ(q.normal, Vec3(0.0, 0.0, 1.0));
        EXPECT_NEAR(std::abs(q.point.x()), 0.05, 1e-15);
        EXPECT_NEAR(q.point.z(), 0.1 * level + 0.05 + 0.5 * gap, 1e-15);
      }
    }
}

// Oracle: two rectangles of different size overlap in a rectangle whose corners are the contact points.
TEST(BoxBox, OverhangingPlanksTouchInTheirOverlap) {
  const Shape a = make_box({0.4, 0.1, 0.02}), b = make_box({0.1, 0.4, 0.02});
  const auto p = collide(a, {}, b, at(0.02, 0.03, 0.02), 1e-3);
  ASSERT_EQ(p.size(), 4u);
  for (const auto& q : p) {
    EXPECT_NEAR(std::abs(q.point.x() - 0.02), 0.05, 1e-15);
    EXPECT_NEAR(std::abs(q.point.y()), 0.05, 1e-15);
    EXPECT_NEAR(q.gap, 0.0, 1e-16);
  }
}

TEST(BoxBox, CornerOnFaceAndEdgeOnEdge) {
  const Shape box = make_box({0.2, 0.2, 0.2});
  const Mat3 on_corner = Quat::FromTwoVectors(Vec3(1.0, 1.0, 1.0), Vec3::UnitZ()).toRotationMatrix();
  auto p = collide(box, {}, box, {on_corner, Vec3(0.01, 0.02, 0.1 + 0.1 * std::sqrt(3.0) - 1e-3)}, 0.01);
  ASSERT_EQ(p.size(), 1u);
  EXPECT_NEAR(p[0].gap, -1e-3, 1e-15);
  EXPECT_LE((p[0].normal - Vec3::UnitZ()).norm(), 1e-15);
  // Two cubes turned by 45° about x and about y: edges cross, ⟂ to each other.
  const double d = 0.1 * std::sqrt(2.0);
  p = collide(box, {test::turn(M_PI / 4, Vec3::UnitX()), Vec3::Zero()}, box,
              {test::turn(M_PI / 4, Vec3::UnitY()), Vec3(0.01, 0.02, 2.0 * d - 1e-3)}, 0.01);
  ASSERT_EQ(p.size(), 1u);
  EXPECT_NEAR(p[0].gap, -1e-3, 1e-15);
  EXPECT_LE((p[0].normal - Vec3::UnitZ()).norm(), 1e-12);
  EXPECT_LE((p[0].point - Vec3(0.01, 0.0, d - 5e-4)).norm(), 1e-12);
}

// Oracle: diagonal neighbours are nearest at their corners: distance √(dx² + dy² + dz²).
TEST(BoxBox, ApartDiagonallyTheTrueDistanceIsGiven) {
  const Shape box = make_box({0.2, 0.2, 0.2});
  const auto p = collide(box, {}, box, at(0.203, 0.204, 0.212), 0.02);
  ASSERT_EQ(p.size(), 1u);
  EXPECT_NEAR(p[0].gap, 0.013, 1e-15);
  EXPECT_LE((p[0].normal - Vec3(3.0, 4.0, 12.0) / 13.0).norm(), 1e-12);
  EXPECT_TRUE(collide(box, {}, box, at(0.203, 0.204, 0.212), 0.0129).empty());
}

// A resting box that rocks, slides and sinks by what a solver leaves behind keeps the names of its points, and the gaps
// follow the motion linearly.
TEST(BoxBox, NamesAreStableUnderSmallMotion) {
  test::Dice dice(3);
  for (const Vec3& size : {Vec3(0.1, 0.1, 0.1), Vec3(0.3, 0.2, 0.05)}) {
    const Shape a = make_box({0.1, 0.1, 0.1}), b = make_box(size);
    const Pose rest = at(0.0, 0.0, 0.05 + 0.5 * size.z());
    const auto before = test::features(collide(a, {}, b, rest, 1e-3));
    EXPECT_EQ(before.size(), 4u);
    for (int k = 0; k < 500; ++k) {
      const double noise = std::pow(10.0, dice.real(-16.0, -7.0));
      const Pose pose{test::turn(noise, dice.unit()), rest.translation + noise * dice.unit()};
      const auto p = collide(a, {}, b, pose, 1e-3);
      EXPECT_EQ(test::features(p), before) << noise;
      for (const auto& q : p) EXPECT_LE(std::abs(q.gap), 3.0 * noise + 1e-15);
    }
  }
}

// A box that overhangs its support by a centimetre and tilts a little: its lowest corner hangs in the air, the nearest
// features are two crossing edges, but four points must hold it, with gaps that follow the tilt.
TEST(BoxBox, OverhangingTiltedBoxKeepsItsFourPoints) {
  const Shape box = make_box({0.2, 0.2, 0.2});
  for (const double angle : {1e-8, 1e-6, 1e-4, 1e-2})
    for (const Vec3& axis : {Vec3(1.0, 2.0, 0.0), Vec3(-2.0, 1.0, 0.0), Vec3(1.0, 0.0, 0.0), Vec3(0.3, -1.0, 0.5)}) {
      const auto p = collide(box, {}, box, {test::turn(angle, axis), Vec3(0.01, 0.02, 0.2)}, 1e-2);
      EXPECT_EQ(p.size(), 4u) << angle << " " << axis.transpose();
      for (const auto& q : p) EXPECT_LE(std::abs(q.gap), 0.15 * angle + 1e-15);
    }
}

TEST(BoxBox, NamesAreStableWhileSlidingAndSpinning) {
  const Shape a = make_box({1.0, 1.0, 0.1}), b = make_box({0.2, 0.2, 0.2});
  const auto before = test::features(collide(a, {}, b, at(0.0, 0.0, 0.15), 1e-3));
  for (int k = 0; k < 100; ++k) {
    const Pose pose{test::turn(0.01 * k, Vec3::UnitZ()), Vec3(0.003 * k, -0.002 * k, 0.15 - 1e-6 * k)};
    EXPECT_EQ(test::features(collide(a, {}, b, pose, 1e-3)), before) << k;
  }
}

TEST(BoxBox, OctagonIsReducedToFourPointsThatHoldIt) {
  const Shape box = make_box({0.2, 0.2, 0.2});
  const auto p = collide(box, {}, box, {test::turn(M_PI / 4, Vec3::UnitZ()), Vec3(0.0, 0.0, 0.2)}, 1e-3);
  ASSERT_EQ(p.size(), 4u);
  Vec2 lo = Vec2::Constant(1.0), hi = -lo;
  for (const auto& q : p) lo = lo.cwiseMin(q.point.head<2>()), hi = hi.cwiseMax(q.point.head<2>());
  EXPECT_LT(lo.maxCoeff(), -0.03);
  EXPECT_GT(hi.minCoeff(), 0.03);
}

}  // namespace
}  // namespace stiction
