// SPDX-License-Identifier: BSD-2-Clause
// What a placed convex shape looks like from a direction d: how far it reaches, the flat face that looks there, the
// feature (polygon, segment, point) that would touch a plane ⟂ d, and the edges that could touch another edge.
#pragma once

#include <stiction/geometry/polygon.h>

namespace stiction {

struct Placed {
  const Shape* shape = nullptr;  // point, sphere, capsule, box, cylinder, convex; null for a triangle
  Pose pose;
  const Vec3* triangle = nullptr;  // three corners, if shape is null
};

double support(const Placed& s, const Vec3& d);  // max d · x over the shape [m]

// The face whose normal is nearest to d; false if the shape has none (round shapes) or none within 60°.
bool face_along(const Placed& s, const Vec3& d, ReferenceFace& face);

// Distance from a point inside the shape to its surface elsewhere than on that face; 0 if not known.
double slack(const Placed& s, const ReferenceFace& face, const Vec3& x);

void feature_along(const Placed& s, const Vec3& d, Polygon& feature);

// What of `other` lies over a face, clipped (polygon.h); returns its lowest gap, ∞ if there is nothing.
double clip_over(const ReferenceFace& face, const Placed& other, bool reference_is_a, double margin,
                 std::vector<ManifoldPoint>& out);
Vec3 centre(const Placed& s);  // a point well inside
// Corner c of a box: on the + side of axis i if bit i is set.
inline Vec3 box_corner(const Vec3& half, unsigned c) {
  return {(c & 1) ? half.x() : -half.x(), (c & 2) ? half.y() : -half.y(), (c & 4) ? half.z() : -half.z()};
}

struct SupportEdges {
  static constexpr int kMax = 8;
  struct Edge {
    Vec3 a, b;      // ends [m]
    double radius;  // of the round body about the edge (capsule, cylinder side) [m]
    std::uint32_t id;
  };
  int count = 0;
  std::array<Edge, kMax> edge;
};
// Edges at the support point that are nearly ⟂ d (sine below `sine`), axes of capsules and cylinders among them.
void edges_along(const Placed& s, const Vec3& d, double sine, SupportEdges& edges);

}  // namespace stiction
