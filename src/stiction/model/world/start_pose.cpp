// SPDX-License-Identifier: BSD-2-Clause
// Where a body is at the start: the chain of joint placements and joint motions at q0. Not for hot loops.
#include <stiction/model/world/draft.h>

#include <cmath>

namespace stiction {
namespace {

Pose about(const Vec3& axis, double c, double s) {
  const double length = std::hypot(c, s);
  const Mat3 k = (Mat3() << 0, -axis.z(), axis.y(), axis.z(), 0, -axis.x(), -axis.y(), axis.x(), 0).finished();
  return {Mat3::Identity() + s / length * k + (1.0 - c / length) * k * k, Vec3::Zero()};
}

}  // namespace

Pose joint_pose(JointKind kind, const Vec3& axis, const double* q) {
  switch (kind) {
    case JointKind::free:
      return {Quat(q[6], q[3], q[4], q[5]).normalized().toRotationMatrix(), Vec3(q[0], q[1], q[2])};
    case JointKind::revolute:
      return about(axis, std::cos(q[0]), std::sin(q[0]));
    case JointKind::continuous:
      return about(axis, q[0], q[1]);
    case JointKind::prismatic:
      return {Mat3::Identity(), q[0] * axis};
    case JointKind::spherical:
      return {Quat(q[3], q[0], q[1], q[2]).normalized().toRotationMatrix(), Vec3::Zero()};
    case JointKind::translation:
      return {Mat3::Identity(), Vec3(q[0], q[1], q[2])};
    case JointKind::planar: {
      Pose pose = about(Vec3::UnitZ(), q[2], q[3]);
      pose.translation = {q[0], q[1], 0.0};
      return pose;
    }
  }
  return {};
}

Pose start_pose(const World& world, BodyId id) {
  Pose pose;
  for (; id != kWorldBody; id = world.bodies[id].parent) {
    const Body& b = world.bodies[id];
    pose = b.placement * joint_pose(b.joint, b.axis, world.q0.data() + b.q) * pose;
  }
  return pose;
}

}  // namespace stiction
