// SPDX-License-Identifier: BSD-2-Clause
// Construction and look-up of static triangle meshes. Bounding-volume tree: median split along the longest side.
// Internal edges: a direction d is a possible contact normal at an edge or vertex only if no neighbouring part of the
// surface rises above the plane ⟂ d: d · t ≤ 0 for every tangent t of the surface there. On flat or concave ground no
// direction but the face normal passes, so bodies slide over edges without feeling them.
// Failure modes: edges shared by more than two triangles know only one neighbour.
#include <stiction/base/disjoint_sets.h>
#include <stiction/base/invalid_input.h>
#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/triangle_mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>

namespace stiction {
namespace {

constexpr double kConeTolerance = 1e-6;  // sine of the angle by which a normal may leave the cone
constexpr int kLeaf = 4;

struct TreeBuilder {
  TriangleMesh& mesh;
  std::vector<Aabb> boxes;

  void build(int first, int last) {
    const int self = static_cast<int>(mesh.nodes.size());
    Aabb box = boxes[mesh.leaf_triangles[first]];
    for (int i = first; i < last; ++i) {
      const Aabb& b = boxes[mesh.leaf_triangles[i]];
      box.lo = box.lo.cwiseMin(b.lo), box.hi = box.hi.cwiseMax(b.hi);
    }
    mesh.nodes.push_back({box, first, last - first});
    if (last - first <= kLeaf) return;
    Eigen::Index axis;
    (box.hi - box.lo).maxCoeff(&axis);
    const int middle = (first + last) / 2;
    const auto key = [&](int t) { return std::pair(boxes[t].lo[axis] + boxes[t].hi[axis], t); };
    std::nth_element(mesh.leaf_triangles.begin() + first, mesh.leaf_triangles.begin() + middle,
                     mesh.leaf_triangles.begin() + last, [&](int s, int t) { return key(s) < key(t); });
    build(first, middle);
    const int right = static_cast<int>(mesh.nodes.size());
    build(middle, last);
    mesh.nodes[self].first = right;
    mesh.nodes[self].count = 0;
  }
};

void build_tree(TriangleMesh& mesh) {
  TreeBuilder builder{mesh, {}};
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    builder.boxes.push_back({a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c)});
  }
  mesh.leaf_triangles.resize(mesh.triangles.size());
  std::iota(mesh.leaf_triangles.begin(), mesh.leaf_triangles.end(), 0);
  builder.build(0, static_cast<int>(mesh.triangles.size()));
}

void check(const std::vector<Vec3>& vertices, const std::vector<Eigen::Vector3i>& triangles) {
  if (triangles.empty()) throw InvalidInput("mesh has no faces; give at least one triangle");
  const int n = static_cast<int>(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (!vertices[i].allFinite()) throw InvalidInput("mesh: vertex " + std::to_string(i) + " is not finite");
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (triangles[i][k] < 0 || triangles[i][k] >= n)
        throw InvalidInput("mesh: triangle " + std::to_string(i) + " names vertex " + std::to_string(triangles[i][k]) +
                           ", there are vertices 0 to " + std::to_string(n - 1));
}

// A vertex is sharp if a rim or a convex edge ends there; a triangle without sharp vertices is only seen along its normal.
void mark_faces(TriangleMesh& mesh) {
  std::vector<char> sharp(mesh.vertices.size(), 0);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3], other = mesh.across[t][k];
      const Vec3 d = other < 0 ? Vec3::Zero() : Vec3(mesh.vertices[other] - mesh.vertices[a]);
      if (other < 0 || mesh.normals[t].dot(d) < -kConeTolerance * d.norm()) sharp[a] = sharp[b] = 1;
    }
  for (const Eigen::Vector3i& t : mesh.triangles)
    mesh.only_face.push_back(!sharp[t[0]] && !sharp[t[1]] && !sharp[t[2]]);
}

}  // namespace

std::vector<int> weld(const std::vector<Vec3>& points, double distance, std::vector<Vec3>& welded) {
  // Cells are much larger than `distance`, so that nearly always one cell is asked.
  const double cell = 1000.0 * distance;
  using Key = std::array<std::int64_t, 3>;
  struct Hash {
    std::size_t operator()(const Key& k) const {
      std::uint64_t h = 0;
      for (const std::int64_t x : k) h = (h ^ static_cast<std::uint64_t>(x)) * 0x9E37'79B9'7F4A'7C15u, h ^= h >> 29;
      return h;
    }
  };
  std::unordered_map<Key, std::vector<int>, Hash> cells;
  cells.reserve(points.size());
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

void finish_triangles(TriangleMesh& mesh) {
  struct Side {
    int a, b, opposite, triangle, k;  // edge a < b of a triangle, and its third vertex
  };
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const int self = static_cast<int>(mesh.normals.size());
    mesh.normals.push_back((b - a).cross(c - a).normalized());
    for (int k = 0; k < 3; ++k) {
      const auto [v, w] = std::minmax(t[k], t[(k + 1) % 3]);
      sides.push_back({v, w, t[(k + 2) % 3], self, k});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
    return std::tie(x.a, x.b, x.triangle, x.k) < std::tie(y.a, y.b, y.triangle, y.k);
  });
  mesh.across.assign(mesh.triangles.size(), Eigen::Vector3i::Constant(-1));
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t first = 0, last = 0; first < sides.size(); first = last) {
    const Side& one = sides[first];
    while (last < sides.size() && sides[last].a == one.a && sides[last].b == one.b) ++last;
    const int second = last - first > 1 ? sides[first + 1].opposite : -1;
    for (std::size_t i = first; i < last; ++i)
      mesh.across[sides[i].triangle][sides[i].k] = sides[i].opposite == one.opposite ? second : one.opposite;
    pairs.emplace_back(one.a, one.b), pairs.emplace_back(one.b, one.a);
  }
  mark_faces(mesh);
  std::sort(pairs.begin(), pairs.end());
  mesh.first_around.assign(mesh.vertices.size() + 1, 0);
  for (const auto& [v, w] : pairs) ++mesh.first_around[v + 1], mesh.around.push_back(w);
  std::partial_sum(mesh.first_around.begin(), mesh.first_around.end(), mesh.first_around.begin());
  constexpr double kInf = std::numeric_limits<double>::infinity();
  mesh.box = {Vec3::Constant(kInf), Vec3::Constant(-kInf)};
  for (const Vec3& v : mesh.vertices) mesh.box.lo = mesh.box.lo.cwiseMin(v), mesh.box.hi = mesh.box.hi.cwiseMax(v);
}

std::shared_ptr<const TriangleMesh> make_triangle_mesh(const std::vector<Vec3>& vertices,
                                                       const std::vector<Eigen::Vector3i>& triangles) {
  check(vertices, triangles);
  auto mesh = std::make_shared<TriangleMesh>();
  const std::vector<int> index = weld(vertices, 1e-9, mesh->vertices);
  for (const Eigen::Vector3i& t : triangles) {
    const Eigen::Vector3i u(index[t[0]], index[t[1]], index[t[2]]);
    const Vec3 &a = mesh->vertices[u[0]], &b = mesh->vertices[u[1]], &c = mesh->vertices[u[2]];
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    if ((b - a).cross(c - a).norm() > 1e-12 * longest) mesh->triangles.push_back(u);
  }
  if (mesh->triangles.empty()) throw InvalidInput("mesh has no faces with an area > 0");
  finish_triangles(*mesh);
  build_tree(*mesh);
  return mesh;
}

void TriangleMesh::find(const Aabb& query, std::vector<int>& found) const {
  found.clear();
  std::array<int, 64> stack;  // depth of a median-split tree: 64 levels are more triangles than memory
  int top = 0;
  stack[0] = 0;
  while (top >= 0) {
    const int index = stack[top--];
    const Node& node = nodes[index];
    if (!node.box.overlaps(query)) continue;
    if (node.count == 0) {
      stack[++top] = node.first;
      stack[++top] = index + 1;
      continue;
    }
    found.insert(found.end(), leaf_triangles.begin() + node.first, leaf_triangles.begin() + node.first + node.count);
  }
  std::sort(found.begin(), found.end());
}

bool TriangleMesh::is_vertex_normal(int vertex, const Vec3& d) const {
  const Vec3& v = vertices[vertex];
  for (int i = first_around[vertex]; i < first_around[vertex + 1]; ++i) {
    const Vec3 t = vertices[around[i]] - v;
    if (!(d.dot(t) <= kConeTolerance * t.norm())) return false;
  }
  return true;
}

bool TriangleMesh::is_edge_normal(int triangle, int k, const Vec3& d) const {
  const Eigen::Vector3i& t = triangles[triangle];
  const Vec3& a = vertices[t[k]];
  const Vec3 along = (vertices[t[(k + 1) % 3]] - a).normalized();
  const auto rises = [&](int v) {
    Vec3 inward = vertices[v] - a;
    inward -= along.dot(inward) * along;
    return !(d.dot(inward) <= kConeTolerance * inward.norm());
  };
  const int other = across[triangle][k];
  return !rises(t[(k + 2) % 3]) && (other < 0 || !rises(other));
}

std::vector<Shape> convex_parts(const TriangleMesh& mesh) {
  std::vector<int> parent(mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), 0);
  for (const Eigen::Vector3i& t : mesh.triangles)
    for (int k = 1; k < 3; ++k) merge_sets(parent, t[0], t[k]);
  std::map<int, std::vector<Vec3>> parts;  // by lowest vertex: deterministic order
  std::vector<bool> used(mesh.vertices.size(), false);
  for (const Eigen::Vector3i& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      if (used[t[k]]) continue;
      used[t[k]] = true;
      parts[root_of(parent, t[k])].push_back(mesh.vertices[t[k]]);
    }
  std::vector<Shape> shapes;
  for (const auto& [root, points] : parts) shapes.push_back(make_convex(points));
  return shapes;
}

std::shared_ptr<const Heightfield> make_height_grid(const Mat& heights, double size_x, double size_y) {
  const int rows = static_cast<int>(heights.rows()), cols = static_cast<int>(heights.cols());
  if (rows < 2 || cols < 2)
    throw InvalidInput("heightfield.heights is " + std::to_string(rows) + " x " + std::to_string(cols) +
                       ", expected at least 2 x 2");
  if (!heights.allFinite()) throw InvalidInput("heightfield.heights has an entry that is not finite");
  constexpr double least = 1e-9, most = 1e9;  // [m]; beyond, normals of triangles are no numbers
  if (!(std::min(size_x / (cols - 1), size_y / (rows - 1)) >= least && std::max(size_x, size_y) <= most))
    throw InvalidInput("heightfield.size: points stand " + std::to_string(size_x / (cols - 1)) + " m x " +
                       std::to_string(size_y / (rows - 1)) +
                       " m apart, expected from 1e-9 m on, and at most 1e9 m in all");
  if (!(heights.cwiseAbs().maxCoeff() <= most)) throw InvalidInput("heightfield.heights has an entry beyond 1e9 m");
  auto field = std::make_shared<Heightfield>();
  field->heights = heights;
  field->size_x = size_x;
  field->size_y = size_y;
  const auto cells = static_cast<std::size_t>(rows - 1) * static_cast<std::size_t>(cols - 1);
  field->surface.vertices.reserve(static_cast<std::size_t>(heights.size()));
  field->surface.triangles.reserve(2 * cells);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j)
      field->surface.vertices.emplace_back((j / (cols - 1.0) - 0.5) * size_x, (i / (rows - 1.0) - 0.5) * size_y,
                                           heights(i, j));
  for (int i = 0; i + 1 < rows; ++i)
    for (int j = 0; j + 1 < cols; ++j) {
      const int v = i * cols + j;
      field->surface.triangles.emplace_back(v, v + 1, v + cols + 1);
      field->surface.triangles.emplace_back(v, v + cols + 1, v + cols);
    }
  finish_triangles(field->surface);
  return field;
}

void Heightfield::find(const Aabb& query, std::vector<int>& found) const {
  found.clear();
  const auto cell = [](double x, double size, int cells) {
    return static_cast<int>(std::floor(std::clamp((x / size + 0.5) * cells, -1.0, cells + 1.0)));
  };
  const int nx = static_cast<int>(heights.cols()) - 1, ny = static_cast<int>(heights.rows()) - 1;
  const int j0 = std::max(0, cell(query.lo.x(), size_x, nx)), j1 = std::min(nx - 1, cell(query.hi.x(), size_x, nx));
  const int i0 = std::max(0, cell(query.lo.y(), size_y, ny)), i1 = std::min(ny - 1, cell(query.hi.y(), size_y, ny));
  for (int i = i0; i <= i1; ++i)
    for (int j = j0; j <= j1; ++j) {
      found.push_back(2 * (i * nx + j));
      found.push_back(2 * (i * nx + j) + 1);
    }
}

}  // namespace stiction
