// SPDX-License-Identifier: BSD-2-Clause
// Oracles: textbook inertias, sampled bounds, the sentence of every refusal.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/shape.h>
#include <stiction/geometry/support.h>
#include <stiction/geometry/triangle_mesh.h>

#include <fstream>
#include <functional>

#include "geometry/geometry_support.h"

namespace stiction {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<Vec3> cuboid(const Vec3& half, const Vec3& centre = Vec3::Zero()) {
  std::vector<Vec3> p;
  for (int c = 0; c < 8; ++c)
    p.push_back(centre +
                Vec3((c & 1) ? half.x() : -half.x(), (c & 2) ? half.y() : -half.y(), (c & 4) ? half.z() : -half.z()));
  return p;
}

std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const InvalidInput& e) {
    return e.what();
  }
  return "";
}

TEST(Shape, BadInputIsRefusedWithASentence) {
  const std::vector<std::pair<std::function<void()>, std::string>> cases{
      {[] { make_sphere(0.0); }, "sphere.radius"},
      {[] { make_sphere(-1.0); }, "sphere.radius"},
      {[] { make_sphere(kNan); }, "sphere.radius"},
      {[] { make_capsule(0.1, -1.0); }, "capsule.length"},
      {[] { make_cylinder(0.1, std::numeric_limits<double>::infinity()); }, "cylinder.length"},
      {[] { make_box({1.0, 0.0, 1.0}); }, "box.size[1]"},
      {[] { make_convex({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()}); }, "at least 4"},
      {[] { make_convex({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3(1, 1, 0), Vec3(2, 1, 0)}); }, "flat"},
      {[] { make_convex({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3(1, kNan, 0)}); }, "point 3"},
      {[] { make_mesh({Vec3::Zero()}, {}); }, "no faces"},
      {[] { make_mesh({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()}, {{0, 1, 3}}); }, "names vertex 3"},
      {[] { make_mesh({Vec3::Zero(), Vec3::UnitX(), Vec3(2, 0, 0)}, {{0, 1, 2}}); }, "area"},
      {[] { make_mesh({Vec3::Zero(), Vec3(kNan, 0, 0), Vec3::UnitY()}, {{0, 1, 2}}); }, "vertex 1"},
      {[] { make_heightfield(Mat::Zero(1, 5), 1.0, 1.0); }, "2 x 2"},
      {[] { make_heightfield(Mat::Constant(3, 3, kNan), 1.0, 1.0); }, "not finite"},
      {[] { make_heightfield(Mat::Zero(3, 3), 0.0, 1.0); }, "size_x"},
      {[] { load_mesh("/nowhere/foot.stl"); }, "/nowhere/foot.stl"},
      {[] { solid_inertia(make_sphere(1.0), -1.0); }, "mass is -1"},
      {[] { solid_inertia(make_half_space(), 1.0); }, "half_space"},
  };
  for (std::size_t i = 0; i < cases.size(); ++i)
    EXPECT_NE(refusal(cases[i].first).find(cases[i].second), std::string::npos) << i << ": " << refusal(cases[i].first);
}

TEST(Shape, MeshFilesThatAreBrokenNameTheFile) {
  const std::string path = testing::TempDir() + "/stiction_broken.stl";
  std::ofstream(path) << "this is not a mesh";
  EXPECT_NE(refusal([&] { load_mesh(path); }).find(path), std::string::npos);
}

TEST(Shape, ObjFileIsReadScaledAndMirrored) {
  const std::string path = testing::TempDir() + "/stiction_tetrahedron.obj";
  std::ofstream(path) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  const Shape s = load_mesh(path, Vec3(2.0, 1.0, -3.0));  // volume of the unit tetrahedron is 1/6
  EXPECT_EQ(s.mesh->triangles.size(), 4u);
  EXPECT_NEAR(integrate_volume(s.mesh->vertices, s.mesh->triangles).volume, 1.0,
              1e-6);  // single precision inside Assimp
}

TEST(Shape, SolidInertiaOfPrimitives) {
  const double m = 3.0, r = 0.2, l = 0.7;
  EXPECT_NEAR(solid_inertia(make_sphere(r), m).about_com(1, 1), 0.4 * m * r * r, 1e-15);
  const Mat3 box = solid_inertia(make_box({0.2, 0.4, 0.6}), m).about_com;
  EXPECT_NEAR(box(0, 0), m / 12.0 * (0.16 + 0.36), 1e-15);
  EXPECT_NEAR(box(2, 2), m / 12.0 * (0.04 + 0.16), 1e-15);
  const Mat3 cylinder = solid_inertia(make_cylinder(r, l), m).about_com;
  EXPECT_NEAR(cylinder(2, 2), m * r * r / 2.0, 1e-15);
  EXPECT_NEAR(cylinder(0, 0), m / 12.0 * (3.0 * r * r + l * l), 1e-15);
}

// Oracle: a capsule is the limit of its polyhedra; 64 x 40 points give 4e-3.
TEST(Shape, CapsuleInertiaIsThatOfItsHull) {
  const double r = 0.2, l = 0.5;
  std::vector<Vec3> cloud;
  for (int i = 0; i <= 40; ++i)
    for (int j = 0; j < 64; ++j) {
      const double a = M_PI * i / 40.0, phi = 2.0 * M_PI * j / 64.0;
      const double z = r * std::cos(a);
      const double x = r * std::sin(a) * std::cos(phi), y = r * std::sin(a) * std::sin(phi);
      if (i <= 20) cloud.emplace_back(x, y, z + l / 2);
      if (i >= 20) cloud.emplace_back(x, y, z - l / 2);
    }
  const SolidInertia hull = solid_inertia(make_convex(cloud), 2.0), exact = solid_inertia(make_capsule(r, l), 2.0);
  EXPECT_LT((hull.about_com - exact.about_com).norm(), 4e-3 * exact.about_com.norm());
  EXPECT_LT(hull.com.norm(), 1e-9);
}

TEST(Shape, HullOfACuboidHasSixSquareFaces) {
  std::vector<Vec3> p = cuboid({0.1, 0.2, 0.3}, {1.0, 2.0, 3.0});
  p.emplace_back(1.0, 2.0, 3.0);  // inside
  p.emplace_back(1.1, 2.0, 3.0);  // in a face
  const Shape s = make_convex(p);
  ASSERT_EQ(s.convex->faces.size(), 6u);
  EXPECT_EQ(s.convex->edges.size() >= 12u, true);
  for (const auto& f : s.convex->faces) {
    EXPECT_GE(f.count, 4);
    EXPECT_NEAR(f.normal.cwiseAbs().maxCoeff(), 1.0, 1e-12);
  }
  const SolidInertia hull = solid_inertia(s, 5.0), box = solid_inertia(make_box({0.2, 0.4, 0.6}), 5.0);
  EXPECT_LT((hull.com - Vec3(1.0, 2.0, 3.0)).norm(), 1e-12);
  EXPECT_LT((hull.about_com - box.about_com).norm(), 1e-12);
}

// Oracle: Euler's formula V − E + F = 2 for polygonal faces, and every vertex behind every face.
TEST(Shape, HullsAreClosedAndConvex) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const Shape s = test::rock(seed, 10 + static_cast<int>(seed) * 4);
    const ConvexMesh& h = *s.convex;
    EXPECT_EQ(static_cast<int>(h.vertices.size()) - static_cast<int>(h.edges.size()) + static_cast<int>(h.faces.size()),
              2);
    for (const auto& f : h.faces)
      for (const Vec3& v : h.vertices) EXPECT_LE(f.normal.dot(v) - f.offset, 1e-6);
  }
}

// Oracle: the support function along the axes.
TEST(Shape, BoundsAreTight) {
  test::Dice dice(1);
  const std::vector<Shape> shapes{make_sphere(0.2), make_capsule(0.1, 0.5), make_box({0.1, 0.5, 0.9}),
                                  make_cylinder(0.2, 0.4), test::rock(3)};
  for (const Shape& s : shapes)
    for (int k = 0; k < 50; ++k) {
      const Placed p{&s, dice.pose(2.0), nullptr};
      const Aabb box = bounds(s, p.pose);
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(box.hi[i], support(p, Vec3::Unit(i)), 1e-12) << name(s.kind);
        EXPECT_NEAR(-box.lo[i], support(p, -Vec3::Unit(i)), 1e-12) << name(s.kind);
        EXPECT_LE(std::abs(support(p, Vec3::Unit(i)) - p.pose.translation[i]), reach(s) + 1e-12);
      }
    }
}

TEST(Shape, PartsOfAMeshAreHulls) {
  std::vector<Vec3> v;
  std::vector<Eigen::Vector3i> t;
  for (int part = 0; part < 2; ++part) {  // two tetrahedra whose triangles do not share indices
    const Vec3 o(3.0 * part, 0.0, 0.0), p[4] = {o, o + Vec3::UnitX(), o + Vec3::UnitY(), o + Vec3::UnitZ()};
    for (const auto& f :
         {Eigen::Vector3i(0, 2, 1), Eigen::Vector3i(0, 1, 3), Eigen::Vector3i(1, 2, 3), Eigen::Vector3i(0, 3, 2)}) {
      const int n = static_cast<int>(v.size());
      for (int k = 0; k < 3; ++k) v.push_back(p[f[k]]);
      t.emplace_back(n, n + 1, n + 2);
    }
  }
  const Shape mesh = make_mesh(v, t);
  EXPECT_EQ(mesh.mesh->vertices.size(), 8u);
  const std::vector<Shape> parts = convex_parts(*mesh.mesh);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_NEAR(parts[0].convex->integrals.volume, 1.0 / 6.0, 1e-12);
  EXPECT_NEAR(parts[1].convex->integrals.com.x(), 3.25, 1e-12);
  EXPECT_NEAR(solid_inertia(mesh, 2.0).com.x(), 1.75, 1e-12);
}

}  // namespace
}  // namespace stiction
