// SPDX-License-Identifier: BSD-2-Clause
// From a pair of placed shapes to a contact manifold.
#pragma once

#include <stiction/geometry/shape.h>

#include <memory>
#include <vector>

namespace stiction {

struct ManifoldPoint {
  Vec3 point;             // midpoint of the two witness points, world axes [m]
  Vec3 normal;            // unit, from shape a to shape b
  double gap;             // signed distance along the normal, negative is overlap [m]
  std::uint32_t feature;  // stable id of the point within the pair: the same physical point keeps it from step to step
};

// Holds scratch, and a separating axis per pair; one per thread. What it remembers has no influence on the contacts found.
// No allocation, except by expect() and for cylinders (Coal).
class NarrowPhase {
 public:
  NarrowPhase();
  ~NarrowPhase();
  NarrowPhase(NarrowPhase&&) noexcept;
  NarrowPhase& operator=(NarrowPhase&&) noexcept;

  // Makes room to remember this many pairs.
  void expect(std::size_t pairs);

  // Appends the points of the pair with gap < margin. `pair` identifies the pair from call to call (any stable number).
  // Flat manifolds have at most four points, chosen deterministically; meshes and heightfields may give more.
  // `hint`: zero, or about the normal that is expected, from a to b: of the last step, say. It saves time, and it is part of the
  // question: where several normals are nearly as good it may decide.
  // Returns a lower bound of the distance, at least `margin`, if nothing was found; 0 if something was.
  double collide(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                 std::uint64_t pair, const Vec3& hint, std::vector<ManifoldPoint>& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
