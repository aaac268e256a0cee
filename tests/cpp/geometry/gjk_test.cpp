// SPDX-License-Identifier: BSD-2-Clause
// Our own GJK and EPA. Oracles: Coal's; closed forms of boxes and balls; the definition of the signed distance (max over n of
// the separation along n); all vertices instead of some; a narrow phase without memory instead of one with.
#include <gtest/gtest.h>
#include <stiction/geometry/gjk.h>
#include <stiction/geometry/pairs.h>

#include "geometry/geometry_support.h"
#include "support/heap_count.h"

namespace stiction {
namespace {

using test::Dice;

Shape cloud(unsigned seed, int points, const Vec3& scale, double grid = 0.0) {
  Dice dice(seed);
  std::vector<Vec3> p;
  for (int i = 0; i < points; ++i) {
    Vec3 x = dice.unit().cwiseProduct(scale);
    for (int k = 0; k < 3 && grid > 0.0; ++k)
      x[k] = grid * std::round(x[k] / grid);  // many coincide, many are coplanar
    p.push_back(x);
  }
  return make_convex(p);
}

Shape hull_of_box(const Vec3& half) {
  std::vector<Vec3> p;
  for (unsigned c = 0; c < 8; ++c) p.push_back(box_corner(half, c));
  return make_convex(p);
}

std::vector<Shape> hulls() {
  return {cloud(1, 200, {0.2, 0.14, 0.1}), cloud(2, 200, {0.2, 0.2, 0.2}),
          cloud(3, 20, {0.2, 0.14, 0.1}),  cloud(4, 60, {0.2, 0.2, 5e-4}),
          cloud(5, 60, {0.3, 1e-3, 1e-3}), cloud(6, 300, {0.2, 0.2, 0.2}, 0.05),
          hull_of_box({0.1, 0.15, 0.2}),   make_convex({{0, 0, 0}, {.2, 0, 0}, {0, .2, 0}, {0, 0, .2}})};
}

// Modes: apart, just touching, deep, axes parallel, a quarter turn apart; every third of the last two exactly touching.
Pose placed(Dice& dice, const Shape& a, const Pose& pa, const Shape& b, int mode, int k) {
  Mat3 r = dice.rotation();
  if (mode == 3) r = pa.rotation;
  if (mode == 4) r = pa.rotation * test::turn(M_PI / 2 * (k % 4), Vec3::Unit(k % 3));
  const Vec3 d = mode == 3 && k % 2 ? Vec3(pa.rotation.col(k % 3)) : dice.unit();
  const double touch =
      support({&a, {pa.rotation, Vec3::Zero()}, nullptr}, d) + support({&b, {r, Vec3::Zero()}, nullptr}, -d);
  const double low[] = {0.0, -0.01, -0.3, -0.02, -0.02}, high[] = {0.02, 0.0, 0.0, 0.01, 0.01};
  const double off = mode >= 3 && k % 3 == 0 ? 0.0 : dice.real(low[mode], high[mode]);
  return {r, pa.translation + d * (touch + off)};
}

Separation best_of_coal(DistanceQuery& coal, const Placed& a, const Placed& b) {
  Separation best{-1e9, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), false};
  for (int attempt = 0; attempt < 3; ++attempt) {
    Separation s = coal(a, b, attempt);
    if (s.valid) s.distance = separation(a, b, s.normal);
    if (s.valid && s.distance > best.distance) best = s;
  }
  return best;
}

TEST(Gjk, HullsAgreeWithCoal) {
  Dice dice(21);
  DistanceQuery coal;
  ConvexQuery own;
  std::vector<Shape> all = hulls();
  const std::size_t n = all.size();
  for (const Shape& s : {make_box({0.2, 0.3, 0.4}), make_capsule(0.05, 0.3), make_sphere(0.1)}) all.push_back(s);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < all.size(); ++j)
      for (int trial = 0; trial < 100; ++trial) {
        const Pose pa = dice.pose(0.3), pb = placed(dice, all[i], pa, all[j], trial % 5, trial / 5);
        const Placed a{&all[i], pa, nullptr}, b{&all[j], pb, nullptr};
        const Separation s = own(a, b, 1e9), oracle = best_of_coal(coal, a, b);
        ASSERT_TRUE(s.valid && oracle.valid) << i << " " << j << " " << trial;
        EXPECT_NEAR(s.normal.norm(), 1.0, 1e-12);
        EXPECT_NEAR(s.distance, separation(a, b, s.normal), 1e-9) << i << " " << j << " " << trial;
        EXPECT_GE(s.distance, oracle.distance - 1e-8)
            << i << " " << j << " " << trial;  // the largest separation is sought
        EXPECT_LE((s.point_b - s.point_a - s.distance * s.normal).norm(), 1e-9);
        EXPECT_LE(s.distance, oracle.distance + 1e-5);
        if (oracle.distance > 1e-3) {
          EXPECT_GT(s.normal.dot(oracle.normal), 1.0 - 1e-6);
        }
        // Witness points are points of the shapes: beyond no plane along the normal.
        EXPECT_LE(s.normal.dot(s.point_a), support(a, s.normal) + 1e-9);
        EXPECT_GE(s.normal.dot(s.point_b), -support(b, -s.normal) - 1e-9);
      }
}

TEST(Gjk, StopsAsSoonAsTheShapesAreKnownToBeFarEnoughApart) {
  Dice dice(22);
  ConvexQuery own;
  const Shape a = cloud(1, 200, {0.2, 0.14, 0.1}), b = cloud(2, 200, {0.2, 0.2, 0.2});
  for (int k = 0; k < 500; ++k) {
    const Pose pa = dice.pose(0.3), pb = placed(dice, a, pa, b, 0, k);
    const Placed x{&a, pa, nullptr}, y{&b, pb, nullptr};
    const double exact = own(x, y, 1e9).distance, far = dice.real(0.0, 0.03);
    const Separation s = own(x, y, far);
    EXPECT_LE(s.distance, exact + 1e-12);
    EXPECT_EQ(s.distance >= far, exact >= far) << exact << " " << far;
    EXPECT_LE(s.distance, separation(x, y, s.normal) + 1e-12);
  }
}

// Closed form: distance of a point to a box by clamping, inside by the nearest face.
TEST(Gjk, BallsAndHullsOfBoxesAgreeWithTheClosedForm) {
  Dice dice(23);
  ConvexQuery own;
  const Vec3 half(0.1, 0.15, 0.2);
  const Shape box = hull_of_box(half), ball = make_sphere(0.05);
  for (int k = 0; k < 2000; ++k) {
    const Pose pa = dice.pose(0.3);
    const Vec3 x = dice.vec(0.3);
    const Vec3 outside = (x.cwiseAbs() - half).cwiseMax(0.0);
    const double inside = (x.cwiseAbs() - half).maxCoeff();
    const double distance = (inside > 0.0 ? outside.norm() : inside) - 0.05;
    const Separation s = own({&box, pa, nullptr}, {&ball, {dice.rotation(), pa * x}, nullptr}, 1e9);
    EXPECT_NEAR(s.distance, distance, 1e-12);
  }
}

// Closed form of two boxes that overlap: the largest of the 15 separations [Gottschalk96].
TEST(Gjk, HullsOfOverlappingBoxesAgreeWithSeparatingAxes) {
  Dice dice(24);
  ConvexQuery own;
  const Vec3 ha(0.1, 0.15, 0.2), hb(0.12, 0.08, 0.3);
  const Shape a = hull_of_box(ha), b = hull_of_box(hb);
  int overlapping = 0;
  for (int k = 0; k < 2000; ++k) {
    const Pose pa = dice.pose(0.3), pb{k % 4 ? dice.rotation() : pa.rotation, pa.translation + dice.vec(0.25)};
    std::vector<Vec3> axes;
    for (int i = 0; i < 3; ++i) axes.push_back(pa.rotation.col(i)), axes.push_back(pb.rotation.col(i));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (const Vec3 c = pa.rotation.col(i).cross(pb.rotation.col(j)); c.norm() > 1e-6)
          axes.push_back(c.normalized());
    const Vec3 t = pb.translation - pa.translation;
    double largest = -1e9;
    for (const Vec3& n : axes)
      largest = std::max(largest, std::abs(n.dot(t)) - (pa.rotation.transpose() * n).cwiseAbs().dot(ha) -
                                      (pb.rotation.transpose() * n).cwiseAbs().dot(hb));
    if (largest > 0.0) continue;
    ++overlapping;
    EXPECT_NEAR(own({&a, pa, nullptr}, {&b, pb, nullptr}, 1e9).distance, largest, 1e-12) << k;
  }
  EXPECT_GT(overlapping, 500);
}

TEST(Gjk, TrianglesAgreeWithCoal) {
  Dice dice(25);
  DistanceQuery coal;
  ConvexQuery own;
  const Shape rock = cloud(1, 200, {0.2, 0.14, 0.1});
  for (int k = 0; k < 2000; ++k) {
    const Vec3 corner[3] = {dice.vec(0.2), dice.vec(0.2), dice.vec(0.2)};
    const Pose pb = dice.pose(0.3);
    const Placed a{nullptr, Pose{}, corner}, b{&rock, pb, nullptr};
    const Separation s = own(a, b, 1e9), oracle = best_of_coal(coal, a, b);
    ASSERT_TRUE(s.valid);
    EXPECT_NEAR(s.distance, separation(a, b, s.normal), 1e-9);
    EXPECT_GE(s.distance, oracle.distance - 1e-8);
  }
}

TEST(ConvexMesh, CandidatesHoldTheFarthestVertex) {
  Dice dice(26);
  for (const Shape& s : hulls())
    for (int k = 0; k < 5000; ++k) {
      const Vec3 d = k % 7 ? dice.unit() : Vec3::Unit(k % 3) * (k % 2 ? 1.0 : -1.0);
      double top = -1e9;
      for (const Vec3& v : s.convex->vertices) top = std::max(top, d.dot(v));
      EXPECT_GE(d.dot(s.convex->vertices[s.convex->farthest(d)]), top);
    }
  EXPECT_FALSE(hulls()[0].convex->candidates.empty());
  EXPECT_GE(hulls()[0].convex->farthest(Vec3::Constant(NAN)), 0);  // anything, but an index
}

TEST(ConvexMesh, BallsAndBoxesHoldTheHull) {
  Dice dice(27);
  for (const Shape& s : hulls()) {
    const Pose pose = dice.pose(1.0);
    const Aabb tight = bounds(s, pose), outer = outer_bounds(s, pose);
    const Ball ball = bounding_ball(s);
    Aabb exact{Vec3::Constant(1e9), Vec3::Constant(-1e9)};
    for (const Vec3& v : s.convex->vertices) {
      exact.lo = exact.lo.cwiseMin(pose * v), exact.hi = exact.hi.cwiseMax(pose * v);
      EXPECT_LE((v - ball.centre).norm(), ball.radius * (1.0 + 1e-15));
    }
    EXPECT_LE((tight.lo - exact.lo).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_LE((tight.hi - exact.hi).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_TRUE((outer.lo.array() <= exact.lo.array() + 1e-13).all() &&
                (outer.hi.array() >= exact.hi.array() - 1e-13).all());
  }
}

// Pairs wander; a narrow phase that has seen all of it and a new one find the same, to the last bit.
TEST(NarrowPhase, WhatItRemembersHasNoInfluence) {
  Dice dice(28);
  std::vector<Shape> all = hulls();
  for (const Shape& s : {make_box({0.2, 0.3, 0.4}), make_capsule(0.05, 0.3), make_cylinder(0.1, 0.3)}) all.push_back(s);
  NarrowPhase warm;
  int touching = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i; j < all.size(); ++j) {
      const Pose pa = dice.pose(0.1);
      Pose pb = placed(dice, all[i], pa, all[j], 1, 1);
      const std::uint64_t pair = 16 * i + j;
      for (int k = 0; k < 60; ++k) {
        pb = {test::turn(dice.real(0.0, 0.02), dice.unit()) * pb.rotation, pb.translation + dice.vec(2e-3)};
        NarrowPhase fresh;
        std::vector<ManifoldPoint> p, q;
        warm.collide(all[i], pa, all[j], pb, 2e-3, pair, Vec3::Zero(), p);
        fresh.collide(all[i], pa, all[j], pb, 2e-3, pair, Vec3::Zero(), q);
        touching += !q.empty();
        ASSERT_EQ(p.size(), q.size()) << i << " " << j << " " << k;
        for (std::size_t m = 0; m < p.size(); ++m) {
          EXPECT_EQ(p[m].point, q[m].point);
          EXPECT_EQ(p[m].normal, q[m].normal);
          EXPECT_EQ(p[m].gap, q[m].gap);
          EXPECT_EQ(p[m].feature, q[m].feature);
        }
      }
    }
  EXPECT_GT(touching, 300);
}

TEST(NarrowPhase, HullsDoNotAllocate) {
  if (!test::kCountsAllocations) GTEST_SKIP();
  Dice dice(29);
  NarrowPhase narrow;
  narrow.expect(100);
  std::vector<ManifoldPoint> out;
  out.reserve(256);
  const auto all = hulls();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j)
      for (int trial = 0; trial < 50; ++trial) {
        const Pose pa = dice.pose(0.3), pb = placed(dice, all[i], pa, all[j], trial % 5, trial / 5);
        out.clear();
        const test::HeapCount heap;
        narrow.collide(all[i], pa, all[j], pb, 1e-3, 16 * i + j, Vec3::Zero(), out);
        EXPECT_EQ(heap.count(), 0);
      }
}

}  // namespace
}  // namespace stiction
