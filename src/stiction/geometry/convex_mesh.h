// SPDX-License-Identifier: BSD-2-Clause
// A closed convex polytope with polygonal faces, and the mass integrals of solids bounded by triangles.
#pragma once

#include <stiction/base/types.h>

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
  Vec3 centre = Vec3::Zero();                // of the bounding sphere (mean of the bounding box) [m]
  double radius = 0.0;                       // of the bounding sphere [m]
  VolumeIntegrals integrals;
  std::shared_ptr<const CoalHull> coal;
};

// Convex hull. InvalidInput if there are fewer than four points, one is not finite, or all lie in a plane.
std::shared_ptr<const ConvexMesh> make_hull(const std::vector<Vec3>& points);

// Vertices that differ by at most `distance` in each coordinate become one; returns the new index of each old vertex.
std::vector<int> weld(const std::vector<Vec3>& points, double distance, std::vector<Vec3>& welded);

}  // namespace stiction
