// SPDX-License-Identifier: BSD-2-Clause
// Twists of two bodies by the velocities of their chains, world axes. Private to this folder.
#pragma once

#include <stiction/dynamics/kernels/motion.h>
#include <stiction/step/derivative/row_tangents.h>

namespace stiction {

// Of the points of a and b, which lie at point_a and point_b.
void find_pair_columns(const Layout& layout, const Kinematics& k, int a, const Vec3& point_a, int b,
                       const Vec3& point_b, std::vector<PairColumn>& out);

// Relative velocity and angular velocities that velocities x give.
struct PairMotion {
  Vec3 velocity = Vec3::Zero(), turn_a = Vec3::Zero(), turn_b = Vec3::Zero();
  PairMotion(const std::vector<PairColumn>& columns, const double* x) {
    for (const PairColumn& c : columns) {
      velocity += x[c.velocity] * (c.shift_b - c.shift_a);
      turn_a += x[c.velocity] * c.turn_a, turn_b += x[c.velocity] * c.turn_b;
    }
  }
};

// What moves in column j besides the bodies themselves: S_a, S_b, Θ of row_tangents.h.
struct PairSlip {
  Vec3 slip_a = Vec3::Zero(), slip_b = Vec3::Zero(), turn = Vec3::Zero();
};

// (2) for one column, in world axes.
inline Vec3 slip_velocity(const PairMotion& m, const PairSlip& s) {
  return m.turn_b.cross(s.slip_b) - m.turn_a.cross(s.slip_a) - s.turn.cross(m.velocity);
}

// (3) for column j: force f on b at the point, and torque n on b.
inline void add_slip_force(const std::vector<PairColumn>& columns, int j, const PairSlip& s, const Vec3& f, int stride,
                           double* dq) {
  const Vec3 force = s.turn.cross(f), moment_b = s.slip_b.cross(f), moment_a = s.slip_a.cross(f);
  for (const PairColumn& c : columns)
    dq[static_cast<std::ptrdiff_t>(c.velocity) * stride + j] -=
        (c.shift_b - c.shift_a).dot(force) + c.turn_b.dot(moment_b) - c.turn_a.dot(moment_a);
}

// Block of joints and loops (row_joints.cpp).
void joint_row_tangents(const RowInstant& at, std::size_t block, int stride, double* dq, RowTangents& out);
void collect_loop_force(const RowInstant& at, std::size_t block, std::vector<PointForce>& forces);

}  // namespace stiction
