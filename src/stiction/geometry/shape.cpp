// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/geometry/coal_bridge.h>
#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/shape.h>
#include <stiction/geometry/triangle_mesh.h>

#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

void require_positive(const char* field, double value) {
  if (!(value > 0.0) || !std::isfinite(value))
    throw InvalidInput(std::string(field) + " is " + std::to_string(value) + ", expected a finite length > 0 [m]");
}

Shape sized(ShapeKind kind, const Vec3& size) {
  Shape s;
  s.kind = kind;
  s.size = size;
  return s;
}

// Half extents in world axes of a disc of radius r with unit normal w: r √(1 − w²).
Vec3 disc_extent(double r, const Vec3& w) { return r * (1.0 - w.array().square()).max(0.0).sqrt().matrix(); }

Aabb around(const Vec3& centre, const Vec3& half) { return {centre - half, centre + half}; }

Aabb around_hull(const ConvexMesh& hull, const Pose& pose) {
  Aabb box;
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = pose.rotation.row(i);
    box.lo[i] = axis.dot(hull.vertices[hull.farthest(-axis)]) + pose.translation[i];
    box.hi[i] = axis.dot(hull.vertices[hull.farthest(axis)]) + pose.translation[i];
  }
  return box;
}

// World box of a box given in the shape's axes.
Aabb around_box(const Aabb& local, const Pose& pose) {
  return around(pose * (0.5 * (local.lo + local.hi)), pose.rotation.cwiseAbs() * (0.5 * (local.hi - local.lo)));
}

double farthest(const std::vector<Vec3>& points) {
  double r = 0.0;
  for (const Vec3& p : points) r = std::max(r, p.norm());
  return r;
}

}  // namespace

const char* name(ShapeKind kind) {
  static constexpr const char* kNames[] = {"point",  "sphere",     "capsule", "box",        "cylinder",
                                           "convex", "half_space", "mesh",    "heightfield"};
  return kNames[static_cast<int>(kind)];
}

Shape make_point() { return sized(ShapeKind::point, Vec3::Zero()); }

Shape make_sphere(double radius) {
  require_positive("sphere.radius", radius);
  return sized(ShapeKind::sphere, {radius, 0.0, 0.0});
}

Shape make_capsule(double radius, double length) {
  require_positive("capsule.radius", radius);
  require_positive("capsule.length", length);
  return sized(ShapeKind::capsule, {radius, 0.5 * length, 0.0});
}

Shape make_cylinder(double radius, double length) {
  require_positive("cylinder.radius", radius);
  require_positive("cylinder.length", length);
  return sized(ShapeKind::cylinder, {radius, 0.5 * length, 0.0});
}

Shape make_box(const Vec3& edges) {
  require_positive("box.size[0]", edges.x());
  require_positive("box.size[1]", edges.y());
  require_positive("box.size[2]", edges.z());
  return sized(ShapeKind::box, 0.5 * edges);
}

Shape make_half_space() { return sized(ShapeKind::half_space, Vec3::Zero()); }

Shape make_convex(const std::vector<Vec3>& points) {
  Shape s = sized(ShapeKind::convex, Vec3::Zero());
  s.convex = make_hull(points);
  return s;
}

Shape make_mesh(const std::vector<Vec3>& vertices, const std::vector<Eigen::Vector3i>& triangles) {
  Shape s = sized(ShapeKind::mesh, Vec3::Zero());
  s.mesh = make_triangle_mesh(vertices, triangles);
  return s;
}

Shape make_heightfield(const Mat& heights, double size_x, double size_y) {
  require_positive("heightfield.size_x", size_x);
  require_positive("heightfield.size_y", size_y);
  Shape s = sized(ShapeKind::heightfield, Vec3::Zero());
  s.heightfield = make_height_grid(heights, size_x, size_y);
  return s;
}

Shape load_mesh(const std::string& path, const Vec3& scale) {
  std::vector<Vec3> vertices;
  std::vector<Eigen::Vector3i> triangles;
  read_mesh(path, scale, vertices, triangles);
  try {
    return make_mesh(vertices, triangles);
  } catch (const InvalidInput& e) {
    throw InvalidInput("mesh file '" + path + "': " + e.what());
  }
}

Aabb bounds(const Shape& shape, const Pose& pose) {
  const Vec3& t = pose.translation;
  const Vec3 w = pose.rotation.col(2);
  switch (shape.kind) {
    case ShapeKind::point:
      return {t, t};
    case ShapeKind::sphere:
      return around(t, Vec3::Constant(shape.radius()));
    case ShapeKind::capsule:
      return around(t, shape.half_length() * w.cwiseAbs() + Vec3::Constant(shape.radius()));
    case ShapeKind::box:
      return around(t, pose.rotation.cwiseAbs() * shape.size);
    case ShapeKind::cylinder:
      return around(t, shape.half_length() * w.cwiseAbs() + disc_extent(shape.radius(), w));
    case ShapeKind::convex:
      return around_hull(*shape.convex, pose);
    case ShapeKind::half_space:
      return {Vec3::Constant(-kInf), Vec3::Constant(kInf)};
    case ShapeKind::mesh:
      return around_box(shape.mesh->box, pose);
    case ShapeKind::heightfield: {
      Aabb local = shape.heightfield->surface.box;
      local.lo.z() -= kDeep;  // solid below
      return around_box(local, pose);
    }
  }
  return {};
}

Aabb outer_bounds(const Shape& shape, const Pose& pose) {
  if (shape.kind != ShapeKind::convex) return bounds(shape, pose);
  return around(pose * shape.convex->centre, pose.rotation.cwiseAbs() * shape.convex->half);
}

Ball bounding_ball(const Shape& shape) {
  if (shape.kind == ShapeKind::convex) return {shape.convex->centre, shape.convex->radius};
  if (shape.kind == ShapeKind::mesh) {
    const Aabb& box = shape.mesh->box;
    return {0.5 * (box.lo + box.hi), 0.5 * (box.hi - box.lo).norm()};
  }
  return {Vec3::Zero(), reach(shape)};
}

double reach(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::point:
      return 0.0;
    case ShapeKind::sphere:
      return shape.radius();
    case ShapeKind::capsule:
      return shape.radius() + shape.half_length();
    case ShapeKind::box:
      return shape.size.norm();
    case ShapeKind::cylinder:
      return std::hypot(shape.radius(), shape.half_length());
    case ShapeKind::convex:
      return farthest(shape.convex->vertices);
    case ShapeKind::mesh:
      return farthest(shape.mesh->vertices);
    case ShapeKind::half_space:
    case ShapeKind::heightfield:
      return kInf;
  }
  return 0.0;
}

}  // namespace stiction
