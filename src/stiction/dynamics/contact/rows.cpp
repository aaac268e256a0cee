// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/pair.h>
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

}  // namespace

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

namespace {

// Number of chain entries that the two sides share; none if they belong to different trees.
int shared_entries(const Layout& layout, const RowSide& a, const RowSide& b) {
  if (a.tree != b.tree) return 0;
  return std::min({layout.common(a.tree, a.body, b.body), a.length, b.length});
}

// Y_i Y_jᵀ with three rows each: six pairs of independent sums.
void block_33(const Layout& layout, const RowSet& rows, const RowBlock& i, const RowBlock& j, double* out, int stride) {
  const Pair zero = both(0.0);
  Pair lo0 = zero, lo1 = zero, lo2 = zero, hi0 = zero, hi1 = zero, hi2 = zero;
  for (int si = 0; si < i.sides; ++si) {
    for (int sj = 0; sj < j.sides; ++sj) {
      const double* a = rows.values.data() + i.side[si].offset;
      const double* b = rows.values.data() + j.side[sj].offset;
      const int shared = shared_entries(layout, i.side[si], j.side[sj]);
      for (int d = 0; d < shared; ++d, a += 4, b += 4) {
        const Pair b_lo = load_pair(b), b_hi = load_pair(b + 2);
        const Pair a0 = both(a[0]), a1 = both(a[1]), a2 = both(a[2]);
        lo0 += a0 * b_lo, hi0 += a0 * b_hi;
        lo1 += a1 * b_lo, hi1 += a1 * b_hi;
        lo2 += a2 * b_lo, hi2 += a2 * b_hi;
      }
    }
  }
  store_pair(out, lo0), out[2] = hi0[0];
  store_pair(out + stride, lo1), out[stride + 2] = hi1[0];
  store_pair(out + 2 * stride, lo2), out[2 * stride + 2] = hi2[0];
}

// Y_i Y_jᵀ for other numbers of rows.
template <int rows_i, int rows_j>
void block_of(const Layout& layout, const RowSet& rows, const RowBlock& i, const RowBlock& j, double* out, int stride) {
  double sum[rows_i][rows_j] = {};
  for (int si = 0; si < i.sides; ++si) {
    for (int sj = 0; sj < j.sides; ++sj) {
      const double* a = rows.values.data() + i.side[si].offset;
      const double* b = rows.values.data() + j.side[sj].offset;
      const int shared = shared_entries(layout, i.side[si], j.side[sj]);
      for (int d = 0; d < shared; ++d, a += row_stride(rows_i), b += row_stride(rows_j))
        for (int r = 0; r < rows_i; ++r)
          for (int s = 0; s < rows_j; ++s) sum[r][s] += a[r] * b[s];
    }
  }
  for (int r = 0; r < rows_i; ++r)
    for (int s = 0; s < rows_j; ++s) out[r * stride + s] = sum[r][s];
}

}  // namespace

void delassus_block(const Layout& layout, const RowSet& rows, const RowBlock& i, const RowBlock& j, double* out,
                    int stride) {
  using Product = void (*)(const Layout&, const RowSet&, const RowBlock&, const RowBlock&, double*, int);
  static constexpr Product kProducts[3][3] = {{block_of<1, 1>, block_of<1, 2>, block_of<1, 3>},
                                              {block_of<2, 1>, block_of<2, 2>, block_of<2, 3>},
                                              {block_of<3, 1>, block_of<3, 2>, block_33}};
  kProducts[i.rows - 1][j.rows - 1](layout, rows, i, j, out, stride);
}

void add_impulse(const Layout& layout, const RowSet& rows, const RowBlock& i, const double* lambda, double* whitened) {
  for (int k = 0; k < i.sides; ++k) {
    const RowSide& side = i.side[k];
    const int* chain = layout.chain.data() + layout.bodies[side.body].chain;
    const double* y = rows.values.data() + side.offset;
    if (i.rows == 3) {
      for (int d = 0; d < side.length; ++d)
        whitened[chain[d]] += y[4 * d] * lambda[0] + y[4 * d + 1] * lambda[1] + y[4 * d + 2] * lambda[2];
    } else if (i.rows == 2) {
      for (int d = 0; d < side.length; ++d) whitened[chain[d]] += y[2 * d] * lambda[0] + y[2 * d + 1] * lambda[1];
    } else {
      for (int d = 0; d < side.length; ++d) whitened[chain[d]] += y[d] * lambda[0];
    }
  }
}

void apply_rows(const Layout& layout, const RowSet& rows, const RowBlock& i, const double* whitened, double* out) {
  std::fill(out, out + i.rows, 0.0);
  for (int k = 0; k < i.sides; ++k) {
    const RowSide& side = i.side[k];
    const int* chain = layout.chain.data() + layout.bodies[side.body].chain;
    const double* y = rows.values.data() + side.offset;
    const int stride = row_stride(i.rows);
    for (int d = 0; d < side.length; ++d)
      for (int r = 0; r < i.rows; ++r) out[r] += y[stride * d + r] * whitened[chain[d]];
  }
}

}  // namespace stiction
