// SPDX-License-Identifier: BSD-2-Clause
// Faces of a hull: Qhull gives triangles; those in one plane are merged into a polygon, because contact manifolds need
// faces as a person sees them. A face is the set of vertices within kFlat·extent of the plane of a triangle, ordered by
// angle. Large triangles define planes first, so that slivers with bad normals never do.
// Mass integrals of a tetrahedron (0, a, b, c) with D = a · (b × c), s = a + b + c:
//   ∫ 1 = D/6,   ∫ x = D/24 s,   ∫ x xᵀ = D/120 (s sᵀ + a aᵀ + b bᵀ + c cᵀ)
// Failure modes: a smooth hull whose neighbouring faces differ by less than kFlat gets a few larger, slightly bent faces.
#include <stiction/base/invalid_input.h>
#include <stiction/geometry/coal_bridge.h>
#include <stiction/geometry/convex_mesh.h>

#include <algorithm>
#include <array>
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

void add_faces(ConvexMesh& hull, const std::vector<Eigen::Vector3i>& triangles, double tolerance) {
  std::vector<Vec3> normals;
  for (const Eigen::Vector3i& t : triangles) {
    const Vec3 &a = hull.vertices[t[0]], &b = hull.vertices[t[1]], &c = hull.vertices[t[2]];
    normals.push_back((b - a).cross(c - a));
  }
  std::vector<std::size_t> order(triangles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return normals[i].norm() > normals[j].norm(); });
  std::vector<int> face;
  for (const std::size_t i : order) {
    const auto in_plane = [&](const ConvexMesh::Face& f, int v) {
      return std::abs(f.normal.dot(hull.vertices[v]) - f.offset) <= tolerance;
    };
    const bool covered = std::any_of(hull.faces.begin(), hull.faces.end(), [&](const ConvexMesh::Face& f) {
      return in_plane(f, triangles[i][0]) && in_plane(f, triangles[i][1]) && in_plane(f, triangles[i][2]);
    });
    if (covered || normals[i].norm() <= 0.0) continue;
    ConvexMesh::Face f{normals[i].normalized(), 0.0, static_cast<int>(hull.face_vertices.size()), 0};
    f.offset = f.normal.dot(hull.vertices[triangles[i][0]]);
    face.clear();
    for (int v = 0; v < static_cast<int>(hull.vertices.size()); ++v)
      if (in_plane(f, v)) face.push_back(v);
    order_by_angle(hull.vertices, f.normal, face);
    f.count = static_cast<int>(face.size());
    hull.face_vertices.insert(hull.face_vertices.end(), face.begin(), face.end());
    hull.faces.push_back(f);
  }
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
    std::vector<std::pair<int, int>> pairs;
    for (const Eigen::Vector3i& t : triangles)
      for (int k = 0; k < 3; ++k) pairs.emplace_back(t[k], t[(k + 1) % 3]), pairs.emplace_back(t[(k + 1) % 3], t[k]);
    compress(pairs, hull.vertices.size(), first_, next_);
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

VolumeIntegrals integrate_volume(const std::vector<Vec3>& vertices, const std::vector<Eigen::Vector3i>& triangles) {
  VolumeIntegrals out;
  Vec3 origin = Vec3::Zero(), first = Vec3::Zero();
  for (const Vec3& v : vertices)
    origin += v / static_cast<double>(vertices.size());  // near the body: less cancellation
  Mat3 second = Mat3::Zero();
  for (const Eigen::Vector3i& t : triangles) {
    const Vec3 a = vertices[t[0]] - origin, b = vertices[t[1]] - origin, c = vertices[t[2]] - origin, s = a + b + c;
    const double d = a.dot(b.cross(c));
    out.volume += d / 6.0;
    first += d / 24.0 * s;
    second += d / 120.0 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  if (out.volume != 0.0) {
    const Vec3 com = first / out.volume;
    out.com = origin + com;
    out.second = second - out.volume * com * com.transpose();
  }
  return out;
}

std::vector<int> weld(const std::vector<Vec3>& points, double distance, std::vector<Vec3>& welded) {
  // Cells are much larger than `distance`, so that nearly always one cell is asked.
  const double cell = 1000.0 * distance;
  using Key = std::array<std::int64_t, 3>;
  std::map<Key, std::vector<int>> cells;
  const auto key = [&](const Vec3& x) {
    return Key{std::llround(std::floor(x[0] / cell)), std::llround(std::floor(x[1] / cell)),
               std::llround(std::floor(x[2] / cell))};
  };
  std::vector<int> index;
  for (const Vec3& p : points) {
    const Key lo = key(p - Vec3::Constant(distance)), hi = key(p + Vec3::Constant(distance));
    int found = -1;
    for (std::int64_t i = lo[0]; i <= hi[0]; ++i)
      for (std::int64_t j = lo[1]; j <= hi[1]; ++j)
        for (std::int64_t k = lo[2]; k <= hi[2]; ++k)
          if (const auto it = cells.find({i, j, k}); it != cells.end())
            for (const int w : it->second)
              if ((welded[w] - p).cwiseAbs().maxCoeff() <= distance && (found < 0 || w < found)) found = w;
    if (found < 0) {
      found = static_cast<int>(welded.size());
      welded.push_back(p);
      cells[key(p)].push_back(found);
    }
    index.push_back(found);
  }
  return index;
}

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
  add_faces(*hull, triangles, kFlat * extent);
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
