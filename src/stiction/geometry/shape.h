// SPDX-License-Identifier: BSD-2-Clause
// Collision shapes, each in its own frame. Capsules and cylinders lie along z.
#pragma once

#include <stiction/base/types.h>

#include <memory>
#include <string>
#include <vector>

namespace stiction {

struct ConvexMesh;    // geometry/convex_mesh.h: closed convex polytope with faces and adjacency
struct TriangleMesh;  // geometry/triangle_mesh.h: triangles with a bounding-volume tree and internal-edge flags
struct Heightfield;   // geometry/triangle_mesh.h: regular grid of heights

enum class ShapeKind : std::uint8_t { point, sphere, capsule, box, cylinder, convex, half_space, mesh, heightfield };

const char* name(ShapeKind kind);

struct Shape {
  ShapeKind kind = ShapeKind::sphere;
  Vec3 size = Vec3::Zero();  // sphere (r,0,0); capsule, cylinder (r, half length, 0); box half edges; else unused [m]
  std::shared_ptr<const ConvexMesh> convex;
  std::shared_ptr<const TriangleMesh> mesh;  // one-sided: solid on the side away from the triangle's normal
  std::shared_ptr<const Heightfield> heightfield;

  double radius() const { return size.x(); }
  double half_length() const { return size.y(); }
};

// Makers check their arguments (InvalidInput names the field). Lengths are full: box edges, capsule and cylinder length
// without caps.
Shape make_point();
Shape make_sphere(double radius);
Shape make_capsule(double radius, double length);
Shape make_cylinder(double radius, double length);
Shape make_box(const Vec3& edges);
Shape make_half_space();                             // solid where z ≤ 0 in its own frame
Shape make_convex(const std::vector<Vec3>& points);  // convex hull of the points
Shape make_mesh(const std::vector<Vec3>& vertices, const std::vector<Eigen::Vector3i>& triangles);
// heights(i, j) at x = (j/(cols−1) − 1/2)·size_x, y = (i/(rows−1) − 1/2)·size_y; solid below.
Shape make_heightfield(const Mat& heights, double size_x, double size_y);
// One convex hull per connected part of a triangle mesh (for moving bodies).
std::vector<Shape> convex_parts(const TriangleMesh& mesh);
// STL, OBJ, DAE… through Coal's mesh loader. InvalidInput names the file if it is missing, broken or has no faces.
Shape load_mesh(const std::string& path, const Vec3& scale = Vec3::Ones());

struct Aabb {
  Vec3 lo = Vec3::Zero(), hi = Vec3::Zero();
  bool overlaps(const Aabb& b) const {
    return (lo.array() <= b.hi.array()).all() && (b.lo.array() <= hi.array()).all();
  }
};

Aabb bounds(const Shape& shape, const Pose& pose);  // world box; half-space: infinite
// Contains bounds(); of a hull it is the box around its own precomputed box: larger, and no vertex is looked at.
Aabb outer_bounds(const Shape& shape, const Pose& pose);
struct Ball {
  Vec3 centre = Vec3::Zero();  // in the shape's frame [m]
  double radius = 0.0;         // infinite for half-spaces and heightfields [m]
};
Ball bounding_ball(const Shape& shape);
double reach(const Shape& shape);  // largest distance of a surface point from the shape's origin [m]

// Mass properties of the solid shape of given mass, about its centre of mass, in the shape's axes.
struct SolidInertia {
  double mass = 0.0;
  Vec3 com = Vec3::Zero();
  Mat3 about_com = Mat3::Zero();
};
SolidInertia solid_inertia(const Shape& shape, double mass);

}  // namespace stiction
