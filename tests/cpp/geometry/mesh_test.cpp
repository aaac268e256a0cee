// SPDX-License-Identifier: BSD-2-Clause
// Static triangles and heightfields. Oracles: the half-space they triangulate, brute force over triangles, closed forms.
#include <gtest/gtest.h>
#include <stiction/geometry/support.h>
#include <stiction/geometry/triangle_mesh.h>

#include "geometry/geometry_support.h"

namespace stiction {
namespace {

using test::at;
using test::collide;

const auto kFlat = [](double, double) { return 0.0; };

// A body over flat triangles must see what it sees over a half-space: the exact normal, and the same lowest gap, also with
// its points exactly on edges and vertices.
TEST(Mesh, FlatFloorIsAHalfSpace) {
  const std::vector<Shape> floors{test::floor_mesh(10, 1.0, kFlat), make_heightfield(Mat::Zero(11, 11), 1.0, 1.0),
                                  test::floor_mesh(3, 1.0, kFlat)};
  const std::vector<Shape> bodies{
      make_point(), make_sphere(0.07), make_capsule(0.05, 0.15), make_box({0.2, 0.1, 0.12}), make_cylinder(0.06, 0.1),
      test::rock(4)};
  test::Dice dice(21);
  for (const Shape& ground : floors)
    for (const Shape& body : bodies)
      for (int k = 0; k < 200; ++k) {
        Pose pose{k % 4 ? dice.rotation() : Mat3::Identity(), Vec3::Zero()};
        if (k % 3 == 0)
          pose.translation = Vec3(0.1 * (k % 5) - 0.2, 0.1 * (k % 7) - 0.3, 0.0);  // on vertices
        else
          pose.translation = Vec3(dice.real(-0.2, 0.2), dice.real(-0.2, 0.2), 0.0);
        const double gap = dice.real(-2e-3, 2e-3);
        pose.translation.z() = support({&body, pose, nullptr}, -Vec3::UnitZ()) + gap;
        const auto p = collide(ground, {}, body, pose, 3e-3);
        ASSERT_FALSE(p.empty()) << name(ground.kind) << " " << name(body.kind) << " " << k;
        // More than four candidates: the choice among points of one depth is free within kSameDepth = 1e-6 (manifold.h).
        const double tolerance = body.kind == ShapeKind::convex ? 1e-6 : 1e-9;
        EXPECT_NEAR(test::lowest_gap(p), gap, tolerance) << name(ground.kind) << " " << name(body.kind) << " " << k;
        EXPECT_LE(p.size(), 4u);
        for (const auto& q : p) {
          EXPECT_LE((q.normal - Vec3::UnitZ()).norm(), 1e-12) << name(body.kind) << " " << k;
          EXPECT_NEAR(q.point.z(), 0.5 * q.gap, 1e-9);
        }
      }
}

TEST(Mesh, SlidingSphereAndBoxFeelNoEdges) {
  const Shape ground = test::floor_mesh(10, 1.0, kFlat);
  const Shape ball = make_sphere(0.05), box = make_box({0.1, 0.1, 0.1});
  for (int k = 0; k < 1000; ++k) {
    const double x = -0.3 + 6e-4 * k, y = 0.2 * std::sin(0.01 * k);
    const auto p = collide(ground, {}, ball, at(x, y, 0.05 - 1e-4), 1e-3);
    ASSERT_EQ(p.size(), 1u) << k;
    EXPECT_LE((p[0].normal - Vec3::UnitZ()).norm(), 1e-12);
    EXPECT_NEAR(p[0].gap, -1e-4, 1e-15);
    EXPECT_NEAR(p[0].point.x(), x, 1e-12);
    const auto q = collide(ground, {}, box, at(x, y, 0.05 - 1e-4), 1e-3);
    ASSERT_EQ(q.size(), 4u) << k;
    for (const auto& c : q) {
      EXPECT_LE((c.normal - Vec3::UnitZ()).norm(), 1e-12);
      EXPECT_NEAR(c.gap, -1e-4, 1e-15);
      EXPECT_NEAR(std::abs(c.point.x() - x), 0.05, 1e-6) << k;  // its corners, not cuts at edges
      EXPECT_NEAR(std::abs(c.point.y() - y), 0.05, 1e-6) << k;
    }
  }
}

// Oracle: a roof |x| with slope 1: a ball over the ridge touches it along z, over a side along the side's normal, in the
// valley of the mirrored roof two sides at once and never the edge.
TEST(Mesh, RidgesTouchValleysDoNot) {
  const Shape roof = test::floor_mesh(4, 2.0, [](double x, double) { return -std::abs(x); });
  const Shape valley = test::floor_mesh(4, 2.0, [](double x, double) { return std::abs(x); });
  const Shape ball = make_sphere(0.1);
  auto p = collide(roof, {}, ball, at(0.0, 0.1, 0.099), 1e-3);
  ASSERT_EQ(p.size(), 1u);
  EXPECT_NEAR(p[0].gap, -1e-3, 1e-15);
  EXPECT_LE((p[0].normal - Vec3::UnitZ()).norm(), 1e-12);
  p = collide(roof, {}, ball, at(0.03, 0.1, 0.09), 1e-2);  // still the ridge: direction (3, 0, 9)
  ASSERT_EQ(p.size(), 1u);
  EXPECT_NEAR(p[0].gap, std::hypot(0.03, 0.09) - 0.1, 1e-15);
  p = collide(valley, {}, ball, at(0.0, 0.1, 0.1 * std::sqrt(2.0)), 1e-3);
  ASSERT_EQ(p.size(), 2u);
  for (const auto& q : p) {
    EXPECT_NEAR(q.gap, 0.0, 1e-15);
    EXPECT_NEAR(q.normal.z(), std::sqrt(0.5), 1e-12);
  }
  // A plank across the ridge balances on it: normal along z, points on the ridge.
  const auto plank = collide(roof, {}, make_box({0.5, 0.1, 0.02}), at(0.0, 0.1, 0.0095), 1e-3);
  ASSERT_GE(plank.size(), 2u);
  for (const auto& q : plank) {
    EXPECT_LE((q.normal - Vec3::UnitZ()).norm(), 1e-9);
    EXPECT_NEAR(q.gap, -5e-4, 1e-9);
    EXPECT_NEAR(q.point.x(), 0.0, 1e-6);
  }
}

Shape cube_mesh(double half) {
  std::vector<Vec3> v;
  for (int c = 0; c < 8; ++c) v.emplace_back((c & 1) ? half : -half, (c & 2) ? half : -half, (c & 4) ? half : -half);
  return make_mesh(v, {{0, 2, 1},
                       {1, 2, 3},
                       {4, 5, 6},
                       {5, 7, 6},
                       {0, 1, 4},
                       {1, 5, 4},
                       {2, 6, 3},
                       {3, 6, 7},
                       {0, 4, 2},
                       {2, 4, 6},
                       {1, 3, 5},
                       {3, 7, 5}});
}

// Oracle: a closed mesh of a box is the box, for spheres everywhere outside and slightly inside.
TEST(Mesh, CubeOfTrianglesIsABoxForSpheres) {
  const Shape mesh = cube_mesh(0.5), box = make_box({1.0, 1.0, 1.0}), ball = make_sphere(0.1);
  test::Dice dice(22);
  int seen = 0;
  for (int k = 0; k < 3000; ++k) {
    const Pose pose_a = dice.pose(0.3), pose_b{dice.rotation(), pose_a * dice.vec(0.65)};
    const auto p = collide(mesh, pose_a, ball, pose_b, 0.02), q = collide(box, pose_a, ball, pose_b, 0.02);
    if (q.empty()) {
      EXPECT_TRUE(p.empty());
      continue;
    }
    if (q[0].gap < -0.05) continue;  // deep inside a mesh is nobody's land
    ++seen;
    ASSERT_FALSE(p.empty()) << k;
    double gap = -1.0;
    for (const auto& c : p)
      gap = std::max(gap, c.gap);  // faces behind which the centre lies also count; the shallowest is the box's
    EXPECT_NEAR(test::lowest_gap(p), q[0].gap, 1e-12) << k;
    EXPECT_LE((p[0].normal - q[0].normal).norm(), 1e-9) << k;
  }
  EXPECT_GT(seen, 300);
}

TEST(Mesh, BoxOnTheEdgeOfACubeOfTrianglesRestsOnTheTop) {
  const Shape mesh = cube_mesh(0.5), box = make_box({0.4, 0.4, 0.2});
  for (const double x : {0.2, 0.45, 0.5, 0.55, 0.65}) {  // hanging over the rim more and more
    const auto p = collide(mesh, {}, box, at(x, 0.0, 0.6 - 1e-3), 1e-2);
    ASSERT_GE(p.size(), 3u) << x;
    for (const auto& q : p) {
      EXPECT_LE((q.normal - Vec3::UnitZ()).norm(), 1e-9) << x;
      EXPECT_NEAR(q.gap, -1e-3, 1e-9) << x;
      EXPECT_LE(q.point.x(), 0.5 + 2e-6);
    }
  }
}

TEST(Mesh, OneSided) {
  const Shape ground = test::floor_mesh(4, 1.0, kFlat);
  EXPECT_TRUE(collide(ground, {}, make_sphere(0.05), at(0.0, 0.0, -0.2), 1e-3).empty());
  EXPECT_TRUE(collide(ground, {}, make_box({0.1, 0.1, 0.1}), at(0.0, 0.0, -0.03), 1e-3).empty());
  for (const auto& p : collide(ground, {}, make_sphere(0.05), at(0.01, 0.02, -0.01), 1e-3))
    EXPECT_GT(p.normal.z(), 0.99);
}

TEST(Mesh, HeightfieldIsSolidBelow) {
  Mat h(3, 4);
  h << 0, 0, 0, 0, 0, 0.1, 0.1, 0, 0, 0, 0, 0;
  const Shape field = make_heightfield(h, 3.0, 2.0);
  for (const double z : {-0.2, -1.0}) {
    const auto p = collide(field, {}, make_point(), at(-1.2, -0.9, z), 1e-3);
    ASSERT_EQ(p.size(), 1u);
    EXPECT_GT(p[0].normal.z(), 0.9);
    EXPECT_LT(p[0].gap, -0.19);
  }
  EXPECT_FALSE(collide(field, {}, make_box({0.2, 0.2, 0.2}), at(0.0, 0.0, -0.3), 1e-3).empty());
  // Row i is y, column j is x: the bump lies at x = ±0.5, y = 0.
  EXPECT_FALSE(collide(field, {}, make_sphere(0.1), at(0.5, 0.0, 0.2), 1e-3).empty());
  EXPECT_TRUE(collide(field, {}, make_sphere(0.1), at(1.4, 0.0, 0.2), 1e-3).empty());
  EXPECT_TRUE(collide(field, {}, make_sphere(0.1), at(0.0, 0.9, 0.2), 1e-3).empty());
}

// Oracle: all triangles whose boxes overlap.
TEST(Mesh, TreeFindsWhatBruteForceFinds) {
  test::Dice dice(23);
  const Shape ground =
      test::floor_mesh(17, 1.0, [](double x, double y) { return 0.2 * std::sin(7 * x) * std::cos(5 * y); });
  const TriangleMesh& mesh = *ground.mesh;
  std::vector<int> found;
  for (int k = 0; k < 200; ++k) {
    const Vec3 c = dice.vec(0.5), r = dice.vec(0.1).cwiseAbs();
    const Aabb query{c - r, c + r};
    mesh.find(query, found);
    std::vector<int> expected;
    for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
      Aabb box{Vec3::Constant(1e9), Vec3::Constant(-1e9)};
      for (int i = 0; i < 3; ++i) {
        const Vec3& v = mesh.vertices[static_cast<std::size_t>(mesh.triangles[static_cast<std::size_t>(t)][i])];
        box.lo = box.lo.cwiseMin(v), box.hi = box.hi.cwiseMax(v);
      }
      if (box.overlaps(query)) expected.push_back(t);
    }
    EXPECT_TRUE(std::includes(found.begin(), found.end(), expected.begin(), expected.end()));
    EXPECT_LE(found.size(), expected.size() + 8 * 3 + expected.size() * 4);
  }
}

}  // namespace
}  // namespace stiction
