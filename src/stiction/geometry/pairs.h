// SPDX-License-Identifier: BSD-2-Clause
// The pair routines behind NarrowPhase::collide that are too long for a header.
#pragma once

#include <stiction/geometry/coal_bridge.h>
#include <stiction/geometry/gjk.h>
#include <stiction/geometry/support.h>
#include <stiction/geometry/triangle_mesh.h>

namespace stiction {

// Two boxes: separating axes and clipping, closed form (box_box.cpp). Returns a lower bound of their distance, at least `margin`,
// if nothing was found.
double collide_boxes(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                     std::vector<ManifoldPoint>& out);

// Signed distances: our own GJK and EPA (gjk.h) where a hull or a triangle takes part, Coal for cylinders and primitives.
struct Queries {
  ConvexQuery own;
  DistanceQuery coal;
};

// −h_b(−n) − hₐ(n): how far the shapes are apart along n, a lower bound of their distance.
double separation(const Placed& a, const Placed& b, const Vec3& n);

// Any two convex shapes: normal from GJK/EPA, then refined, then a manifold of features (convex_convex.cpp). `hint`: zero, or
// about the normal from a to b; if it leads to a face that provably holds the nearest points, no search is needed. `axis`: if
// they are farther apart than the margin, a direction that shows it; else zero. Returns how far along it.
double collide_convex(Queries& query, const Placed& a, const Placed& b, double margin, const Vec3& hint, Vec3& axis,
                      std::vector<ManifoldPoint>& out);

// The normal and signed distance of two convex shapes, refined to faces and edges.
struct RefinedSeparation {
  double distance;
  Vec3 normal;
  Vec3 raw_normal;        // as GJK gave it
  Vec3 point_a, point_b;  // witness points as GJK gave them
  enum Kind { none, face_a, face_b, edges, general } kind;
  ReferenceFace face;                 // if kind is face_a or face_b
  SupportEdges::Edge edge_a, edge_b;  // if kind is edges
};
// False if they are at least `far` apart: then only distance and normal are set.
bool refine(Queries& query, const Placed& a, const Placed& b, double far, RefinedSeparation& out);
void add_manifold(const Placed& a, const Placed& b, RefinedSeparation& s, double margin,
                  std::vector<ManifoldPoint>& out);

// A convex shape against static triangles; `deep`: solid without end below (heightfields). Shape a is the mesh.
struct MeshScratch {
  std::vector<int> triangles;
  std::vector<ManifoldPoint> points;
};
void collide_mesh(Queries& query, const TriangleMesh& mesh, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  double margin, bool deep, MeshScratch& scratch, std::vector<ManifoldPoint>& out);

}  // namespace stiction
