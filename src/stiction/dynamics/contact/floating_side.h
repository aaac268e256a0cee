// SPDX-License-Identifier: BSD-2-Clause
// Three rows of a point of a body of a floating tree, side by side from the start: Y = J L̂⁻¹, J v and Y z. Private to rows.cpp.
#pragma once

#include <stiction/dynamics/contact/whiten_rows.h>
#include <stiction/dynamics/lanes/row_kernels.h>

namespace stiction {

static_assert(sizeof(Column) == 6 * sizeof(double));  // what row_kernels.h takes it for

// With registers of four.
inline void add_wide_side(const RowKernels& kernels, const RowContext& c, const BodyPlan& plan, const PointAxes& at,
                          double* y, RowBlock& block) {
  const Kinematics& k = c.kinematics;
  const Pose& base = k.base[plan.tree];
  const BodyData& data = k.bodies[block.side[block.sides - 1].body];
  double before[3], free[3];
  kernels.floating({base.rotation.data(), base.translation.data(), data.v.data(), data.w.data(),
                    k.columns.data()->lin.data(), k.factor.data(), k.inverse_diagonal.data(), c.z,
                    c.layout.chain.data() + plan.chain, c.layout.row.data(), plan.length},
                   at, y, before, free);
  for (int r = 0; r < 3; ++r) block.before[r] += before[r], block.free[r] += free[r];
}

// With registers of two.
inline void add_narrow_side(const RowContext& c, const BodyPlan& plan, double sign, const Vec3& point, const Mat3& axes,
                            double* y, RowBlock& block) {
  const Pose& base = c.kinematics.base[plan.tree];
  const BodyData& data = c.kinematics.bodies[block.side[block.sides - 1].body];
  const double *R = base.rotation.data(), *t = axes.data();  // both by columns
  const ThreeRows world[3] = {{sign * load_pair(t), Pair{sign * t[2], 0.0}},
                              {sign * load_pair(t + 3), Pair{sign * t[5], 0.0}},
                              {sign * load_pair(t + 6), Pair{sign * t[8], 0.0}}};
  const double x = point[0] - base.translation[0], yy = point[1] - base.translation[1],
               z = point[2] - base.translation[2];
  double p[3];
  ThreeRows A[6];  // the axes in the frame of the base, and their moments about its origin
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    p[i] = R[3 * i] * x + R[3 * i + 1] * yy + R[3 * i + 2] * z;
    A[i] = rows_times(world, R[3 * i], R[3 * i + 1], R[3 * i + 2]);
  }
  A[3] = p[1] * A[2] - p[2] * A[1], A[4] = p[2] * A[0] - p[0] * A[2], A[5] = p[0] * A[1] - p[1] * A[0];
  const auto rows_of = [&](const Vec3& lin, const Vec3& ang) {  // A (lin + ang × p)
    return rows_times(A, lin[0] + (ang[1] * p[2] - ang[2] * p[1]), lin[1] + (ang[2] * p[0] - ang[0] * p[2]),
                      lin[2] + (ang[0] * p[1] - ang[1] * p[0]));
  };
  const int* chain = c.layout.chain.data() + plan.chain;
  for (int d = 6; d < plan.length; ++d) {
    const Column& s = c.kinematics.columns[chain[d]];
    store_rows(y + 4 * d, rows_of(s.lin, s.ang));
  }
  const ThreeRows before = rows_of(data.v, data.w);
  const ThreeRows free = whiten_floating(c, chain, plan.length, A, y);
  block.before[0] += before.lo[0], block.before[1] += before.lo[1], block.before[2] += before.hi[0];
  block.free[0] += free.lo[0], block.free[1] += free.lo[1], block.free[2] += free.hi[0];
}

// One body's part of rows that measure sign × (velocity of a point of the body) along the rows of `axes` (world).
inline void add_floating_side(const RowContext& c, const BodyPlan& plan, double sign, const Vec3& point,
                              const Mat3& axes, double* y, RowBlock& block) {
  if (const RowKernels* kernels = row_kernels())
    add_wide_side(*kernels, c, plan, {point.data(), axes.data(), sign}, y, block);
  else
    add_narrow_side(c, plan, sign, point, axes, y, block);
}

}  // namespace stiction
