// SPDX-License-Identifier: BSD-2-Clause
// Where a joint puts its body, and the motion subspace of its velocities, joint by joint. Inline: one call per body and step.
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>

namespace stiction {

struct JointAngle {
  double c, s;
};

inline JointAngle angle_of(const BodyPlan& plan, const double* q) {
  if (plan.continuous) return {q[plan.q], q[plan.q + 1]};
  const SinCos a = sin_cos(both(q[plan.q]));
  return {a.c[0], a.s[0]};
}

inline Mat3 rotation_from_quaternion(const double* q) {
  return Eigen::Map<const Quat>(q).toRotationMatrix();  // (x, y, z, w) in memory
}

// R·Rot(axis): two columns turn in their plane, the axis column stays.
inline void turn_columns(Mat3& R, int first, int second, const JointAngle& a) {
  const Vec3 x = R.col(first), y = R.col(second);
  R.col(first) = a.c * x + a.s * y;
  R.col(second) = a.c * y - a.s * x;
}

inline Mat3 rotation_about(const Vec3& axis, const JointAngle& a) {
  const Vec3 k = axis * (1.0 - a.c);
  Mat3 R = k * axis.transpose();
  R(0, 0) += a.c, R(1, 1) += a.c, R(2, 2) += a.c;
  const Vec3 s = axis * a.s;
  R(0, 1) -= s.z(), R(0, 2) += s.y(), R(1, 0) += s.z();
  R(1, 2) -= s.x(), R(2, 0) -= s.y(), R(2, 1) += s.x();
  return R;
}

// Placement of the body and its motion subspace; b.R and b.p hold the parent's on entry.
inline void place_joint(const BodyPlan& plan, const double* q, BodyData& b, Column* s) {
  b.p += b.R * plan.placement.translation;
  if (!plan.aligned) b.R = (b.R * plan.placement.rotation).eval();
  const auto rotating = [&](Column& column, const Vec3& axis) {
    column.ang = axis;
    column.lin = b.p.cross(axis);
  };
  switch (plan.code) {
    case JointCode::revolute_x:
      turn_columns(b.R, 1, 2, angle_of(plan, q)), rotating(s[0], b.R.col(0));
      break;
    case JointCode::revolute_y:
      turn_columns(b.R, 2, 0, angle_of(plan, q)), rotating(s[0], b.R.col(1));
      break;
    case JointCode::revolute_z:
      turn_columns(b.R, 0, 1, angle_of(plan, q)), rotating(s[0], b.R.col(2));
      break;
    case JointCode::revolute: {
      const Vec3 axis = b.R * plan.axis;
      b.R = (b.R * rotation_about(plan.axis, angle_of(plan, q))).eval();
      rotating(s[0], axis);
      break;
    }
    case JointCode::prismatic: {
      const Vec3 axis = b.R * plan.axis;
      b.p += axis * q[plan.q];
      s[0] = {axis, Vec3::Zero()};
      break;
    }
    case JointCode::spherical:
      b.R = (b.R * rotation_from_quaternion(q + plan.q)).eval();
      for (int i = 0; i < 3; ++i) rotating(s[i], b.R.col(i));
      break;
    case JointCode::translation:
      b.p += b.R * Eigen::Map<const Vec3>(q + plan.q);
      for (int i = 0; i < 3; ++i) s[i] = {b.R.col(i), Vec3::Zero()};
      break;
    case JointCode::planar:
      b.p += b.R.col(0) * q[plan.q] + b.R.col(1) * q[plan.q + 1];
      turn_columns(b.R, 0, 1, {q[plan.q + 2], q[plan.q + 3]});
      s[0] = {b.R.col(0), Vec3::Zero()}, s[1] = {b.R.col(1), Vec3::Zero()};
      rotating(s[2], b.R.col(2));
      break;
    case JointCode::free:
      b.p += b.R * Eigen::Map<const Vec3>(q + plan.q);
      b.R = (b.R * rotation_from_quaternion(q + plan.q + 3)).eval();
      for (int i = 0; i < 3; ++i) s[i] = {b.R.col(i), Vec3::Zero()}, rotating(s[3 + i], b.R.col(i));
      break;
    case JointCode::root_free:
      break;  // the base frame is the body frame
  }
}

}  // namespace stiction
