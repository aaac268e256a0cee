// SPDX-License-Identifier: BSD-2-Clause
// Static triangles: one-sided, with the neighbourhood that tells which normals an edge or a vertex can have.
#pragma once

#include <stiction/geometry/shape.h>

#include <memory>
#include <vector>

namespace stiction {

struct TriangleMesh {
  struct Node {
    Aabb box;
    int first;  // leaf: first entry of leaf_triangles; inner: right child (the left one follows the node)
    int count;  // leaf: triangles; inner: 0
  };
  std::vector<Vec3> vertices;              // merged by position
  std::vector<Eigen::Vector3i> triangles;  // counter-clockwise seen from outside; those without area are left out
  std::vector<Vec3> normals;               // unit, outward
  std::vector<Eigen::Vector3i>
      across;                   // per edge (k, k+1): the vertex opposite in the neighbouring triangle, −1 at rims
  std::vector<char> only_face;  // no neighbourhood of the triangle is convex: its face normal is the only one possible
  std::vector<int> first_around, around;  // per vertex: the vertices that share an edge with it
  Aabb box;
  std::vector<Node> nodes;  // empty in heightfields, whose grid is its own index
  std::vector<int> leaf_triangles;

  // Replaces `found` by the triangles whose boxes overlap `query` (in the mesh's frame), in ascending order.
  void find(const Aabb& query, std::vector<int>& found) const;

  // Whether d (unit) is a normal of the surface at a vertex or at the edge (k, k+1) of a triangle: d lies in the polar
  // cone of the surface there. At flat and concave places only face normals pass.
  bool is_vertex_normal(int vertex, const Vec3& d) const;
  bool is_edge_normal(int triangle, int k, const Vec3& d) const;
};

std::shared_ptr<const TriangleMesh> make_triangle_mesh(const std::vector<Vec3>& vertices,
                                                       const std::vector<Eigen::Vector3i>& triangles);
// Normals, neighbourhood and box of a mesh whose vertices and triangles are set.
void finish_triangles(TriangleMesh& mesh);

// A regular grid of heights, two triangles per cell, solid below.
inline constexpr double kDeep = 1e3;  // how far below its lowest point a heightfield is still solid [m]

struct Heightfield {
  Mat heights;            // rows along y, columns along x [m]
  double size_x, size_y;  // full lengths [m]
  TriangleMesh surface;   // cell (i, j) has triangles 2(i (cols−1) + j) and the one after

  // Replaces `found` by the triangles of the cells under `query` (x and y only), in ascending order.
  void find(const Aabb& query, std::vector<int>& found) const;
};

std::shared_ptr<const Heightfield> make_height_grid(const Mat& heights, double size_x, double size_y);

}  // namespace stiction
