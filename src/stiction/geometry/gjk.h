// SPDX-License-Identifier: BSD-2-Clause
// Signed distance of two convex shapes that have a polytope as core: points, capsules, triangles, boxes and hulls, not
// cylinders. GJK (gjk.cpp) if the cores are apart, EPA (epa.cpp) if they overlap. Both look at the Minkowski difference
//   C = A − B = {x − y},    distance = min ‖c‖ over C if the origin is outside, else −(distance to the boundary of C),
// through its support points only, in the frame of a. The answer depends on the arguments alone: nothing is remembered.
#pragma once

#include <stiction/geometry/coal_bridge.h>
#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/support.h>

#include <array>

namespace stiction {

// A shape as the points within `radius` of its core.
struct Core {
  explicit Core(const Placed& s);
  Vec3 point(int id) const;             // corner of the core, in the shape's frame
  int farthest(const Vec3& d) const;    // its corner with the largest d · x
  static bool exists(const Placed& s);  // false for cylinders

  enum Kind { points, box, hull } kind = points;
  int count = 1;  // points: one, two (the ends of a capsule), three (a triangle)
  std::array<Vec3, 3> corner{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  Vec3 half = Vec3::Zero();  // of a box
  const ConvexMesh* mesh = nullptr;
  double radius = 0.0;
};

// A point of C, and the corners of a and b that make it.
struct DifferencePoint {
  Vec3 w, a;  // w = a − b, in the frame of a
  int id_a, id_b;
};

struct Difference {
  Difference(const Placed& placed_a, const Placed& placed_b);
  DifferencePoint support(const Vec3& d) const;  // point of C with the largest d · w

  Core a, b;
  Mat3 R;  // axes of b in the frame of a
  Vec3 t;  // origin of b in the frame of a
};

// The simplex on which GJK stands: up to four points of C.
struct Simplex {
  int count = 0;
  std::array<DifferencePoint, 4> p;
  std::array<double, 4> weight;  // of the point of the simplex that is nearest to the origin
};

// What both return, in the frame of a and for the cores: normal from a to b, distance along it, witness points.
struct CoreSeparation {
  enum Status { found, apart, inside, failed } status;  // apart: at least `far`; inside: the cores overlap
  double distance;
  Vec3 normal, on_a, on_b;
};

// Stops as soon as the distance is known to be at least `far`. If the cores overlap (or touch), `simplex` is EPA's start.
CoreSeparation gjk(const Difference& c, double far, Simplex& simplex);

// Scratch for EPA: it is too large for the stack of every call.
struct EpaScratch {
  static constexpr int kPoints = 128, kFaces = 3 * kPoints;
  struct Face {
    Vec3 normal;                        // outward, not of unit length
    double offset;                      // normal · x on the face
    std::array<int, 3> corner, across;  // across[k]: the face beyond the edge (k, k+1)
    bool alive;
  };
  std::array<DifferencePoint, kPoints> points;
  std::array<Face, kFaces> faces;
  std::array<double, kFaces>
      order;                        // of the face: grows with its distance from the origin; infinite if it is not alive
  std::array<int, kPoints> starts;  // new face whose first corner is this point
  std::array<int, kFaces> seen, rim, unused;
};
CoreSeparation epa(const Difference& c, const Simplex& simplex, EpaScratch& scratch);

// Both, for placed shapes in world axes. With distance ≥ far the rest is not exact: the shapes are apart along the normal.
class ConvexQuery {
 public:
  Separation operator()(const Placed& a, const Placed& b, double far);

 private:
  EpaScratch scratch_;
};

}  // namespace stiction
