// SPDX-License-Identifier: BSD-2-Clause
// Closed forms of every convex shape against a half-space. Shape a is the half-space: n = its z axis, o its origin,
//   gap(x) = n · (x − o),
// and each function appends the points of shape b with gap < margin, normal n. No allocation once `out` has grown.
// Features: corner, vertex or end index of b. A cylinder has two regimes, see add_cylinder.
#pragma once

#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/manifold.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace stiction::half_space {

struct Plane {
  Vec3 normal, origin;
  explicit Plane(const Pose& pose) : normal(pose.rotation.col(2)), origin(pose.translation) {}
  double height(const Vec3& x) const { return normal.dot(x - origin); }
};

inline void add_if_close(const Plane& plane, const Vec3& x, double margin, std::uint32_t feature,
                         std::vector<ManifoldPoint>& out) {
  const double gap = plane.height(x);
  if (gap < margin) emit(out, x, plane.normal, gap, feature);
}

// Sphere, and a point as a sphere of radius 0.
inline void add_sphere(const Plane& plane, const Vec3& centre, double radius, double margin, std::uint32_t feature,
                       std::vector<ManifoldPoint>& out) {
  const double gap = plane.height(centre) - radius;
  if (gap < margin) emit(out, centre - radius * plane.normal, plane.normal, gap, feature);
}

// The two end balls; features 0 (−z end) and 1.
inline void add_capsule(const Plane& plane, const Shape& b, const Pose& pose, double margin,
                        std::vector<ManifoldPoint>& out) {
  const Vec3 half = b.half_length() * pose.rotation.col(2);
  add_sphere(plane, pose.translation - half, b.radius(), margin, 0, out);
  add_sphere(plane, pose.translation + half, b.radius(), margin, 1, out);
}

// Corner c has the sign + along axis i if bit i is set; its gap is d − Σ|s_i| + 2 Σ|s_i| over the axes on the upper side,
// s_i = h_i (n · R_i). More than four corners below the margin: the four lowest, ties within kTie to the lowest index.
inline void add_box(const Plane& plane, const Shape& b, const Pose& pose, double margin,
                    std::vector<ManifoldPoint>& out) {
  const Vec3 s = (pose.rotation.transpose() * plane.normal).cwiseProduct(b.size);
  const double d = plane.height(pose.translation);
  if (!(d - s.cwiseAbs().sum() < margin)) return;
  std::array<double, 8> gap;
  int below = 0;
  for (unsigned c = 0; c < 8; ++c) {
    gap[c] = d + ((c & 1) ? s.x() : -s.x()) + ((c & 2) ? s.y() : -s.y()) + ((c & 4) ? s.z() : -s.z());
    below += gap[c] < margin;
  }
  unsigned chosen = 0;
  for (int k = 0; k < 4 && below > 4; ++k) {
    double lowest = std::numeric_limits<double>::infinity();
    for (unsigned c = 0; c < 8; ++c)
      if (!(chosen & (1u << c))) lowest = std::min(lowest, gap[c]);
    for (unsigned c = 0; c < 8; ++c)
      if (!(chosen & (1u << c)) && gap[c] <= lowest + kTie) {
        chosen |= 1u << c;
        break;
      }
  }
  const Mat3 scaled = pose.rotation * b.size.asDiagonal();
  for (unsigned c = 0; c < 8; ++c) {
    if (!(gap[c] < margin) || (below > 4 && !(chosen & (1u << c)))) continue;
    const Vec3 corner =
        pose.translation + scaled * Vec3((c & 1) ? 1.0 : -1.0, (c & 2) ? 1.0 : -1.0, (c & 4) ? 1.0 : -1.0);
    emit(out, corner, plane.normal, gap[c], c);
  }
}

// Flat on a cap (the rim's heights differ by less than 2 kSameDepth): four rim points at fixed angles of the body,
// features 0-3 on the −z cap, 4-7 on the +z cap. Otherwise e = lowest direction of the rim: the points at e of the two caps
// (features 8, 9; lying on its side these two remain) and those at e ± 120° of the lower cap (features 10, 11).
inline void add_cylinder(const Plane& plane, const Shape& b, const Pose& pose, double margin,
                         std::vector<ManifoldPoint>& out) {
  const double r = b.radius(), h = b.half_length();
  const Vec3 m = pose.rotation.transpose() * plane.normal;
  const double tilt = std::hypot(m.x(), m.y());
  if (!(plane.height(pose.translation) - r * tilt - h * std::abs(m.z()) < margin)) return;
  const double low = m.z() > 0.0 ? -h : h;
  if (r * tilt <= kSameDepth) {
    const std::uint32_t base = low < 0.0 ? 0 : 4;
    add_if_close(plane, pose * Vec3(r, 0.0, low), margin, base, out);
    add_if_close(plane, pose * Vec3(0.0, r, low), margin, base + 1, out);
    add_if_close(plane, pose * Vec3(-r, 0.0, low), margin, base + 2, out);
    add_if_close(plane, pose * Vec3(0.0, -r, low), margin, base + 3, out);
    return;
  }
  const double x = -r * m.x() / tilt, y = -r * m.y() / tilt;
  constexpr double c = -0.5, s = 0.86602540378443864676;  // cos, sin of 120°
  add_if_close(plane, pose * Vec3(x, y, -h), margin, 8, out);
  add_if_close(plane, pose * Vec3(x, y, h), margin, 9, out);
  add_if_close(plane, pose * Vec3(c * x - s * y, s * x + c * y, low), margin, 10, out);
  add_if_close(plane, pose * Vec3(c * x + s * y, -s * x + c * y, low), margin, 11, out);
}

// Of a large hull: its lowest vertex, and for each of eight directions t in the plane the vertex that would be the lowest if the
// hull were tilted towards t: farthest along t − k n, for the smallest k of 2, 8, 32, … whose vertex is below the margin. So the
// polygon that the hull stands on keeps its extent, and the vertices are never walked through. The directions are fixed to the
// hull; they are none of its axes, along which edges often lie.
inline void add_large_hull(const Plane& plane, const ConvexMesh& hull, const Vec3& m, double d, const Pose& pose,
                           double margin, std::vector<ManifoldPoint>& out) {
  constexpr int kDirections = 8;
  constexpr double kOffset = 0.3, kLeast = 2.0, kMost = 1e3;
  std::array<int, kDirections + 1> found;
  int count = 0;
  const auto height = [&](int i) { return d + m.dot(hull.vertices[i]); };
  found[count++] = hull.farthest(-m);
  if (!(height(found[0]) < margin)) return;
  int axis = 0;
  m.cwiseAbs().minCoeff(&axis);
  const Vec3 u = (Vec3::Unit(axis) - m[axis] * m).normalized(), v = m.cross(u);
  for (int k = 0; k < kDirections; ++k) {
    static const auto table = [] {
      std::array<std::array<double, 2>, kDirections> t;
      for (int i = 0; i < kDirections; ++i)
        t[i] = {std::cos(kOffset + 2.0 * M_PI * i / kDirections), std::sin(kOffset + 2.0 * M_PI * i / kDirections)};
      return t;
    }();
    const Vec3 t = table[k][0] * u + table[k][1] * v;
    for (double steep = kLeast; steep < kMost; steep *= 4.0) {
      const int i = hull.farthest(t - steep * m);
      if (!(height(i) < margin)) continue;
      found[count++] = i;
      break;
    }
  }
  std::sort(found.begin(), found.begin() + count);
  const auto end = std::unique(found.begin(), found.begin() + count);
  for (auto i = found.begin(); i != end; ++i)
    emit(out, pose * hull.vertices[*i], plane.normal, height(*i), static_cast<std::uint32_t>(*i));
}

// Of all vertices below the margin four.
inline void add_convex(const Plane& plane, const Shape& b, const Pose& pose, double margin,
                       std::vector<ManifoldPoint>& out) {
  const ConvexMesh& hull = *b.convex;
  const Vec3 m = pose.rotation.transpose() * plane.normal;
  const double d = plane.height(pose.translation);
  if (!(d + m.dot(hull.centre) - hull.radius < margin)) return;
  const std::size_t first = out.size();
  if (!hull.first_candidate.empty())
    add_large_hull(plane, hull, m, d, pose, margin, out);
  else
    for (std::size_t i = 0; i < hull.vertices.size(); ++i) {
      const double gap = d + m.dot(hull.vertices[i]);
      if (gap < margin) emit(out, pose * hull.vertices[i], plane.normal, gap, static_cast<std::uint32_t>(i));
    }
  reduce_to_four(out, first);
}

}  // namespace stiction::half_space
