// SPDX-License-Identifier: BSD-2-Clause
// Contact between a flat face and whatever lies over it, by clipping.
//   reference: a convex polygon with outward normal n and plane n · x = offset;
//   incident:  the feature of the other shape that looks at it (polygon, segment or point).
// The incident feature is cut by the planes that stand on the reference's edges (Sutherland-Hodgman), and each vertex
// that remains is a contact point with gap n · x − offset. Every vertex knows what made it, so that ids are stable:
//   an incident vertex | an incident edge cut by a reference edge | a corner of the reference.
// A vertex up to kClipTie outside counts as inside: faces that coincide give their corners, not cuts that flicker.
#pragma once

#include <stiction/geometry/narrow_phase.h>

#include <array>
#include <vector>

namespace stiction {

inline constexpr double kClipTie = 1e-6;  // [m]

struct Polygon {
  static constexpr int kMax = 64;
  struct Vertex {
    Vec3 x;
    std::uint32_t id;    // what made the vertex
    std::uint32_t edge;  // what made the edge to the next vertex
  };
  int count = 0;
  std::array<Vertex, kMax> vertex;

  void add(const Vec3& x, std::uint32_t id) {
    if (count < kMax) vertex[count++] = {x, id, 0};
  }
  // Names the edges after their ends; call once all vertices are there.
  void name_edges();
};

struct ReferenceFace {
  Polygon polygon;  // counter-clockwise about the normal
  Vec3 normal = Vec3::Zero();
  double offset = 0.0;
  std::uint32_t id = 0;
};

// Appends what remains of `incident` over the reference with gap < margin, at most four points. `reference_is_a`: the
// reference belongs to shape a, and contact normals are its normal; else they are opposite.
void clip_to_manifold(const ReferenceFace& reference, Polygon& incident, bool reference_is_a, double margin,
                      std::vector<ManifoldPoint>& out);

}  // namespace stiction
