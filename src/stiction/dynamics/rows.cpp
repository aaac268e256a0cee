// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/rows.h>

#include <algorithm>

namespace stiction {
namespace {

// Y ← J L̂⁻¹ for `rows` rows on one chain of `length` velocities: leaf to root, as in solve_transposed. The rows of one
// velocity lie together, so that they are eliminated side by side.
template <int rows>
void whiten(const RowContext& c, const int* chain, int length, double* y) {
  for (int d = length - 1; d >= 0; --d) {
    const auto velocity = static_cast<std::size_t>(chain[d]);
    const double* l = c.kinematics.factor.data() + c.layout.row[velocity];
    const double inverse = c.kinematics.inverse_diagonal[velocity];
    double yd[rows];
#pragma GCC unroll 3
    for (int r = 0; r < rows; ++r) yd[r] = y[rows * d + r] *= inverse;
    for (int e = 0; e < d; ++e) {
      double* ye = y + rows * e;
#pragma GCC unroll 3
      for (int r = 0; r < rows; ++r) ye[r] -= l[e] * yd[r];
    }
  }
}

// u_free += Y z; the velocities before are added by finish().
template <int rows>
void add_free(const RowContext& c, const int* chain, int length, const double* y, double* free) {
  double sum[rows] = {};
  for (int d = 0; d < length; ++d)
    for (int r = 0; r < rows; ++r) sum[r] += y[rows * d + r] * c.z[chain[d]];
  for (int r = 0; r < rows; ++r) free[r] += sum[r];
}

RowBlock& new_block(RowSet& rows, int count) {
  RowBlock& block = rows.blocks.emplace_back();
  block.rows = count;
  return block;
}

double* new_side(RowSet& rows, RowBlock& block, int body, int length) {
  RowSide& side = block.side[block.sides++];
  side = {body, length, static_cast<int>(rows.values.size())};
  rows.values.resize(rows.values.size() + static_cast<std::size_t>(block.rows * length));
  return rows.values.data() + side.offset;
}

// One body's part of rows that measure sign × (velocity of a point of the body) along the rows of `axes` (world).
template <int rows>
void add_linear_side(const RowContext& c, int body, double sign, const Vec3& point,
                     const Eigen::Matrix<double, rows, 3>& axes, RowSet& set, RowBlock& block) {
  if (body == kWorldBody) return;
  const BodyPlan& plan = c.layout.bodies[static_cast<std::size_t>(body)];
  const Pose& base = c.kinematics.base[static_cast<std::size_t>(plan.tree)];
  const BodyData& data = c.kinematics.bodies[static_cast<std::size_t>(body)];
  const Vec3 p = base.rotation.transpose() * (point - base.translation);
  const Eigen::Matrix<double, rows, 3> A = sign * (axes * base.rotation);
  const int* chain = c.layout.chain.data() + plan.chain;
  const int n = plan.length;
  double* y = new_side(set, block, body, n);
  const int base_width = plan.floating ? 6 : 0;
  for (int r = 0; r < rows && plan.floating; ++r) {  // S = I: the axis itself, and its moment about the base origin
    const Vec3 axis = A.row(r);
    const Vec3 moment = p.cross(axis);
    for (int i = 0; i < 3; ++i) y[rows * i + r] = axis[i], y[rows * (3 + i) + r] = moment[i];
  }
  for (int d = base_width; d < n; ++d) {
    const Column& s = c.kinematics.columns[static_cast<std::size_t>(chain[d])];
    const Vec3 velocity = s.lin + s.ang.cross(p);
    for (int r = 0; r < rows; ++r) y[rows * d + r] = A.row(r).dot(velocity);
  }
  const Vec3 velocity = data.v + data.w.cross(p);
  for (int r = 0; r < rows; ++r) block.before[r] += A.row(r).dot(velocity);
  whiten<rows>(c, chain, n, y);
  add_free<rows>(c, chain, n, y, block.free);
}

void add_angular_side(const RowContext& c, int body, double sign, const Mat3& axes, RowSet& set, RowBlock& block) {
  if (body == kWorldBody) return;
  const BodyPlan& plan = c.layout.bodies[static_cast<std::size_t>(body)];
  const Pose& base = c.kinematics.base[static_cast<std::size_t>(plan.tree)];
  const Mat3 A = sign * (axes * base.rotation);
  const int* chain = c.layout.chain.data() + plan.chain;
  const int n = plan.length;
  double* y = new_side(set, block, body, n);
  for (int d = 0; d < n; ++d) {
    const Vec3 rate = A * c.kinematics.columns[static_cast<std::size_t>(chain[d])].ang;
    for (int r = 0; r < 3; ++r) y[3 * d + r] = rate[r];
  }
  const Vec3 rate = A * c.kinematics.bodies[static_cast<std::size_t>(body)].w;
  for (int r = 0; r < 3; ++r) block.before[r] += rate[r];
  whiten<3>(c, chain, n, y);
  add_free<3>(c, chain, n, y, block.free);
}

RowBlock& finish(RowBlock& block) {
  for (int r = 0; r < block.rows; ++r) block.free[r] += block.before[r];
  return block;
}

}  // namespace

RowBlock& add_point_rows(const RowContext& c, int body_a, int body_b, const Vec3& point, const Mat3& axes, RowSet& rows) {
  return add_loop_rows(c, body_a, point, body_b, point, axes, rows);
}

RowBlock& add_loop_rows(const RowContext& c, int body_a, const Vec3& point_a, int body_b, const Vec3& point_b,
                        const Mat3& axes, RowSet& rows) {
  RowBlock& block = new_block(rows, 3);
  add_linear_side<3>(c, body_a, -1.0, point_a, axes, rows, block);
  add_linear_side<3>(c, body_b, 1.0, point_b, axes, rows, block);
  return finish(block);
}

RowBlock& add_normal_row(const RowContext& c, int body_a, int body_b, const Vec3& point, const Vec3& axis, RowSet& rows) {
  RowBlock& block = new_block(rows, 1);
  const Eigen::Matrix<double, 1, 3> axes = axis.transpose();
  add_linear_side<1>(c, body_a, -1.0, point, axes, rows, block);
  add_linear_side<1>(c, body_b, 1.0, point, axes, rows, block);
  return finish(block);
}

RowBlock& add_angular_rows(const RowContext& c, int body_a, int body_b, const Mat3& axes, RowSet& rows) {
  RowBlock& block = new_block(rows, 3);
  add_angular_side(c, body_a, -1.0, axes, rows, block);
  add_angular_side(c, body_b, 1.0, axes, rows, block);
  return finish(block);
}

RowBlock& add_joint_row(const RowContext& c, int body, int velocity, double sign, RowSet& rows) {
  RowBlock& block = new_block(rows, 1);
  const BodyPlan& plan = c.layout.bodies[static_cast<std::size_t>(body)];
  const int n = c.layout.depth[static_cast<std::size_t>(velocity)] + 1;
  double* y = new_side(rows, block, body, n);
  std::fill(y, y + n, 0.0);
  y[n - 1] = sign;
  block.before[0] = sign * c.v[velocity];
  const int* chain = c.layout.chain.data() + plan.chain;
  whiten<1>(c, chain, n, y);
  add_free<1>(c, chain, n, y, block.free);
  return finish(block);
}

namespace {

// out += Y_a Y_bᵀ over the shared velocities; independent sums keep the processor busy.
template <int rows_a, int rows_b>
void add_product(const double* a, const double* b, int shared, double* out, int stride) {
  double sum[rows_a][rows_b] = {};
  for (int d = 0; d < shared; ++d)
    for (int r = 0; r < rows_a; ++r)
      for (int s = 0; s < rows_b; ++s) sum[r][s] += a[rows_a * d + r] * b[rows_b * d + s];
  for (int r = 0; r < rows_a; ++r)
    for (int s = 0; s < rows_b; ++s) out[r * stride + s] += sum[r][s];
}

}  // namespace

void delassus_block(const Layout& layout, const RowSet& rows, const RowBlock& i, const RowBlock& j, double* out, int stride) {
  for (int r = 0; r < i.rows; ++r)
    for (int s = 0; s < j.rows; ++s) out[r * stride + s] = 0.0;
  for (int si = 0; si < i.sides; ++si) {
    for (int sj = 0; sj < j.sides; ++sj) {
      const RowSide &a = i.side[si], &b = j.side[sj];
      if (layout.bodies[static_cast<std::size_t>(a.body)].tree != layout.bodies[static_cast<std::size_t>(b.body)].tree) continue;
      const int shared = std::min({layout.common(a.body, b.body), a.length, b.length});
      const double *ya = rows.values.data() + a.offset, *yb = rows.values.data() + b.offset;
      if (i.rows == 3 && j.rows == 3) add_product<3, 3>(ya, yb, shared, out, stride);
      else if (i.rows == 3) add_product<3, 1>(ya, yb, shared, out, stride);
      else if (j.rows == 3) add_product<1, 3>(ya, yb, shared, out, stride);
      else add_product<1, 1>(ya, yb, shared, out, stride);
    }
  }
}

void add_impulse(const Layout& layout, const RowSet& rows, const RowBlock& i, const double* lambda, double* whitened) {
  for (int k = 0; k < i.sides; ++k) {
    const RowSide& side = i.side[k];
    const int* chain = layout.chain.data() + layout.bodies[static_cast<std::size_t>(side.body)].chain;
    const double* y = rows.values.data() + side.offset;
    if (i.rows == 3) {
      for (int d = 0; d < side.length; ++d)
        whitened[chain[d]] += y[3 * d] * lambda[0] + y[3 * d + 1] * lambda[1] + y[3 * d + 2] * lambda[2];
    } else {
      for (int d = 0; d < side.length; ++d) whitened[chain[d]] += y[d] * lambda[0];
    }
  }
}

void apply_rows(const Layout& layout, const RowSet& rows, const RowBlock& i, const double* whitened, double* out) {
  std::fill(out, out + i.rows, 0.0);
  for (int k = 0; k < i.sides; ++k) {
    const RowSide& side = i.side[k];
    const int* chain = layout.chain.data() + layout.bodies[static_cast<std::size_t>(side.body)].chain;
    const double* y = rows.values.data() + side.offset;
    for (int d = 0; d < side.length; ++d)
      for (int r = 0; r < i.rows; ++r) out[r] += y[i.rows * d + r] * whitened[chain[d]];
  }
}

}  // namespace stiction
