// SPDX-License-Identifier: BSD-2-Clause
// The pair routines behind NarrowPhase::collide that are too long for a header.
#pragma once

#include <stiction/geometry/coal_bridge.h>
#include <stiction/geometry/support.h>
#include <stiction/geometry/triangle_mesh.h>

namespace stiction {

// Two boxes: separating axes and clipping, closed form (box_box.cpp).
void collide_boxes(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                   std::vector<ManifoldPoint>& out);

// Any two convex shapes: normal from GJK/EPA, then refined, then a manifold of features (convex_convex.cpp).
void collide_convex(DistanceQuery& query, const Placed& a, const Placed& b, double margin,
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
void refine(DistanceQuery& query, const Placed& a, const Placed& b, RefinedSeparation& out);
void add_manifold(const Placed& a, const Placed& b, RefinedSeparation& s, double margin,
                  std::vector<ManifoldPoint>& out);

// A convex shape against static triangles; `deep`: solid without end below (heightfields). Shape a is the mesh.
struct MeshScratch {
  std::vector<int> triangles;
  std::vector<ManifoldPoint> points;
};
void collide_mesh(DistanceQuery& query, const TriangleMesh& mesh, const Pose& pose_a, const Shape& b,
                  const Pose& pose_b, double margin, bool deep, MeshScratch& scratch, std::vector<ManifoldPoint>& out);

}  // namespace stiction
