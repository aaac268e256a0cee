// SPDX-License-Identifier: BSD-2-Clause
// Everything against a half-space. Oracle: the support function, gap = −h(−n) − o·n, and closed forms.
#include <gtest/gtest.h>
#include <stiction/geometry/support.h>

#include "geometry/geometry_support.h"

namespace stiction {
namespace {

using test::at;
using test::collide;

const Shape kGround = make_half_space();

TEST(HalfSpace, LowestPointIsFoundForEveryShapeAndPose) {
  test::Dice dice(7);
  const std::vector<Shape> shapes{
      make_point(), make_sphere(0.2), make_capsule(0.1, 0.5), make_box({0.1, 0.5, 0.9}), make_cylinder(0.2, 0.4),
      test::rock(3)};
  for (const Shape& s : shapes)
    for (int k = 0; k < 500; ++k) {
      const Pose ground = dice.pose(1.0), pose = dice.pose(1.0);
      const Vec3 n = ground.rotation.col(2);
      const double gap = -support({&s, pose, nullptr}, -n) - n.dot(ground.translation);
      const auto points = collide(kGround, ground, s, pose, gap + 1e-3);
      ASSERT_FALSE(points.empty()) << name(s.kind);
      EXPECT_NEAR(test::lowest_gap(points), gap, 1e-12) << name(s.kind);
      EXPECT_LE(points.size(), 4u);
      for (const auto& p : points) {
        EXPECT_LE((p.normal - n).norm(), 1e-15);
        EXPECT_NEAR(n.dot(p.point - ground.translation), 0.5 * p.gap, 1e-12);  // midway
      }
      EXPECT_TRUE(collide(kGround, ground, s, pose, gap - 1e-9).empty()) << name(s.kind);
      const auto turned = collide(s, pose, kGround, ground, gap + 1e-3);
      ASSERT_EQ(turned.size(), points.size());
      EXPECT_LE((turned[0].normal + n).norm(), 1e-15);
    }
}

TEST(HalfSpace, BoxGivesItsBottomFaceEvenIfAllCornersAreWithinTheMargin) {
  const Shape box = make_box({0.2, 0.2, 0.02});
  for (const double margin : {1e-3, 0.5}) {
    const auto p = collide(kGround, {}, box, at(0.0, 0.0, 0.01), margin);
    EXPECT_EQ(test::features(p), (std::vector<std::uint32_t>{0, 1, 2, 3}));
    for (const auto& q : p) EXPECT_EQ(q.gap, 0.0);
  }
  test::Dice dice(1);  // noise of 1e-12 changes nothing
  for (int k = 0; k < 100; ++k) {
    const Pose pose{test::turn(1e-12, dice.unit()), Vec3(0.0, 0.0, 0.01)};
    EXPECT_EQ(test::features(collide(kGround, {}, box, pose, 0.5)), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  }
}

TEST(HalfSpace, CylinderFlatLyingAndTilted) {
  const Shape c = make_cylinder(0.1, 0.4);
  const auto flat = collide(kGround, {}, c, at(0.0, 0.0, 0.2), 1e-3);
  EXPECT_EQ(test::features(flat), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  for (const auto& p : flat) EXPECT_NEAR(p.gap, 0.0, 1e-16);
  const auto turned = collide(kGround, {}, c, {test::turn(M_PI, Vec3::UnitX()), Vec3(0.0, 0.0, 0.2)}, 1e-3);
  EXPECT_EQ(test::features(turned), (std::vector<std::uint32_t>{4, 5, 6, 7}));
  for (const double spin : {0.0, 0.3, 2.0})
    for (const double tilt : {-1e-4, 0.0, 1e-4}) {  // rolling on its side, rocking a little: always the same two points
      const Mat3 r = test::turn(M_PI / 2 + tilt, Vec3::UnitX()) * test::turn(spin, Vec3::UnitZ());
      const auto lying = collide(kGround, {}, c, {r, Vec3(0.0, 0.0, 0.1)}, 1e-3);
      EXPECT_EQ(test::features(lying), (std::vector<std::uint32_t>{8, 9}));
    }
  const auto tilted = collide(kGround, {}, c, {test::turn(0.5, Vec3::UnitX()), Vec3(0.0, 0.0, 0.225)}, 1e-2);
  EXPECT_EQ(tilted.size(), 1u);
}

TEST(HalfSpace, CapsuleEndsKeepTheirNames) {
  const Shape c = make_capsule(0.1, 0.4);
  for (const double tilt : {-1e-3, 0.0, 1e-3}) {
    const auto p = collide(kGround, {}, c, {test::turn(M_PI / 2 + tilt, Vec3::UnitX()), Vec3(0.0, 0.0, 0.1)}, 1e-2);
    EXPECT_EQ(test::features(p), (std::vector<std::uint32_t>{0, 1}));
  }
}

TEST(HalfSpace, StaticPairsGiveNothingAndNanNeverTouches) {
  EXPECT_TRUE(collide(kGround, {}, kGround, {}, 1.0).empty());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Shape& s :
       {make_sphere(0.1), make_box({1, 1, 1}), make_capsule(0.1, 0.1), make_cylinder(0.1, 0.1), test::rock(1)})
    EXPECT_TRUE(collide(kGround, {}, s, at(0.0, 0.0, nan), 1e9).empty()) << name(s.kind);
}

}  // namespace
}  // namespace stiction
