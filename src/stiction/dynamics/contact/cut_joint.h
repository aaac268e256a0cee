// SPDX-License-Identifier: BSD-2-Clause
// Joints that are held by loops (model/coordinates/cut_joints.h) as seen from the bodies they join, and how far loops have come apart.
//   revolute    position: angle of t1 of the child in the plane (t1, t2) of the parent,   rate e·(ω_b − ω_a)
//   prismatic   position: e·(p_b − p_a),                                                  rate e·(v_b − v_a) at p_b
//   spherical   position: quaternion of R_aᵀR_b,                                          rate R_bᵀ(ω_b − ω_a)
// e, t1, t2 are fixed to the parent. An angle is known up to whole turns only: the one nearest to the middle of the limits is
// taken, or to zero.
#pragma once

#include <stiction/dynamics/contact/rows.h>
#include <stiction/dynamics/kernels/kinematics.h>

namespace stiction {

struct CutMotion {
  BodyId a, b;
  Pose frame_a, frame_b;  // the joint's frame on both sides, world
  Mat3 axes;              // rows, world: e first (revolute, prismatic); the axes of frame_b (spherical)
  int velocities;         // 1 or 3
  double position;        // of one-velocity joints [rad, m]
  Vec3 rate;              // [rad/s, m/s]
};

CutMotion cut_motion(const World& world, const Layout& layout, const Kinematics& k, const CutJoint& joint);

// Frames of a loop in the world, and what its rows measure: linear and angular error, zero along directions that are free.
struct LoopError {
  Pose a, b;
  Vec3 linear, angular;  // world axes [m], [rad]
};
LoopError loop_error(const Layout& layout, const Kinematics& k, const Loop& loop);

// Two unit vectors that complete a unit vector to a right-handed frame; of a coordinate axis the two others.
Axes2 across(const Vec3& axis);

}  // namespace stiction
