// SPDX-License-Identifier: BSD-2-Clause
// How far a pair of geoms must be looked at, so that a contact is known before it closes in a step:
//   dt · (speed at which the two can approach now) + slack_a + slack_b,     at least `margin`,
// where the slack of a geom is the way that a change of its velocity within the step may add. Points that are seen and cannot
// close are left out. Impulses may change a velocity by more than the slack allows (a ball hit by another one): outran() asks
// after the solve whether something was left out wrongly, and notes what a second look must allow for.
#pragma once

#include <stiction/base/types.h>

#include <vector>

namespace stiction {

struct GeomMotion {
  Vec3 centre = Vec3::Zero();    // of the bounding ball, world [m]
  Vec3 velocity = Vec3::Zero();  // of the centre, world axes [m/s]
  Vec3 spin = Vec3::Zero();      // [rad/s]
};

// Of the ball of this radius about its centre.
inline double fastest_point(const GeomMotion& motion, double radius) {
  return motion.velocity.norm() + motion.spin.norm() * radius;
}

// Velocity of the point x of b relative to a.
inline Vec3 relative_velocity(const GeomMotion& a, const GeomMotion& b, const Vec3& x) {
  return b.velocity + b.spin.cross(x - b.centre) - a.velocity - a.spin.cross(x - a.centre);
}

// Largest speed of a point of the ball of radius r about `centre`, fixed to b, as seen from a; with a normal, at which such a
// point comes nearer along it.
double approach_speed(const GeomMotion& a, const GeomMotion& b, const Vec3& centre, double r, const Vec3* normal);

// A point that was seen and left out because it cannot close.
struct SkippedPoint {
  int a, b;  // geoms
  Vec3 point, normal;
  double gap;  // [m]
};

struct LookAhead {
  std::vector<GeomMotion> motion;     // per geom
  std::vector<double> way;            // per geom: no point of it moves farther in the step at the present velocity [m]
  std::vector<double> slack;          // per geom [m]
  std::vector<double> demand;         // per geom: least slack of a second look; zero at first [m]
  std::vector<SkippedPoint> skipped;  // points
  // of outran()
  std::vector<Vec3> body_v, body_w;  // per body: as BodyData's
  std::vector<GeomMotion> after;
  std::vector<char> changed;  // per geom: its velocity changed by more than its slack
};

}  // namespace stiction
