// SPDX-License-Identifier: BSD-2-Clause
// Every pair of convex shapes, at random. Oracles: the signed distance of Coal's GJK and EPA; the definition
// (max over directions of the separation); symmetry; a common rigid motion.
#include <gtest/gtest.h>
#include <stiction/geometry/coal_bridge.h>
#include <stiction/geometry/support.h>

#include "geometry/geometry_support.h"
#include "support/heap_count.h"

namespace stiction {
namespace {

using test::collide;

std::vector<Shape> zoo() {
  return {make_point(),
          make_sphere(0.15),
          make_capsule(0.08, 0.3),
          make_box({0.2, 0.3, 0.4}),
          make_cylinder(0.1, 0.3),
          test::rock(5),
          make_capsule(0.1, 0.1),
          make_box({0.5, 0.05, 0.1})};
}

// Poses whose distance is spread over touching, overlapping and apart.
Pose near(test::Dice& dice, const Shape& a, const Pose& pa, const Shape& b) {
  const Mat3 r = dice.rotation();
  const Vec3 d = dice.unit();
  const Placed placed_a{&a, pa, nullptr}, placed_b{&b, {r, Vec3::Zero()}, nullptr};
  const double touch = support(placed_a, d) + support(placed_b, -d);
  return {r, d * (touch + dice.real(-0.05, 0.02))};
}

// Coal's normal, and the distance along it by the support function: EPA's own distance is off by up to 1e-5 on cylinders,
// and at 1e-8 it fails now and then, so the better of two tolerances is taken.
Separation oracle(DistanceQuery& coal, const Placed& a, const Placed& b) {
  Separation best{-1e9, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), false};
  for (int attempt = 0; attempt < 2; ++attempt) {
    Separation s = coal(a, b, attempt);
    if (s.valid) s.distance = separation(a, b, s.normal);
    if (s.valid && s.distance > best.distance) best = s;
  }
  return best;
}

TEST(Pairs, SignedDistanceAgreesWithCoal) {
  test::Dice dice(11);
  DistanceQuery coal;
  const auto shapes = zoo();
  const double margin = 0.03;
  for (const Shape& a : shapes)
    for (const Shape& b : shapes) {
      if (a.kind == ShapeKind::point && b.kind == ShapeKind::point) continue;
      int touching = 0;
      double worst = 0.0, worst_normal = 0.0;
      for (int k = 0; k < 400; ++k) {
        const Pose pa = dice.pose(0.1), pb = near(dice, a, pa, b);
        const Separation s = oracle(coal, {&a, pa, nullptr}, {&b, pb, nullptr});
        const auto points = collide(a, pa, b, pb, margin);
        EXPECT_LE(points.size(), 4u);
        if (s.distance >= margin + 1e-6) {
          EXPECT_TRUE(points.empty());
          continue;
        }
        if (s.distance > margin - 1e-6) continue;
        ++touching;
        ASSERT_FALSE(points.empty()) << name(a.kind) << " " << name(b.kind) << " distance " << s.distance << " k " << k;
        const double gap = test::lowest_gap(points);
        // face_slack: a face's manifold may be up to 0.1 % of the distance above the one nearest point.
        worst = std::max(worst, std::abs(gap - s.distance) - 1e-3 * std::abs(s.distance));
        // Each normal is a direction of best separation, by our own support function, or a face's within 0.05 rad of one.
        for (const auto& p : points)
          if (p.normal.dot(s.normal) < 0.9987)
            worst_normal =
                std::max(worst_normal, s.distance - separation({&a, pa, nullptr}, {&b, pb, nullptr}, p.normal));
      }
      EXPECT_GT(touching, 50);
      EXPECT_LE(worst, 1e-6) << name(a.kind) << " " << name(b.kind);
      EXPECT_LE(worst_normal, 1e-6) << name(a.kind) << " " << name(b.kind);
    }
}

TEST(Pairs, TurnedRoundAndMovedTogetherGiveTheSame) {
  test::Dice dice(12);
  const auto shapes = zoo();
  for (const Shape& a : shapes)
    for (const Shape& b : shapes)
      for (int k = 0; k < 50; ++k) {
        const Pose pa = dice.pose(0.1), pb = near(dice, a, pa, b), move = dice.pose(0.5);
        const auto p = collide(a, pa, b, pb, 0.02), q = collide(b, pb, a, pa, 0.02);
        const auto m = collide(a, move * pa, b, move * pb, 0.02);
        const double gap = test::lowest_gap(p);
        if (std::isinf(gap) || gap > 0.02 - 1e-6) continue;
        EXPECT_NEAR(gap, test::lowest_gap(q), 2e-6) << name(a.kind) << " " << name(b.kind);
        EXPECT_NEAR(gap, test::lowest_gap(m), 2e-6) << name(a.kind) << " " << name(b.kind);
        if (a.kind != b.kind) {
          ASSERT_EQ(p.size(), q.size());
          for (std::size_t i = 0; i < p.size(); ++i) {
            EXPECT_LE((p[i].normal + q[i].normal).norm(), 1e-15);
            EXPECT_EQ(p[i].feature, q[i].feature);
          }
        }
      }
}

// Oracle: witness points lie on the two surfaces: point ± gap/2 · normal is at distance 0 of a and b.
TEST(Pairs, WitnessPointsLieOnTheSurfaces) {
  const Shape point = make_point();
  test::Dice dice(13);
  DistanceQuery coal;
  const auto shapes = zoo();
  for (const Shape& a : shapes)
    for (const Shape& b : shapes)
      for (int k = 0; k < 40; ++k) {
        const Pose pa = dice.pose(0.1), pb = near(dice, a, pa, b);
        for (const auto& p : collide(a, pa, b, pb, 0.02)) {
          const Pose at_a{Mat3::Identity(), p.point - 0.5 * p.gap * p.normal},
              at_b{Mat3::Identity(), p.point + 0.5 * p.gap * p.normal};
          const double tolerance = a.kind == ShapeKind::cylinder || b.kind == ShapeKind::cylinder ? 3e-3 : 1e-5;
          const double to_a = coal({&point, at_a, nullptr}, {&a, pa, nullptr}).distance,
                       to_b = coal({&point, at_b, nullptr}, {&b, pb, nullptr}).distance;
          // One witness is the feature itself; the other is its projection, which may be off if the faces are not parallel.
          EXPECT_LE(std::min(std::abs(to_a), std::abs(to_b)), tolerance) << name(a.kind) << " " << name(b.kind);
        }
      }
}

TEST(Pairs, ParallelCapsulesTouchAtTwoPoints) {
  const Shape c = make_capsule(0.1, 0.4);
  const auto p = collide(c, {}, c, test::at(0.19, 0.0, 0.1), 1e-2);
  ASSERT_EQ(p.size(), 2u);
  for (const auto& q : p) EXPECT_NEAR(q.gap, -0.01, 1e-15);
  EXPECT_NEAR(std::abs(p[0].point.z() - p[1].point.z()), 0.3, 1e-12);
}

TEST(Pairs, SphereInsideABoxLeavesThroughTheNearestFace) {
  const auto p = collide(make_sphere(0.05), test::at(0.0, 0.08, 0.0), make_box({0.2, 0.2, 0.2}), {}, 0.0);
  ASSERT_EQ(p.size(), 1u);
  EXPECT_NEAR(p[0].gap, -0.07, 1e-15);
  EXPECT_LE((p[0].normal + Vec3::UnitY()).norm(), 1e-15);
}

TEST(Pairs, LyingAndStandingBodiesGiveSeveralPointsWithTheExactNormal) {
  const Shape table = make_box({1.0, 1.0, 0.2});
  const Mat3 lying = test::turn(M_PI / 2, Vec3::UnitX());
  const std::vector<std::tuple<Shape, Pose, std::size_t>> cases{
      {make_capsule(0.1, 0.4), {lying, Vec3(0.0, 0.0, 0.2)}, 2},
      {make_cylinder(0.1, 0.4), {lying, Vec3(0.0, 0.0, 0.2)}, 2},
      {make_cylinder(0.1, 0.4), {Mat3::Identity(), Vec3(0.0, 0.0, 0.3)}, 4},
      {make_convex({{-.1, -.1, 0}, {.1, -.1, 0}, {.1, .1, 0}, {-.1, .1, 0}, {0, 0, .2}}), test::at(0, 0, 0.1), 4}};
  for (const auto& [shape, pose, count] : cases) {
    const auto p = collide(table, {}, shape, pose, 1e-3);
    EXPECT_EQ(p.size(), count) << name(shape.kind);
    for (const auto& q : p) {
      EXPECT_EQ(q.normal, Vec3(0.0, 0.0, 1.0)) << name(shape.kind);
      EXPECT_NEAR(q.gap, 0.0, 1e-15);
    }
    // Slides and sinks a little: the same points keep their names.
    const Pose moved{test::turn(1e-7, Vec3(1, 2, 3)) * pose.rotation, pose.translation + Vec3(1e-3, 2e-3, -1e-5)};
    EXPECT_EQ(test::features(collide(table, {}, shape, moved, 1e-3)), test::features(p)) << name(shape.kind);
  }
}

TEST(Pairs, ClosedFormsDoNotAllocate) {
  if (!test::kCountsAllocations) GTEST_SKIP();
  test::Dice dice(14);
  NarrowPhase narrow;
  std::vector<ManifoldPoint> out;
  out.reserve(64);
  const Shape ground = make_half_space();
  const auto shapes = zoo();
  const auto closed = [](ShapeKind a, ShapeKind b) {
    const auto [lo, hi] = std::minmax(a, b);
    return (lo <= ShapeKind::sphere && hi <= ShapeKind::cylinder) || (lo == hi && lo <= ShapeKind::box);
  };
  for (const Shape& a : shapes)
    for (const Shape& b : shapes) {
      if (!closed(a.kind, b.kind)) continue;
      for (int k = 0; k < 100; ++k) {
        const Pose pa = dice.pose(0.1), pb = near(dice, a, pa, b);
        const test::HeapCount heap;
        out.clear();
        narrow.collide(a, pa, b, pb, 0.03, 0, Vec3::Zero(), out);
        narrow.collide(ground, pa, b, pb, 1.0, 0, Vec3::Zero(), out);
        EXPECT_EQ(heap.count(), 0);
      }
    }
}

}  // namespace
}  // namespace stiction
