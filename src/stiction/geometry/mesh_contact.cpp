// SPDX-License-Identifier: BSD-2-Clause
// Convex shapes against static triangles, one triangle at a time, in the frame of the mesh.
// One-sided: the solid is behind the triangle; a shape whose centre is behind it is not seen (deep: heightfields, always).
// Internal edges: where the nearest feature is an edge or vertex, its direction must be a possible normal of the surface
// there (triangle_mesh.cpp). On flat or concave ground it is not, and the face normal is used, or nothing if the shape is
// not over the face or deep below it (another triangle is nearer then). If that leaves nothing of a shape that overlaps, the faces are used however deep it is. Points that coincide are kept once (lowest triangle); of more than four points of one normal four stay,
// of more than eight of a patch (normals within 30°) eight.
// Failure modes: a shape that passes a whole triangle's depth within one step leaves on the other side.
#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/manifold.h>
#include <stiction/geometry/pairs.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kShallow =
    0.2;  // overlap along a face normal, relative to the body's size, up to which a face is trusted

std::uint32_t mix(int triangle, std::uint32_t local) {
  std::uint32_t h = (static_cast<std::uint32_t>(triangle) + 1u) * 0x85EB'CA6Bu;
  h ^= h >> 13;
  return (h ^ local) * 0xC2B2'AE35u;
}

struct Corners {
  Vec3 x[3];
  Vec3 normal;
  int triangle;
  Corners(const TriangleMesh& mesh, int t) : normal(mesh.normals[t]), triangle(t) {
    for (int k = 0; k < 3; ++k) x[k] = mesh.vertices[mesh.triangles[t][k]];
  }
  double height(const Vec3& p) const { return normal.dot(p - x[0]); }
};

// Nearest point of the triangle; feature: 0-2 vertex, 3-5 edge (k, k+1), 6 face.        [Ericson05, 5.1.5]
Vec3 nearest_on(const Corners& c, const Vec3& p, int& feature) {
  double best = std::numeric_limits<double>::infinity();
  Vec3 point = c.x[0];
  bool inside = true;
  for (int k = 0; k < 3; ++k) {
    const Vec3 &a = c.x[k], e = c.x[(k + 1) % 3] - a;
    const double l2 = e.squaredNorm();
    if (c.normal.dot(e.cross(p - a)) >= -1e-12 * std::sqrt(l2)) continue;  // inside this edge
    inside = false;
    const double t = std::clamp(e.dot(p - a) / l2, 0.0, 1.0);
    const Vec3 q = a + t * e;
    if (const double s = (p - q).squaredNorm(); s < best) {
      best = s, point = q;
      feature = t <= 0.0 ? k : t >= 1.0 ? (k + 1) % 3 : 3 + k;
    }
  }
  if (inside) feature = 6, point = p - c.height(p) * c.normal;
  return point;
}

bool is_normal(const TriangleMesh& mesh, const Corners& c, int feature, const Vec3& d) {
  if (feature < 3) return mesh.is_vertex_normal(mesh.triangles[c.triangle][feature], d);
  if (feature < 6) return mesh.is_edge_normal(c.triangle, feature - 3, d);
  return c.normal.dot(d) > 0.0;
}

bool over_in_plan(const Corners& c, const Vec3& p) {
  for (int k = 0; k < 3; ++k) {
    const Vec3 e = c.x[(k + 1) % 3] - c.x[k], d = p - c.x[k];
    if (e.x() * d.y() - e.y() * d.x() < -1e-12) return false;
  }
  return true;
}

void add_ball(const TriangleMesh& mesh, const Corners& c, const Vec3& p, double radius, double margin, bool deep,
              std::vector<ManifoldPoint>& out) {
  const double height = c.height(p);
  if (!(height - radius < margin) || (!deep && height < -radius - margin)) return;
  int feature = 6;
  if (height < 0.0 && deep) {
    if (over_in_plan(c, p)) emit(out, p - radius * c.normal, c.normal, height - radius, mix(c.triangle, 6));
    return;
  }
  const Vec3 q = nearest_on(c, p, feature);
  const double distance = (p - q).norm();
  if (feature == 6 || (height > 0.0 && (p - q - height * c.normal).norm() <= 1e-5 * height + 1e-12))
    return emit(out, p - radius * c.normal, c.normal, height - radius, mix(c.triangle, 6));
  if (height <= 0.0 || !(distance - radius < margin)) return;
  const Vec3 d = (p - q) / distance;
  if (is_normal(mesh, c, feature, d))
    emit(out, p - radius * d, d, distance - radius, mix(c.triangle, static_cast<std::uint32_t>(feature)));
}

// Which feature of the triangle a plane ⟂ n touches from outside.
int touched(const Corners& c, const Vec3& n) {
  double top = std::max({n.dot(c.x[0]), n.dot(c.x[1]), n.dot(c.x[2])});
  bool up[3];
  int count = 0;
  const double size = std::max((c.x[1] - c.x[0]).norm(), (c.x[2] - c.x[0]).norm());
  for (int k = 0; k < 3; ++k) up[k] = n.dot(c.x[k]) >= top - 1e-5 * size, count += up[k];
  if (count == 3) return 6;
  for (int k = 0; k < 3; ++k) {
    if (count == 1 && up[k]) return k;
    if (count == 2 && up[k] && up[(k + 1) % 3]) return 3 + k;
  }
  return 6;
}

void add_face(const Placed& triangle, const Placed& b, double margin, std::vector<ManifoldPoint>& out) {
  ReferenceFace face;
  const Vec3 n = (triangle.triangle[1] - triangle.triangle[0]).cross(triangle.triangle[2] - triangle.triangle[0]);
  if (face_along(triangle, n.normalized(), face)) clip_over(face, b, true, margin, out);
}

// What is done with a face that the shape is deep below.
enum class Deep : std::uint8_t { left_to_others, used };
// True if the triangle overlaps the shape and was left to others.
bool add_solid(Queries& query, const TriangleMesh& mesh, const Corners& c, const Placed& b, double margin, bool deep,
               Deep faces, std::vector<ManifoldPoint>& out) {
  const double over_face = -support(b, -c.normal) - c.normal.dot(c.x[0]), centre_height = c.height(centre(b));
  if (!(over_face < margin) || (centre_height < 0.0 && !deep)) return false;
  bool left = false;
  const std::size_t first = out.size();
  const Placed triangle{nullptr, Pose{}, c.x};
  if (centre_height < 0.0 || mesh.only_face[c.triangle]) {
    if (deep || -over_face <= kShallow * reach(*b.shape)) add_face(triangle, b, margin, out);
  } else {
    RefinedSeparation s;
    if (!refine(query, triangle, b, margin, s)) return false;
    if (s.kind == RefinedSeparation::face_a || s.normal.dot(c.normal) >= 1.0 - 1e-10)
      add_face(triangle, b, margin, out);
    else if (is_normal(mesh, c, touched(c, s.normal), s.normal))
      add_manifold(triangle, b, s, margin, out);
    else if (faces == Deep::used || -over_face <= kShallow * reach(*b.shape))
      add_face(triangle, b, margin, out);
    else
      left = s.distance < 0.0;
  }
  for (std::size_t i = first; i < out.size(); ++i) out[i].feature = mix(c.triangle, out[i].feature);
  return left;
}

// Whether a triangle lies beyond one side of the shape's own box: then it is farther from the shape than the margin.
bool is_beyond(const Corners& c, const Pose& pose, const Aabb& own, double margin) {
  Vec3 x[3];
  for (int k = 0; k < 3; ++k) x[k] = pose.rotation.transpose() * (c.x[k] - pose.translation);
  const Vec3 lo = x[0].cwiseMin(x[1]).cwiseMin(x[2]), hi = x[0].cwiseMax(x[1]).cwiseMax(x[2]);
  return ((lo - own.hi).array() > margin).any() || ((own.lo - hi).array() > margin).any();
}

// Of balls behind several faces (thin walls) the shallowest counts.
void keep_shallowest(std::vector<ManifoldPoint>& p, double radius) {
  const auto behind = [&](const ManifoldPoint& q) { return q.gap + radius < 0.0; };
  if (std::count_if(p.begin(), p.end(), behind) < 2) return;
  double top = -std::numeric_limits<double>::infinity();
  for (const ManifoldPoint& q : p)
    if (behind(q)) top = std::max(top, q.gap);
  bool kept = false;
  std::erase_if(p, [&](const ManifoldPoint& q) {
    if (!behind(q)) return false;
    if (q.gap < top || kept) return true;
    kept = true;
    return false;
  });
}

// Of points that coincide the deepest stays, under the name of the first.
void drop_doubles(std::vector<ManifoldPoint>& p) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    std::size_t j = 0;
    while (j < kept &&
           !((p[i].point - p[j].point).squaredNorm() <= 1e-12 && p[i].normal.dot(p[j].normal) >= 1.0 - 1e-9))
      ++j;
    if (j == kept)
      p[kept++] = p[i];
    else if (p[i].gap < p[j].gap)
      p[j].point = p[i].point, p[j].gap = p[i].gap;
  }
  p.resize(kept);
}

// Groups of one normal, in order of first appearance, each reduced to four.
void reduce_groups(std::vector<ManifoldPoint>& p, std::vector<ManifoldPoint>& out) {
  while (!p.empty()) {
    const Vec3 normal = p[0].normal;
    const std::size_t first = out.size();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (p[i].normal.dot(normal) >= 1.0 - 1e-8)
        out.push_back(p[i]);
      else
        p[kept++] = p[i];
    }
    p.resize(kept);
    reduce_to_four(out, first);
  }
}

}  // namespace

void collide_mesh(Queries& query, const TriangleMesh& mesh, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  double margin, bool deep, MeshScratch& scratch, std::vector<ManifoldPoint>& out) {
  const Placed placed{&b, pose_a.inverse() * pose_b, nullptr};
  const bool ball = b.kind == ShapeKind::point || b.kind == ShapeKind::sphere;
  std::vector<ManifoldPoint>& points = scratch.points;
  points.clear();
  const Aabb own = outer_bounds(b, Pose{});
  bool left = false;
  for (const int t : scratch.triangles) {
    const Corners c(mesh, t);
    if (!deep && is_beyond(c, placed.pose, own, margin)) continue;
    if (ball)
      add_ball(mesh, c, placed.pose.translation, b.radius(), margin, deep, points);
    else
      left |= add_solid(query, mesh, c, placed, margin, deep, Deep::left_to_others, points);
  }
  if (left && points.empty())
    for (const int t : scratch.triangles)
      add_solid(query, mesh, Corners(mesh, t), placed, margin, deep, Deep::used, points);
  if (ball && !deep) keep_shallowest(points, b.radius());
  drop_doubles(points);
  const std::size_t first = out.size();
  reduce_groups(points, out);
  reduce_patches(out, first);
  for (std::size_t i = first; i < out.size(); ++i) {
    out[i].point = pose_a * out[i].point;
    out[i].normal = pose_a.rotation * out[i].normal;
  }
}

}  // namespace stiction
