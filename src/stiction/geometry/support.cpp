// SPDX-License-Identifier: BSD-2-Clause
// Features per kind of shape. Ids: box corner index (bit i: + side of axis i), hull vertex index, cylinder rim points 0-7
// (−z cap) and 8-15 (+z cap) at fixed angles of the body, 16-31 the same counted from the lowest rim point, 32-33 the two
// ends of the side line, capsule ends 0-1.
#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/manifold.h>
#include <stiction/geometry/support.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

// Axis of the box that is nearest to m; ties within 1e-9 to the lowest.
int main_axis(const Vec3& m) {
  int axis = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(m[i]) > std::abs(m[axis]) + 1e-9) axis = i;
  return axis;
}

void box_face(const Placed& s, int axis, bool positive, Polygon& out) {
  const unsigned u = 1u << ((axis + 1) % 3), v = 1u << ((axis + 2) % 3), base = positive ? 1u << axis : 0u;
  const std::array<unsigned, 4> around = positive ? std::array{0u, u, u | v, v} : std::array{0u, v, u | v, u};
  for (const unsigned c : around) out.add(s.pose * box_corner(s.shape->size, base | c), base | c);
}

void hull_face(const Placed& s, const ConvexMesh::Face& face, Polygon& out) {
  const int step = (face.count + 31) / 32;  // very round faces: every step-th vertex
  for (int i = 0; i < face.count; i += step) {
    const int v = s.shape->convex->face_vertices[face.first + i];
    out.add(s.pose * s.shape->convex->vertices[v], static_cast<std::uint32_t>(v));
  }
}

// Of the faces at the support vertex, the one nearest to m; ties within 1e-9 to the lowest index.
int hull_face_along(const ConvexMesh& hull, const Vec3& m) {
  const int v = hull.farthest(m);
  int best = -1;
  for (int i = hull.first_face_of[v]; i < hull.first_face_of[v + 1]; ++i) {
    const int f = hull.faces_of[i];
    if (best < 0 || hull.faces[f].normal.dot(m) > hull.faces[best].normal.dot(m) + 1e-9) best = f;
  }
  return best;
}

void cap(const Placed& s, double radius, int n, bool upper, double angle, std::uint32_t id, Polygon& out) {
  const double z = upper ? s.shape->half_length() : -s.shape->half_length();
  for (int i = 0; i < n; ++i) {
    const double phi = angle + (upper ? i : -i) * 2.0 * M_PI / n;
    out.add(s.pose * Vec3(radius * std::cos(phi), radius * std::sin(phi), z), id + static_cast<std::uint32_t>(i));
  }
}

void cylinder_feature(const Placed& s, const Vec3& m, Polygon& out) {
  const double r = s.shape->radius(), h = s.shape->half_length(), tilt = std::hypot(m.x(), m.y());
  const bool upper = m.z() > 0.0;
  const std::uint32_t side = upper ? 8 : 0;
  if (r * tilt <= kSameDepth) return cap(s, r, 8, upper, 0.0, side, out);
  if (std::abs(m.z()) > 0.5) return cap(s, r, 8, upper, std::atan2(m.y(), m.x()), 16 + side, out);
  out.add(s.pose * Vec3(r * m.x() / tilt, r * m.y() / tilt, -h), 32);
  out.add(s.pose * Vec3(r * m.x() / tilt, r * m.y() / tilt, h), 33);
}

void add_edge(SupportEdges& e, const Vec3& a, const Vec3& b, double radius, std::uint32_t id) {
  if (e.count < SupportEdges::kMax) e.edge[e.count++] = {a, b, radius, id};
}

}  // namespace

double support(const Placed& s, const Vec3& d) {
  if (!s.shape) return std::max({d.dot(s.triangle[0]), d.dot(s.triangle[1]), d.dot(s.triangle[2])});
  const double base = d.dot(s.pose.translation);
  switch (s.shape->kind) {
    case ShapeKind::sphere:
      return base + s.shape->radius() * d.norm();
    case ShapeKind::capsule:
      return base + s.shape->radius() * d.norm() + s.shape->half_length() * std::abs(d.dot(s.pose.rotation.col(2)));
    case ShapeKind::box:
      return base + (s.pose.rotation.transpose() * d).cwiseAbs().dot(s.shape->size);
    case ShapeKind::cylinder: {
      const Vec3 m = s.pose.rotation.transpose() * d;
      return base + s.shape->radius() * std::hypot(m.x(), m.y()) + s.shape->half_length() * std::abs(m.z());
    }
    case ShapeKind::convex: {
      const Vec3 m = s.pose.rotation.transpose() * d;
      return base + m.dot(s.shape->convex->vertices[s.shape->convex->farthest(m)]);
    }
    default:
      return base;
  }
}

bool face_along(const Placed& s, const Vec3& d, ReferenceFace& face) {
  face.polygon.count = 0;
  if (!s.shape) {
    const Vec3 n = (s.triangle[1] - s.triangle[0]).cross(s.triangle[2] - s.triangle[0]).normalized();
    if (!(n.dot(d) > 0.5)) return false;
    for (int i = 0; i < 3; ++i) face.polygon.add(s.triangle[i], static_cast<std::uint32_t>(i));
    face.normal = n;
    face.offset = n.dot(s.triangle[0]);
    face.id = 0;
    return true;
  }
  const Vec3 m = s.pose.rotation.transpose() * d;
  if (s.shape->kind == ShapeKind::box) {
    const int axis = main_axis(m);
    const bool positive = m[axis] > 0.0;
    face.normal = (positive ? 1.0 : -1.0) * s.pose.rotation.col(axis);
    face.offset = face.normal.dot(s.pose.translation) + s.shape->size[axis];
    face.id = static_cast<std::uint32_t>(2 * axis + positive);
    box_face(s, axis, positive, face.polygon);
    return true;
  }
  if (s.shape->kind == ShapeKind::convex) {
    const int f = hull_face_along(*s.shape->convex, m);
    const auto& hull_f = s.shape->convex->faces[f];
    if (!(hull_f.normal.dot(m) > 0.5)) return false;
    face.normal = s.pose.rotation * hull_f.normal;
    face.offset = face.normal.dot(s.pose.translation) + hull_f.offset;
    face.id = static_cast<std::uint32_t>(f);
    hull_face(s, hull_f, face.polygon);
    return true;
  }
  if (s.shape->kind == ShapeKind::cylinder && std::abs(m.z()) > 0.5) {
    const bool upper = m.z() > 0.0;
    face.normal = (upper ? 1.0 : -1.0) * s.pose.rotation.col(2);
    face.offset = face.normal.dot(s.pose.translation) + s.shape->half_length();
    face.id = upper ? 1 : 0;
    cap(s, s.shape->radius() / std::cos(M_PI / 16.0), 16, upper, 0.0, 0, face.polygon);  // around the circle
    return true;
  }
  return false;
}

double slack(const Placed& s, const ReferenceFace& face, const Vec3& x) {
  if (!s.shape) return 0.0;
  const Vec3 p = s.pose.rotation.transpose() * (x - s.pose.translation);
  if (s.shape->kind == ShapeKind::box) {
    Vec3 room = s.shape->size - p.cwiseAbs();
    const int axis = static_cast<int>(face.id) / 2;
    room[axis] = s.shape->size[axis] + (face.id % 2 ? p[axis] : -p[axis]);
    return room.minCoeff();
  }
  if (s.shape->kind == ShapeKind::cylinder)
    return std::min(s.shape->radius() - std::hypot(p.x(), p.y()), s.shape->half_length() + (face.id ? p.z() : -p.z()));
  if (s.shape->kind == ShapeKind::convex) {
    double room = std::numeric_limits<double>::infinity();
    const auto& faces = s.shape->convex->faces;
    for (std::size_t f = 0; f < faces.size(); ++f)
      if (f != face.id) room = std::min(room, faces[f].offset - faces[f].normal.dot(p));
    return room;
  }
  return 0.0;
}

void feature_along(const Placed& s, const Vec3& d, Polygon& out) {
  out.count = 0;
  if (!s.shape) {
    for (int i = 0; i < 3; ++i) out.add(s.triangle[i], static_cast<std::uint32_t>(i));
    return out.name_edges();
  }
  const Vec3 m = s.pose.rotation.transpose() * d;
  switch (s.shape->kind) {
    case ShapeKind::box: {
      const int axis = main_axis(m);
      box_face(s, axis, m[axis] > 0.0, out);
      break;
    }
    case ShapeKind::convex:
      hull_face(s, s.shape->convex->faces[hull_face_along(*s.shape->convex, m)], out);
      break;
    case ShapeKind::cylinder:
      cylinder_feature(s, m, out);
      break;
    case ShapeKind::capsule: {
      const Vec3 half = s.shape->half_length() * s.pose.rotation.col(2);
      out.add(s.pose.translation - half + s.shape->radius() * d, 0);
      out.add(s.pose.translation + half + s.shape->radius() * d, 1);
      break;
    }
    default:
      out.add(s.pose.translation + s.shape->radius() * d, 0);
      break;
  }
  out.name_edges();
}

double clip_over(const ReferenceFace& face, const Placed& other, bool reference_is_a, double margin,
                 std::vector<ManifoldPoint>& out) {
  Polygon incident;
  feature_along(other, -face.normal, incident);
  const std::size_t first = out.size();
  clip_to_manifold(face, incident, reference_is_a, margin, out);
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = first; i < out.size(); ++i) lowest = std::min(lowest, out[i].gap);
  return lowest;
}

Vec3 centre(const Placed& s) {
  if (!s.shape) return (s.triangle[0] + s.triangle[1] + s.triangle[2]) / 3.0;
  return s.shape->kind == ShapeKind::convex ? s.pose * s.shape->convex->centre : s.pose.translation;
}

void edges_along(const Placed& s, const Vec3& d, double sine, SupportEdges& edges) {
  edges.count = 0;
  const auto flat = [&](const Vec3& a, const Vec3& b) { return std::abs(d.dot(b - a)) <= sine * (b - a).norm(); };
  if (!s.shape) {
    const double top = support(s, d);
    for (int i = 0; i < 3; ++i) {
      const Vec3 &a = s.triangle[i], &b = s.triangle[(i + 1) % 3];
      if (flat(a, b) && std::max(d.dot(a), d.dot(b)) >= top - kTie)
        add_edge(edges, a, b, 0.0, static_cast<std::uint32_t>(i));
    }
    return;
  }
  const Vec3 m = s.pose.rotation.transpose() * d;
  const double r = s.shape->radius(), h = s.shape->half_length();
  switch (s.shape->kind) {
    case ShapeKind::box: {
      const unsigned c = (m.x() > 0.0 ? 1u : 0u) | (m.y() > 0.0 ? 2u : 0u) | (m.z() > 0.0 ? 4u : 0u);
      for (unsigned axis = 0; axis < 3; ++axis) {
        const unsigned a = c & ~(1u << axis), b = c | (1u << axis);
        const Vec3 x = s.pose * box_corner(s.shape->size, a), y = s.pose * box_corner(s.shape->size, b);
        if (flat(x, y)) add_edge(edges, x, y, 0.0, a * 4 + axis);
      }
      return;
    }
    case ShapeKind::convex: {
      const ConvexMesh& hull = *s.shape->convex;
      const int v = hull.farthest(m);
      for (int i = hull.first_edge_of[v]; i < hull.first_edge_of[v + 1]; ++i) {
        const auto& e = hull.edges[hull.edges_of[i]];
        const Vec3 x = s.pose * hull.vertices[e.a], y = s.pose * hull.vertices[e.b];
        if (flat(x, y)) add_edge(edges, x, y, 0.0, static_cast<std::uint32_t>(hull.edges_of[i]));
      }
      return;
    }
    case ShapeKind::capsule:
    case ShapeKind::cylinder: {
      const Vec3 half = h * s.pose.rotation.col(2);
      const Vec3 a = s.pose.translation - half, b = s.pose.translation + half;
      if (flat(a, b)) add_edge(edges, a, b, r, 0);
      return;
    }
    default:
      return;
  }
}

}  // namespace stiction
