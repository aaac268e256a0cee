// SPDX-License-Identifier: BSD-2-Clause
// A closed convex polytope with polygonal faces, and the mass integrals of solids bounded by triangles.
#pragma once

#include <stiction/base/types.h>

#include <cmath>
#include <memory>
#include <vector>

namespace stiction {

struct CoalHull;  // geometry/coal_bridge.cpp: the same polytope as Coal sees it

// ∫ 1, ∫ x, ∫ x xᵀ over a solid bounded by outward triangles (counter-clockwise seen from outside).
struct VolumeIntegrals {
  double volume = 0.0;         // [m³]
  Vec3 com = Vec3::Zero();     // ∫ x / ∫ 1 [m]
  Mat3 second = Mat3::Zero();  // ∫ (x − com)(x − com)ᵀ [m⁵]
};
VolumeIntegrals integrate_volume(const std::vector<Vec3>& vertices, const std::vector<Eigen::Vector3i>& triangles);

struct ConvexMesh {
  struct Face {
    Vec3 normal;    // unit, outward
    double offset;  // normal · x on the face [m]
    int first;      // into face_vertices, counter-clockwise seen from outside
    int count;
  };
  struct Edge {
    int a, b;  // vertices, a < b
  };
  std::vector<Vec3> source;  // the points that it is the hull of: make_hull(source) gives the same polytope bit for bit
  std::vector<Vec3> vertices;
  std::vector<Face> faces;  // coplanar triangles are merged into one polygon
  std::vector<int> face_vertices;
  std::vector<Edge> edges;
  std::vector<int> first_edge_of, edges_of;  // per vertex: edges_of[first_edge_of[v] … first_edge_of[v+1])
  std::vector<int> first_face_of, faces_of;  // per vertex, likewise
  Vec3 centre = Vec3::Zero();                // of the bounding box, and of the bounding sphere [m]
  Vec3 half = Vec3::Zero();                  // half edges of the bounding box, along the hull's own axes [m]
  double radius = 0.0;                       // of the bounding sphere [m]
  std::vector<int> first_candidate,
      candidates;  // per cell of directions: vertices that may be farthest; empty: all may
  VolumeIntegrals integrals;
  std::shared_ptr<const CoalHull> coal;

  // Vertex with the largest d · x, of equal ones the lowest. The candidates of the cell that holds d are compared: a handful.
  int farthest(const Vec3& d) const;
};

// Cells of directions: kCells² on each side of a cube. Directions that are not finite fall into some cell.
inline constexpr int kCells = 16;
inline int cell_of(const Vec3& d) {
  const double x = std::abs(d.x()), y = std::abs(d.y()), z = std::abs(d.z());
  const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  const double top = d[axis], scale = 0.5 * kCells / std::abs(top);
  const auto column = [&](double u) {
    const double c = u * scale + 0.5 * kCells;
    return !(c > 0.0) ? 0 : c < kCells ? static_cast<int>(c) : kCells - 1;
  };
  const int u = column(d[axis == 2 ? 0 : axis + 1]), v = column(d[axis == 0 ? 2 : axis - 1]);
  return ((2 * axis + (top > 0.0)) * kCells + u) * kCells + v;
}

inline int ConvexMesh::farthest(const Vec3& d) const {
  const bool all = first_candidate.empty();
  const int cell = all ? 0 : cell_of(d);
  const int begin = all ? 0 : first_candidate[cell];
  const int end = all ? static_cast<int>(vertices.size()) : first_candidate[cell + 1];
  const int* const index = all ? nullptr : candidates.data();
  int best = all ? 0 : index[begin];
  double value = d.dot(vertices[best]);
  for (int i = begin + 1; i < end; ++i) {
    const int v = all ? i : index[i];
    const double h = d.dot(vertices[v]);
    const bool higher = h > value;  // no branch: which is the farthest is as good as random
    value = higher ? h : value, best = higher ? v : best;
  }
  return best;
}

// Convex hull. InvalidInput if there are fewer than four points, one is not finite, or all lie in a plane.
std::shared_ptr<const ConvexMesh> make_hull(const std::vector<Vec3>& points);

// Vertices that differ by at most `distance` in each coordinate become one; returns the new index of each old vertex.
std::vector<int> weld(const std::vector<Vec3>& points, double distance, std::vector<Vec3>& welded);

}  // namespace stiction
