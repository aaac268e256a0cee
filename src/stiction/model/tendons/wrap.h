// SPDX-License-Identifier: BSD-2-Clause
// The way of a tendon from a to b around a sphere or a cylinder without ends, as MuJoCo defines it: a curve that lies on the surface
// between two tangent points. In a plane (through the centre and both ends of a sphere; across the axis of a cylinder, whose curve is a
// helix) it is an arc of a circle with the tangent points
//   t_a = (r² a ± r √(|a|² − r²) a⊥) / |a|²        t_b = (r² b ∓ r √(|b|² − r²) b⊥) / |b|²
// Of the two ways round it takes the shorter one. A side point that lies between a and b on one of them (less than half a turn from both)
// asks for that one, even if the straight line is free but passes the centre on the other side. A side point within the surface holds the
// tendon inside: it is bent at one point of the wall, where it makes the same angle with it on both sides.
#pragma once

#include <stiction/base/types.h>

#include <optional>

namespace stiction {

struct WrapBody {
  Pose pose;  // axis of a cylinder: z
  double radius;
  bool cylinder;
};

// Where the curve begins and ends, world axes, and how long it is.
struct Wrap {
  Vec3 first, last;
  double length;
};

// Nothing: the way is straight. `side` may be null.
std::optional<Wrap> wrap(const Vec3& a, const Vec3& b, const WrapBody& body, const Vec3* side);

}  // namespace stiction
