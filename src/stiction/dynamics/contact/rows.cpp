// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/pair.h>
#include <stiction/dynamics/contact/floating_side.h>
#include <stiction/dynamics/contact/rows.h>
#include <stiction/dynamics/contact/whiten_rows.h>

#include <algorithm>

namespace stiction {
namespace {

// u_free += Y z; the velocities before are added by finish().
template <int rows>
void add_free(const RowContext& c, const int* chain, int length, const double* y, double* free) {
  constexpr int stride = row_stride(rows);
  double sum[rows] = {};
  for (int d = 0; d < length; ++d) {
    const double z = c.z[chain[d]];
    for (int r = 0; r < rows; ++r) sum[r] += y[stride * d + r] * z;
  }
  for (int r = 0; r < rows; ++r) free[r] += sum[r];
}

RowBlock& new_block(RowSet& rows, int count) {
  RowBlock& block = rows.blocks.emplace_back();
  block.rows = count;
  return block;
}

double* new_side(RowSet& rows, RowBlock& block, int body, int tree, int length) {
  RowSide& side = block.side[block.sides++];
  side = {body, tree, length, static_cast<int>(rows.values.size())};
  rows.values.resize(rows.values.size() + (row_stride(block.rows) * length));
  return rows.values.data() + side.offset;
}

// One body's part of rows that measure sign × (velocity of a point of the body) along the rows of `axes` (world).
template <int rows>
void add_linear_side(const RowContext& c, int body, double sign, const Vec3& point,
                     const Eigen::Matrix<double, rows, 3>& axes, RowSet& set, RowBlock& block) {
  if (body == kWorldBody) return;
  const BodyPlan& plan = c.layout.bodies[body];
  if constexpr (rows == 3)
    if (plan.floating && !plan.free_body) {
      double* y = new_side(set, block, body, plan.tree, plan.length);
      return add_floating_side(c, plan, sign, point, axes, y, block);
    }
  const Pose& base = c.kinematics.base[plan.tree];
  const BodyData& data = c.kinematics.bodies[body];
  const Vec3 p = base.rotation.transpose() * (point - base.translation);
  const Eigen::Matrix<double, rows, 3> A = sign * (axes * base.rotation);
  const int* chain = c.layout.chain.data() + plan.chain;
  const int n = plan.length;
  double* y = new_side(set, block, body, plan.tree, n);
  constexpr int stride = row_stride(rows);
  const int base_width = plan.floating ? 6 : 0;
  for (int r = 0; r < rows && plan.floating; ++r) {  // S = I: the axis itself, and its moment about the base origin
    const Vec3 axis = A.row(r);
    const Vec3 moment = p.cross(axis);
    for (int i = 0; i < 3; ++i) y[stride * i + r] = axis[i], y[stride * (3 + i) + r] = moment[i];
  }
  for (int d = base_width; d < n; ++d) {
    const Column& s = c.kinematics.columns[chain[d]];
    const Vec3 velocity = s.lin + s.ang.cross(p);
    for (int r = 0; r < rows; ++r) y[stride * d + r] = A.row(r).dot(velocity);
  }
  const Vec3 velocity = data.v + data.w.cross(p);
  for (int r = 0; r < rows; ++r) block.before[r] += A.row(r).dot(velocity);
  whiten_rows<rows>(c, plan, chain, n, y);
  add_free<rows>(c, chain, n, y, block.free);
}

template <int rows>
void add_angular_side(const RowContext& c, int body, double sign, const Eigen::Matrix<double, rows, 3>& axes,
                      RowSet& set, RowBlock& block) {
  if (body == kWorldBody) return;
  const BodyPlan& plan = c.layout.bodies[body];
  const Pose& base = c.kinematics.base[plan.tree];
  const Eigen::Matrix<double, rows, 3> A = sign * (axes * base.rotation);
  const int* chain = c.layout.chain.data() + plan.chain;
  const int n = plan.length;
  double* y = new_side(set, block, body, plan.tree, n);
  constexpr int stride = row_stride(rows);
  for (int d = 0; d < n; ++d) {
    const Eigen::Matrix<double, rows, 1> rate = A * c.kinematics.columns[chain[d]].ang;
    for (int r = 0; r < rows; ++r) y[stride * d + r] = rate[r];
  }
  const Eigen::Matrix<double, rows, 1> rate = A * c.kinematics.bodies[body].w;
  for (int r = 0; r < rows; ++r) block.before[r] += rate[r];
  whiten_rows<rows>(c, plan, chain, n, y);
  add_free<rows>(c, chain, n, y, block.free);
}

RowBlock& finish(RowBlock& block) {
  for (int r = 0; r < block.rows; ++r) block.free[r] += block.before[r];
  return block;
}

// Velocity of point_b (on b) against point_a (on a) along the rows of `axes`.
template <int rows>
RowBlock& linear_block(const RowContext& c, int body_a, const Vec3& point_a, int body_b, const Vec3& point_b,
                       const Eigen::Matrix<double, rows, 3>& axes, RowSet& set) {
  RowBlock& block = new_block(set, rows);
  add_linear_side<rows>(c, body_a, -1.0, point_a, axes, set, block);
  add_linear_side<rows>(c, body_b, 1.0, point_b, axes, set, block);
  return finish(block);
}

template <int rows>
RowBlock& angular_block(const RowContext& c, int body_a, int body_b, const Eigen::Matrix<double, rows, 3>& axes,
                        RowSet& set) {
  RowBlock& block = new_block(set, rows);
  add_angular_side<rows>(c, body_a, -1.0, axes, set, block);
  add_angular_side<rows>(c, body_b, 1.0, axes, set, block);
  return finish(block);
}

// One body's part of add_patch_rows; `turn` holds the scaled axes of spin and roll.
template <int rows>
void add_patch_side(const RowContext& c, int body, double sign, const Vec3& point, const Mat3& axes,
                    const Eigen::Matrix<double, rows - 3, 3>& turn, RowSet& set, RowBlock& block) {
  if (body == kWorldBody) return;
  const BodyPlan& plan = c.layout.bodies[body];
  const Pose& base = c.kinematics.base[plan.tree];
  const BodyData& data = c.kinematics.bodies[body];
  const Vec3 p = base.rotation.transpose() * (point - base.translation);
  const Mat3 A = sign * (axes * base.rotation);
  const Eigen::Matrix<double, rows - 3, 3> B = sign * (turn * base.rotation);
  const int* chain = c.layout.chain.data() + plan.chain;
  double* y = new_side(set, block, body, plan.tree, plan.length);
  const auto put = [&](const Vec3& lin, const Vec3& ang, double* out) {  // of a motion of the body
    const Vec3 velocity = lin + ang.cross(p);
    out[0] += A.row(0).dot(velocity), out[1] += A.row(1).dot(velocity);
    for (int r = 0; r < rows - 3; ++r) out[2 + r] += B.row(r).dot(ang);
    out[rows - 1] += A.row(2).dot(velocity);
  };
  std::fill(y, y + rows * plan.length, 0.0);
  for (int d = 0; d < plan.length; ++d) {
    Vec3 lin = Vec3::Zero(), ang = Vec3::Zero();
    if (plan.floating && d < 6)
      (d < 3 ? lin[d] : ang[d - 3]) = 1.0;  // S = I
    else
      lin = c.kinematics.columns[chain[d]].lin, ang = c.kinematics.columns[chain[d]].ang;
    put(lin, ang, y + rows * d);
  }
  put(data.v, data.w, block.before);
  whiten_rows<rows>(c, plan, chain, plan.length, y);
  add_free<rows>(c, chain, plan.length, y, block.free);
}

template <int rows>
RowBlock& patch_block(const RowContext& c, int a, const Vec3& point_a, int b, const Vec3& point_b, const Mat3& axes,
                      const PatchArms& arms, RowSet& set) {
  Eigen::Matrix<double, rows - 3, 3> turn;
  int r = 0;
  if (arms.spin > 0.0) turn.row(r++) = arms.spin * axes.row(2);
  if (arms.roll > 0.0) turn.row(r) = arms.roll * axes.row(0), turn.row(r + 1) = arms.roll * axes.row(1);
  RowBlock& block = new_block(set, rows);
  add_patch_side<rows>(c, a, -1.0, point_a, axes, turn, set, block);
  add_patch_side<rows>(c, b, 1.0, point_b, axes, turn, set, block);
  return finish(block);
}

}  // namespace

RowBlock& add_patch_rows(const RowContext& c, int a, const Vec3& point_a, int b, const Vec3& point_b, const Mat3& axes,
                         const PatchArms& arms, RowSet& rows) {
  if (!(arms.roll > 0.0)) return patch_block<4>(c, a, point_a, b, point_b, axes, arms, rows);
  if (!(arms.spin > 0.0)) return patch_block<5>(c, a, point_a, b, point_b, axes, arms, rows);
  return patch_block<6>(c, a, point_a, b, point_b, axes, arms, rows);
}

RowBlock& add_point_rows(const RowContext& c, int a, int b, const Vec3& point, const Mat3& axes, RowSet& rows) {
  return linear_block<3>(c, a, point, b, point, axes, rows);
}

RowBlock& add_loop_rows(const RowContext& c, int a, const Vec3& point_a, int b, const Vec3& point_b, const Mat3& axes,
                        RowSet& rows) {
  return linear_block<3>(c, a, point_a, b, point_b, axes, rows);
}

RowBlock& add_normal_row(const RowContext& c, int a, int b, const Vec3& point, const Vec3& axis, RowSet& rows) {
  return linear_block<1>(c, a, point, b, point, axis.transpose(), rows);
}

RowBlock& add_point_pair(const RowContext& c, int a, int b, const Vec3& point, const Axes2& axes, RowSet& rows) {
  return linear_block<2>(c, a, point, b, point, axes, rows);
}

RowBlock& add_angular_rows(const RowContext& c, int body_a, int body_b, const Mat3& axes, RowSet& rows) {
  return angular_block<3>(c, body_a, body_b, axes, rows);
}

RowBlock& add_angular_pair(const RowContext& c, int body_a, int body_b, const Axes2& axes, RowSet& rows) {
  return angular_block<2>(c, body_a, body_b, axes, rows);
}

RowBlock& add_angular_row(const RowContext& c, int body_a, int body_b, const Vec3& axis, RowSet& rows) {
  return angular_block<1>(c, body_a, body_b, axis.transpose(), rows);
}

namespace {

void add_joint_side(const RowContext& c, int body, int velocity, double sign, RowSet& rows, RowBlock& block) {
  const BodyPlan& plan = c.layout.bodies[body];
  const int n = c.layout.depth[velocity] + 1;
  double* y = new_side(rows, block, body, plan.tree, n);
  std::fill(y, y + n, 0.0);
  y[n - 1] = sign;
  block.before[0] += sign * c.v[velocity];
  const int* chain = c.layout.chain.data() + plan.chain;
  whiten_rows<1>(c, plan, chain, n, y);
  add_free<1>(c, chain, n, y, block.free);
}

}  // namespace

RowBlock& add_joint_row(const RowContext& c, int body, int velocity, double sign, RowSet& rows) {
  RowBlock& block = new_block(rows, 1);
  add_joint_side(c, body, velocity, sign, rows, block);
  return finish(block);
}

RowBlock& add_tendon_row(const RowContext& c, const TendonSides& sides, TendonPart first, TendonPart more,
                         RowSet& rows) {
  RowBlock& block = new_block(rows, 1);
  for (int s = 0; s < sides.count; ++s) {
    const BodyPlan& plan = c.layout.bodies[sides.body[s]];
    const int* chain = c.layout.chain.data() + plan.chain;
    // velocities that both chains share are those of the first
    const int other = sides.body[0];
    const int taken = s > 0 && plan.tree == c.layout.bodies[other].tree ? c.layout.common(other, sides.body[s]) : 0;
    double* y = new_side(rows, block, sides.body[s], plan.tree, plan.length);
    std::fill(y, y + plan.length, 0.0);
    for (const TendonPart& part : {first, more}) {
      if (part.terms == nullptr) continue;
      for (const TendonTerm& x : *part.terms) {
        const int d = c.layout.depth[x.velocity];
        if (d < taken || d >= plan.length || chain[d] != x.velocity) continue;
        y[d] += part.scale * x.coefficient;
        block.before[0] += part.scale * x.coefficient * c.v[x.velocity];
      }
    }
    whiten_rows<1>(c, plan, chain, plan.length, y);
    add_free<1>(c, chain, plan.length, y, block.free);
  }
  return finish(block);
}

RowBlock& add_coupled_row(const RowContext& c, int body_a, int body_b, double slope, RowSet& rows) {
  RowBlock& block = new_block(rows, 1);
  add_joint_side(c, body_a, c.layout.bodies[body_a].v, 1.0, rows, block);
  if (body_b != kWorldBody) add_joint_side(c, body_b, c.layout.bodies[body_b].v, -slope, rows, block);
  return finish(block);
}

}  // namespace stiction
