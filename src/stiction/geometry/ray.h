// SPDX-License-Identifier: BSD-2-Clause
// Where a ray o + t d, t ≥ 0, first meets the surface of a placed shape, from outside or from inside.
//   round shapes   smallest root ≥ 0 of a quadratic, caps apart
//   box, hull      the planes that it enters through, max t, and leaves through, min t                        (Cyrus, Beck 1978)
//   mesh           triangles of the leaves that it passes, seen from both sides                             (Möller, Trumbore 1997)
//   heightfield    triangles of the cells that it passes, column by column; not the sides and the bottom
//   half-space     from above only
// Points are never met.
#pragma once

#include <stiction/geometry/shape.h>

#include <optional>

namespace stiction {

struct Ray {
  Vec3 origin, direction;  // direction: unit
};

struct RayHit {
  double distance;  // [m]
  Vec3 normal;      // unit, outward, in the axes of the ray
};

// Nothing beyond `farthest`.
std::optional<RayHit> cast_ray(const Shape& shape, const Pose& pose, const Ray& ray, double farthest);
// In the shape's own frame, the semi-axes along its axes.
std::optional<RayHit> cast_at_ellipsoid(const Vec3& radii, const Ray& ray);

}  // namespace stiction
