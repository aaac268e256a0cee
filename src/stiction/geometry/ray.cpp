// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/ray.h>
#include <stiction/geometry/triangle_mesh.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kNoHit = std::numeric_limits<double>::infinity();
using Hit = std::optional<RayHit>;

void keep_nearer(const Hit& found, Hit& best) {
  if (found && (!best || found->distance < best->distance)) best = found;
}

// Roots of a t² + 2 b t + c, ascending; none: both infinite.
struct Roots {
  double near = kNoHit, far = kNoHit;
};
Roots roots_of(double a, double b, double c) {
  const double discriminant = b * b - a * c;
  if (!(a > 0.0) || !(discriminant >= 0.0)) return {};
  const double root = std::sqrt(discriminant);
  const double q = b > 0.0 ? -b - root : -b + root;  // no difference of numbers that are nearly equal
  const double other = q != 0.0 ? c / q : 0.0;
  return {std::min(q / a, other), std::max(q / a, other)};
}

Hit at_sphere(const Vec3& centre, double radius, const Ray& ray) {
  const Vec3 o = ray.origin - centre;
  const Roots t = roots_of(1.0, o.dot(ray.direction), o.squaredNorm() - radius * radius);
  for (const double x : {t.near, t.far})
    if (x >= 0.0 && x < kNoHit) return RayHit{x, (o + x * ray.direction) / radius};
  return {};
}

// The side of a cylinder along z; `caps` says what is accepted of z.
template <class Accept>
Hit at_tube(double radius, const Ray& ray, Accept accept) {
  const Vec3 &o = ray.origin, &d = ray.direction;
  const Roots t =
      roots_of(d.head<2>().squaredNorm(), o.head<2>().dot(d.head<2>()), o.head<2>().squaredNorm() - radius * radius);
  for (const double x : {t.near, t.far}) {
    if (!(x >= 0.0) || !(x < kNoHit) || !accept(o.z() + x * d.z())) continue;
    const Vec3 p = o + x * d;
    return RayHit{x, {p.x() / radius, p.y() / radius, 0.0}};
  }
  return {};
}

Hit at_capsule(double radius, double half, const Ray& ray) {
  Hit best = at_tube(radius, ray, [half](double z) { return std::abs(z) <= half; });
  for (const double end : {-half, half}) {
    const Vec3 centre(0.0, 0.0, end);
    const Vec3 o = ray.origin - centre;
    const Roots t = roots_of(1.0, o.dot(ray.direction), o.squaredNorm() - radius * radius);
    for (const double x : {t.near, t.far}) {
      if (!(x >= 0.0) || !(x < kNoHit)) continue;
      const Vec3 p = o + x * ray.direction;
      if (end < 0.0 ? p.z() <= 0.0 : p.z() >= 0.0) keep_nearer(RayHit{x, p / radius}, best);
    }
  }
  return best;
}

Hit at_cylinder(double radius, double half, const Ray& ray) {
  Hit best = at_tube(radius, ray, [half](double z) { return std::abs(z) <= half; });
  if (ray.direction.z() == 0.0) return best;
  for (const double end : {-half, half}) {
    const double x = (end - ray.origin.z()) / ray.direction.z();
    const Vec3 p = ray.origin + x * ray.direction;
    if (x >= 0.0 && p.head<2>().squaredNorm() <= radius * radius)
      keep_nearer(RayHit{x, {0.0, 0.0, end > 0.0 ? 1.0 : -1.0}}, best);
  }
  return best;
}

// Planes n·x ≤ offset, one after the other: where the ray is inside all of them.
class Clipper {
 public:
  explicit Clipper(const Ray& ray) : ray_(ray) {}
  void add(const Vec3& normal, double offset) {
    const double speed = normal.dot(ray_.direction), gap = offset - normal.dot(ray_.origin);
    if (speed == 0.0) {
      if (gap < 0.0) leave_ = -kNoHit;
      return;
    }
    const double x = gap / speed;
    if (speed < 0.0 && x > enter_) enter_ = x, entered_ = normal;
    if (speed > 0.0 && x < leave_) leave_ = x, left_ = normal;
  }
  Hit result() const {
    if (!(enter_ <= leave_) || !(leave_ >= 0.0)) return {};
    if (enter_ >= 0.0) return RayHit{enter_, entered_};
    if (leave_ < kNoHit) return RayHit{leave_, left_};
    return {};
  }

 private:
  const Ray& ray_;
  double enter_ = -kNoHit, leave_ = kNoHit;
  Vec3 entered_ = Vec3::Zero(), left_ = Vec3::Zero();
};

Hit at_box(const Vec3& half, const Ray& ray) {
  Clipper clip(ray);
  for (int i = 0; i < 3; ++i) clip.add(Vec3::Unit(i), half[i]), clip.add(-Vec3::Unit(i), half[i]);
  return clip.result();
}

Hit at_hull(const ConvexMesh& hull, const Ray& ray) {
  Clipper clip(ray);
  for (const ConvexMesh::Face& f : hull.faces) clip.add(f.normal, f.offset);
  return clip.result();
}

Hit at_half_space(const Ray& ray) {
  if (!(ray.direction.z() < 0.0) || !(ray.origin.z() >= 0.0)) return {};
  return RayHit{ray.origin.z() / -ray.direction.z(), Vec3::UnitZ()};
}

Hit at_triangle(const TriangleMesh& mesh, int triangle, const Ray& ray) {
  const Eigen::Vector3i& t = mesh.triangles[static_cast<std::size_t>(triangle)];
  const auto corner = [&](int k) -> const Vec3& { return mesh.vertices[static_cast<std::size_t>(t[k])]; };
  const Vec3 e1 = corner(1) - corner(0), e2 = corner(2) - corner(0), p = ray.direction.cross(e2);
  const double volume = e1.dot(p);
  if (volume == 0.0) return {};
  const Vec3 s = ray.origin - corner(0);
  const Vec3 q = s.cross(e1);
  const double u = s.dot(p) / volume, v = ray.direction.dot(q) / volume, x = e2.dot(q) / volume;
  if (!(u >= 0.0) || !(v >= 0.0) || !(u + v <= 1.0) || !(x >= 0.0)) return {};
  return RayHit{x, mesh.normals[static_cast<std::size_t>(triangle)]};
}

// Whether the ray meets the box before `farthest`.
bool crosses_box(const Aabb& box, const Ray& ray, double farthest) {
  double enter = 0.0, leave = farthest;
  for (int i = 0; i < 3; ++i) {
    if (ray.direction[i] == 0.0) {
      if (ray.origin[i] < box.lo[i] || ray.origin[i] > box.hi[i]) return false;
      continue;
    }
    const double a = (box.lo[i] - ray.origin[i]) / ray.direction[i], b = (box.hi[i] - ray.origin[i]) / ray.direction[i];
    enter = std::max(enter, std::min(a, b)), leave = std::min(leave, std::max(a, b));
  }
  return enter <= leave;
}

Hit at_mesh(const TriangleMesh& mesh, const Ray& ray, double farthest) {
  Hit best;
  if (mesh.nodes.empty()) {
    for (int i = 0; i < static_cast<int>(mesh.triangles.size()); ++i) keep_nearer(at_triangle(mesh, i, ray), best);
    return best;
  }
  std::vector<int> open{0};
  while (!open.empty()) {
    const int index = open.back();
    open.pop_back();
    const TriangleMesh::Node& node = mesh.nodes[static_cast<std::size_t>(index)];
    if (!crosses_box(node.box, ray, best ? best->distance : farthest)) continue;
    if (node.count == 0) {
      open.push_back(node.first), open.push_back(index + 1);
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i)
      keep_nearer(at_triangle(mesh, mesh.leaf_triangles[static_cast<std::size_t>(i)], ray), best);
  }
  return best;
}

// Times at which one coordinate is between two values, within [first, last].
bool between(double origin, double speed, double lo, double hi, double& first, double& last) {
  if (speed == 0.0) return origin >= lo && origin <= hi;
  const double a = (lo - origin) / speed, b = (hi - origin) / speed;
  first = std::max(first, std::min(a, b)), last = std::min(last, std::max(a, b));
  return first <= last;
}

Hit at_heightfield(const Heightfield& field, const Ray& ray, double farthest) {
  const int rows = static_cast<int>(field.heights.rows()), cols = static_cast<int>(field.heights.cols());
  const double dx = field.size_x / (cols - 1), dy = field.size_y / (rows - 1);
  const double left = -0.5 * field.size_x, low = -0.5 * field.size_y;
  Hit best;
  for (int j = 0; j < cols - 1; ++j) {
    double first = 0.0, last = farthest;
    if (!between(ray.origin.x(), ray.direction.x(), left + j * dx, left + (j + 1) * dx, first, last)) continue;
    if (!between(ray.origin.y(), ray.direction.y(), low, -low, first, last)) continue;
    const Aabb& box = field.surface.box;
    if (!between(ray.origin.z(), ray.direction.z(), box.lo.z(), box.hi.z(), first, last)) continue;
    const auto row_at = [&](double t) {
      const double y = ray.origin.y() + t * ray.direction.y();
      return std::clamp(static_cast<int>(std::floor((y - low) / dy)), 0, rows - 2);
    };
    const bool moves = ray.direction.y() != 0.0;
    const int a = row_at(first), b = moves ? row_at(last) : a;
    // one more on either side: rounding must not lose a cell
    for (int i = std::max(0, std::min(a, b) - 1); i <= std::min(rows - 2, std::max(a, b) + 1); ++i)
      for (int k = 0; k < 2; ++k) keep_nearer(at_triangle(field.surface, 2 * (i * (cols - 1) + j) + k, ray), best);
  }
  return best;
}

Hit cast_in_frame(const Shape& shape, const Ray& ray, double farthest) {
  switch (shape.kind) {
    case ShapeKind::point:
      return {};
    case ShapeKind::sphere:
      return at_sphere(Vec3::Zero(), shape.radius(), ray);
    case ShapeKind::capsule:
      return at_capsule(shape.radius(), shape.half_length(), ray);
    case ShapeKind::box:
      return at_box(shape.size, ray);
    case ShapeKind::cylinder:
      return at_cylinder(shape.radius(), shape.half_length(), ray);
    case ShapeKind::convex:
      return at_hull(*shape.convex, ray);
    case ShapeKind::half_space:
      return at_half_space(ray);
    case ShapeKind::mesh:
      return at_mesh(*shape.mesh, ray, farthest);
    case ShapeKind::heightfield:
      return at_heightfield(*shape.heightfield, ray, farthest);
  }
  return {};
}

}  // namespace

std::optional<RayHit> cast_ray(const Shape& shape, const Pose& pose, const Ray& ray, double farthest) {
  const Ray own{pose.rotation.transpose() * (ray.origin - pose.translation), pose.rotation.transpose() * ray.direction};
  Hit hit = cast_in_frame(shape, own, farthest);
  if (!hit || !(hit->distance <= farthest)) return {};
  hit->normal = pose.rotation * hit->normal;
  return hit;
}

std::optional<RayHit> cast_at_ellipsoid(const Vec3& radii, const Ray& ray) {
  const Vec3 o = ray.origin.cwiseQuotient(radii), d = ray.direction.cwiseQuotient(radii);
  const Roots t = roots_of(d.squaredNorm(), o.dot(d), o.squaredNorm() - 1.0);
  for (const double x : {t.near, t.far})
    if (x >= 0.0 && x < kNoHit) return RayHit{x, (o + x * d).cwiseQuotient(radii).normalized()};
  return {};
}

}  // namespace stiction
