// SPDX-License-Identifier: BSD-2-Clause
// Faces of a hull: Qhull gives triangles; those in one plane are merged into a polygon, because contact manifolds need
// faces as a person sees them. A face is the set of vertices within kFlat·extent of the plane of a triangle, ordered by
// angle. Large triangles define planes first, so that slivers with bad normals never do.
// Failure modes: a smooth hull whose neighbouring faces differ by less than kFlat gets a few larger, slightly bent faces.
#include <stiction/base/invalid_input.h>
#include <stiction/geometry/coal_bridge.h>
#include <stiction/geometry/convex_mesh.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

namespace stiction {
namespace {

constexpr std::size_t kFew = 17;  // hulls of fewer vertices have no lists of candidates
constexpr double kFlat = 1e-6;    // relative to the extent; single-precision files are noisy at 6e-8

double thickness(const std::vector<Vec3>& points, double& extent) {
  const auto farthest = [&](const auto& measure) {
    Vec3 best = points[0];
    double value = -1.0;
    for (const Vec3& p : points)
      if (const double m = measure(p); m > value) value = m, best = p;
    return best;
  };
  const Vec3 a = points[0];
  const Vec3 b = farthest([&](const Vec3& p) { return (p - a).norm(); });
  extent = (b - a).norm();
  if (extent <= 0.0) return 0.0;
  const Vec3 along = (b - a) / extent;
  const Vec3 c = farthest([&](const Vec3& p) { return (p - a).cross(along).norm(); });
  const Vec3 across = along.cross(c - a);
  if (across.norm() <= 1e-12 * extent) return 0.0;
  const Vec3 up = across.normalized();
  const Vec3 d = farthest([&](const Vec3& p) { return std::abs(up.dot(p - a)); });
  return std::abs(up.dot(d - a));
}

void order_by_angle(const std::vector<Vec3>& vertices, const Vec3& normal, std::vector<int>& face) {
  Vec3 middle = Vec3::Zero();
  for (const int v : face) middle += vertices[v];
  middle /= static_cast<double>(face.size());
  const Vec3 x = (vertices[face[0]] - middle).normalized(), y = normal.cross(x);
  const auto angle = [&](int v) {
    const Vec3 d = vertices[v] - middle;
    return std::atan2(y.dot(d), x.dot(d));
  };
  std::sort(face.begin(), face.end(), [&](int a, int b) { return angle(a) < angle(b); });
  std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());  // lowest index first
}

// Compressed lists: pairs (vertex, item) become first/items.
void compress(std::vector<std::pair<int, int>>& pairs, std::size_t vertices, std::vector<int>& first,
              std::vector<int>& items) {
  std::sort(pairs.begin(), pairs.end());
  first.assign(vertices + 1, 0);
  for (const auto& [v, item] : pairs) {
    ++first[v + 1];
    items.push_back(item);
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
}

// Per vertex: the vertices that share a triangle with it.
void find_neighbours(const std::vector<Eigen::Vector3i>& triangles, std::size_t vertices, std::vector<int>& first,
                     std::vector<int>& next) {
  std::vector<std::pair<int, int>> pairs;
  for (const Eigen::Vector3i& t : triangles)
    for (int k = 0; k < 3; ++k) pairs.emplace_back(t[k], t[(k + 1) % 3]), pairs.emplace_back(t[(k + 1) % 3], t[k]);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  compress(pairs, vertices, first, next);
}

// Polygons of coplanar triangles, the largest triangle first. The vertices above a plane hang together along edges, so those of
// a face are found by walking from its first triangle.
class FaceFinder {
 public:
  FaceFinder(ConvexMesh& hull, const std::vector<Eigen::Vector3i>& triangles, double tolerance)
      : hull_(hull), triangles_(triangles), tolerance_(tolerance), mark_(hull.vertices.size(), -1) {
    find_neighbours(triangles, hull.vertices.size(), first_, next_);
    faces_of_.resize(hull.vertices.size());
  }

  void run() {
    std::vector<Vec3> normals;
    std::vector<double> length;
    for (const Eigen::Vector3i& t : triangles_) {
      const Vec3 &a = hull_.vertices[t[0]], &b = hull_.vertices[t[1]], &c = hull_.vertices[t[2]];
      normals.push_back((b - a).cross(c - a));
      length.push_back(normals.back().norm());
    }
    std::vector<std::size_t> order(triangles_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return length[i] > length[j]; });
    for (const std::size_t i : order)
      if (length[i] > 0.0 && !is_covered(triangles_[i])) add(triangles_[i], normals[i].normalized());
  }

 private:
  bool is_covered(const Eigen::Vector3i& t) const {
    const auto holds = [&](int v, int f) {
      return std::find(faces_of_[v].begin(), faces_of_[v].end(), f) != faces_of_[v].end();
    };
    return std::any_of(faces_of_[t[0]].begin(), faces_of_[t[0]].end(),
                       [&](int f) { return holds(t[1], f) && holds(t[2], f); });
  }

  void add(const Eigen::Vector3i& t, const Vec3& normal) {
    const int self = static_cast<int>(hull_.faces.size());
    ConvexMesh::Face f{normal, normal.dot(hull_.vertices[t[0]]), static_cast<int>(hull_.face_vertices.size()), 0};
    walk_.assign({t[0], t[1], t[2]});
    for (const int v : walk_) mark_[v] = self;
    for (std::size_t i = 0; i < walk_.size(); ++i)
      for (int k = first_[walk_[i]]; k < first_[walk_[i] + 1]; ++k) {
        const int v = next_[k];
        if (mark_[v] == self || normal.dot(hull_.vertices[v]) - f.offset < -tolerance_) continue;
        mark_[v] = self;
        walk_.push_back(v);
      }
    std::erase_if(walk_, [&](int v) { return std::abs(normal.dot(hull_.vertices[v]) - f.offset) > tolerance_; });
    std::sort(walk_.begin(), walk_.end());
    for (const int v : walk_) faces_of_[v].push_back(self);
    order_by_angle(hull_.vertices, normal, walk_);
    f.count = static_cast<int>(walk_.size());
    hull_.face_vertices.insert(hull_.face_vertices.end(), walk_.begin(), walk_.end());
    hull_.faces.push_back(f);
  }

  ConvexMesh& hull_;
  const std::vector<Eigen::Vector3i>& triangles_;
  double tolerance_;
  std::vector<int> mark_, first_, next_, walk_;
  std::vector<std::vector<int>> faces_of_;
};

void add_adjacency(ConvexMesh& hull) {
  std::map<std::pair<int, int>, int> seen;
  std::vector<std::pair<int, int>> vertex_edge, vertex_face;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const auto& face = hull.faces[f];
    for (int i = 0; i < face.count; ++i) {
      const int v = hull.face_vertices[face.first + i];
      const int w = hull.face_vertices[face.first + (i + 1) % face.count];
      vertex_face.emplace_back(v, static_cast<int>(f));
      const auto [it, is_new] = seen.try_emplace(std::minmax(v, w), static_cast<int>(hull.edges.size()));
      if (!is_new) continue;
      hull.edges.push_back({it->first.first, it->first.second});
      vertex_edge.emplace_back(v, it->second);
      vertex_edge.emplace_back(w, it->second);
    }
  }
  compress(vertex_edge, hull.vertices.size(), hull.first_edge_of, hull.edges_of);
  compress(vertex_face, hull.vertices.size(), hull.first_face_of, hull.faces_of);
}

Vec3 middle_of(int cell) {
  const int axis = cell / (2 * kCells * kCells), up = cell / (kCells * kCells) % 2;
  Vec3 d;
  d[axis] = up ? 1.0 : -1.0;
  d[axis == 2 ? 0 : axis + 1] = (cell / kCells % kCells + 0.5) * 2.0 / kCells - 1.0;
  d[axis == 0 ? 2 : axis - 1] = (cell % kCells + 0.5) * 2.0 / kCells - 1.0;
  return d;
}

// The vertices that are farthest along some direction of a cell. With the middle m of the cell and its farthest vertex w, any
// direction is d = m + e, ‖e‖ ≤ r, so v can be as far as w only if m · (w − v) ≤ r ‖w − v‖. The farthest ones of a cell hang
// together along edges (their normal cones tile the cell), and so they are found by walking from w.
class CandidateFinder {
 public:
  CandidateFinder(ConvexMesh& hull, const std::vector<Eigen::Vector3i>& triangles, double extent)
      : hull_(hull), slack_(1e-9 * extent), mark_(hull.vertices.size(), -1) {
    find_neighbours(triangles, hull.vertices.size(), first_, next_);
  }

  void run() {
    hull_.first_candidate.assign(1, 0);
    int top = next_[0];
    for (int cell = 0; cell < 6 * kCells * kCells; ++cell) {
      const Vec3 m = middle_of(cell);
      top = climb(m, top);
      collect(cell, m, top);
      hull_.first_candidate.push_back(static_cast<int>(hull_.candidates.size()));
    }
  }

  // Qhull's triangles are convex only up to rounding: whether the farthest vertex is found, at some directions.
  bool is_complete() const {
    for (int cell = 0; cell < 6 * kCells * kCells; cell += 7) {
      const Vec3 d = middle_of(cell);
      double top = d.dot(hull_.vertices[0]);
      for (const Vec3& v : hull_.vertices) top = std::max(top, d.dot(v));
      if (d.dot(hull_.vertices[hull_.farthest(d)]) < top - slack_) return false;
    }
    return true;
  }

 private:
  int climb(const Vec3& d, int best) const {
    for (int from = -1; from != best;) {
      from = best;
      for (int i = first_[from]; i < first_[from + 1]; ++i)
        if (d.dot(hull_.vertices[next_[i]]) > d.dot(hull_.vertices[best])) best = next_[i];
    }
    return best;
  }

  void collect(int cell, const Vec3& m, int top) {
    constexpr double kRadius = 1.4143 / kCells;
    const auto begin = static_cast<std::ptrdiff_t>(hull_.candidates.size());
    mark_[top] = cell;
    hull_.candidates.push_back(top);
    for (std::size_t i = static_cast<std::size_t>(begin); i < hull_.candidates.size(); ++i) {
      const int v = hull_.candidates[i];
      for (int k = first_[v]; k < first_[v + 1]; ++k) {
        const Vec3 d = hull_.vertices[top] - hull_.vertices[next_[k]];
        if (mark_[next_[k]] == cell || m.dot(d) > kRadius * d.norm() + slack_) continue;
        mark_[next_[k]] = cell;
        hull_.candidates.push_back(next_[k]);
      }
    }
    std::sort(hull_.candidates.begin() + begin, hull_.candidates.end());
  }

  ConvexMesh& hull_;
  double slack_;
  std::vector<int> mark_, first_, next_;
};

void add_candidates(ConvexMesh& hull, const std::vector<Eigen::Vector3i>& triangles, double extent) {
  if (hull.vertices.size() < kFew) return;
  CandidateFinder finder(hull, triangles, extent);
  finder.run();
  if (!finder.is_complete()) hull.first_candidate.clear(), hull.candidates.clear();
}

}  // namespace

std::shared_ptr<const ConvexMesh> make_hull(const std::vector<Vec3>& points) {
  if (points.size() < 4)
    throw InvalidInput("convex: " + std::to_string(points.size()) + " points given, a hull needs at least 4");
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!points[i].allFinite()) throw InvalidInput("convex: point " + std::to_string(i) + " is not finite");
  double extent = 0.0;
  if (const double thick = thickness(points, extent); thick <= 1e-9 * extent)
    throw InvalidInput("convex: the points are flat (thickness " + std::to_string(thick) +
                       " m); a hull needs points that span a volume");
  auto hull = std::make_shared<ConvexMesh>();
  hull->source = points;
  std::vector<Eigen::Vector3i> triangles;
  hull->coal = hull_of(points, hull->vertices, triangles);
  hull->integrals = integrate_volume(hull->vertices, triangles);
  FaceFinder(*hull, triangles, kFlat * extent).run();
  add_adjacency(*hull);
  Vec3 lo = hull->vertices[0], hi = lo;
  for (const Vec3& v : hull->vertices) lo = lo.cwiseMin(v), hi = hi.cwiseMax(v);
  hull->centre = 0.5 * (lo + hi);
  hull->half = (hi - hull->centre).cwiseMax(hull->centre - lo);
  for (const Vec3& v : hull->vertices) hull->radius = std::max(hull->radius, (v - hull->centre).norm());
  add_candidates(*hull, triangles, extent);
  return hull;
}

}  // namespace stiction
