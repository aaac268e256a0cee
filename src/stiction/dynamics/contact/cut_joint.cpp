// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/contact/cut_joint.h>
#include <stiction/dynamics/kernels/queries.h>

#include <cmath>
#include <numbers>

namespace stiction {
namespace {

// Rotation vector of R.
Vec3 rotation_vector(const Mat3& R) {
  const Eigen::AngleAxisd turn(R);
  return turn.angle() * turn.axis();
}

// The turn that leads from one unit vector to another.
Vec3 turn_between(const Vec3& from, const Vec3& to) {
  const Vec3 cross = from.cross(to);
  const double sine = cross.norm();
  return sine > 0.0 ? Vec3(std::atan2(sine, from.dot(to)) / sine * cross) : cross;
}

double hinge_angle(const CutJoint& joint, const Vec3& axis, const Pose& a, const Pose& b) {
  const Axes2 t = across(axis);
  const Vec3 turned = a.rotation.transpose() * (b.rotation * t.row(0).transpose());
  const double angle = std::atan2(t.row(1).dot(turned), t.row(0).dot(turned));
  const bool limited = std::isfinite(joint.lower) && std::isfinite(joint.upper);
  const double middle = limited ? 0.5 * (joint.lower + joint.upper) : 0.0;
  const double offset = angle - middle;
  return std::abs(offset) <= std::numbers::pi ? angle : middle + std::remainder(offset, 2.0 * std::numbers::pi);
}

}  // namespace

Axes2 across(const Vec3& axis) {
  Axes2 t;
  Eigen::Index largest = 0;
  axis.cwiseAbs().maxCoeff(&largest);
  const Vec3 start = Vec3::Unit((largest + 1) % 3);
  const Vec3 first = (start - axis * axis.dot(start)).normalized();
  t.row(0) = first;
  t.row(1) = axis.cross(first);
  return t;
}

CutMotion cut_motion(const World& world, const Layout& layout, const Kinematics& k, const CutJoint& joint) {
  const Loop& loop = world.loops[joint.loop];
  CutMotion m;
  m.a = loop.a, m.b = loop.b;
  m.frame_a = body_pose(layout, k, loop.a) * loop.frame_a;
  m.frame_b = body_pose(layout, k, loop.b) * loop.frame_b;
  const Vec3& point = m.frame_b.translation;
  const Vec6 relative = point_twist(layout, k, loop.b, point) - point_twist(layout, k, loop.a, point);
  if (joint.kind == JointKind::spherical) {
    m.velocities = 3, m.position = 0.0;
    m.axes = m.frame_b.rotation.transpose();
    m.rate = m.axes * relative.tail<3>();
    return m;
  }
  const Vec3 axis = m.frame_a.rotation * loop.axis;
  m.velocities = 1;
  m.axes.setZero(), m.axes.row(0) = axis;
  const bool slides = joint.kind == JointKind::prismatic;
  m.position = slides ? axis.dot(point - m.frame_a.translation) : hinge_angle(joint, loop.axis, m.frame_a, m.frame_b);
  m.rate = {axis.dot(slides ? relative.head<3>() : relative.tail<3>()), 0.0, 0.0};
  return m;
}

LoopError loop_error(const Layout& layout, const Kinematics& k, const Loop& loop) {
  LoopError e{body_pose(layout, k, loop.a) * loop.frame_a, body_pose(layout, k, loop.b) * loop.frame_b, Vec3::Zero(),
              Vec3::Zero()};
  e.linear = e.b.translation - e.a.translation;
  switch (loop.kind) {
    case Loop::point:
      break;
    case Loop::weld:
      e.angular = rotation_vector(e.b.rotation * e.a.rotation.transpose());
      break;
    case Loop::hinge:
      e.angular = turn_between(e.a.rotation * loop.axis, e.b.rotation * loop.axis);
      break;
    case Loop::slider: {
      e.angular = rotation_vector(e.b.rotation * e.a.rotation.transpose());
      const Vec3 axis = e.a.rotation * loop.axis;
      e.linear -= axis * axis.dot(e.linear);
      break;
    }
  }
  return e;
}

}  // namespace stiction
