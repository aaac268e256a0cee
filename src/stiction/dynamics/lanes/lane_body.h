// SPDX-License-Identifier: BSD-2-Clause
// One body of a tree over vectors T of doubles, one lane per environment: where it is, how it moves, what it weighs. Private to
// lanes_*.cpp, as lane_pass.h is.
//   V = V_p + S v,   A = A_p + V × S v,   F = m a_c,   N = I α + ω × Iω
#pragma once

#include <stiction/base/trigonometry.h>
#include <stiction/dynamics/kernels/triple.h>
#include <stiction/dynamics/lanes/lane_kernels.h>

namespace stiction {
namespace {

using trigonometry::spread;

template <class T>
constexpr int width_of = static_cast<int>(sizeof(T) / sizeof(double));

template <class T>
struct LaneData {
  Triple<T> x, y, z, p;  // columns of R
  Triple<T> v, w, a, alpha;
  Triple<T> lin, ang;
  Triple<T> f, n, moment;
  T mass, inertia[6];
};

template <class T>
inline T gather(const double* const* from, std::ptrdiff_t at) {
  T out;
#pragma GCC unroll 8
  for (int l = 0; l < width_of<T>; ++l) out[l] = from[l][at];
  return out;
}
template <class T>
inline Triple<T> gather_triple(const double* const* from, std::ptrdiff_t at) {
  return {gather<T>(from, at), gather<T>(from, at + 1), gather<T>(from, at + 2)};
}
template <class T>
inline void scatter(const T& x, double* const* to, std::ptrdiff_t at) {
#pragma GCC unroll 8
  for (int l = 0; l < width_of<T>; ++l) to[l][at] = x[l];
}
template <class T>
inline void scatter(const Triple<T>& x, double* const* to, std::ptrdiff_t at) {
#pragma GCC unroll 8
  for (int l = 0; l < width_of<T>; ++l) {
    double* out = to[l] + at;
    out[0] = x.x[l], out[1] = x.y[l], out[2] = x.z[l];
  }
}

// `count` numbers that lie together in memory as well, four at a time.
template <class T>
inline void scatter_run(const T* x, int count, double* const* to, std::ptrdiff_t at) {
  int i = 0;
  for (; i + 4 <= count; i += 4) scatter_four(x + i, to, at + i);
  for (; i < count; ++i) scatter(x[i], to, at + i);
}

// R x, sums from left to right.
template <class T>
inline Triple<T> turned(const LaneData<T>& b, const Triple<T>& t) {
  return {b.x.x * t.x + b.y.x * t.y + b.z.x * t.z, b.x.y * t.x + b.y.y * t.y + b.z.y * t.z,
          b.x.z * t.x + b.y.z * t.y + b.z.z * t.z};
}
// R x as products of 3×3 matrices are summed outside twins: the last row from right to left.
template <class T>
inline Triple<T> product_of(const LaneData<T>& b, const Triple<T>& t) {
  return {b.x.x * t.x + b.y.x * t.y + b.z.x * t.z, b.x.y * t.x + b.y.y * t.y + b.z.y * t.z,
          b.x.z * t.x + (b.y.z * t.y + b.z.z * t.z)};
}
template <class T>
inline Triple<T> spread_triple(const double* x) {
  return {spread<T>(x[0]), spread<T>(x[1]), spread<T>(x[2])};
}
// R x of a vector that all environments share.
template <class T>
inline Triple<T> placed(const LaneBody& plan, const LaneData<T>& b, const double* x) {
  return plan.twin_q >= 0 ? turned(b, spread_triple<T>(x)) : product_of(b, spread_triple<T>(x));
}

// Two columns turn in their plane.
template <class T>
inline void turn(Triple<T>& x, Triple<T>& y, const T& c, const T& s) {
  const Triple<T> old = x;
  x = scaled(c, x) + scaled(s, y);
  y = {c * y.x - s * old.x, c * y.y - s * old.y, c * y.z - s * old.z};
}

// As turn_about of twin_branches.
template <class T>
inline void turn_about_twin(const Triple<T>& axis, const T& c, const T& s, Triple<T>& column) {
  const Triple<T> across = cross_of(axis, column);
  const T along = (spread<T>(1.0) - c) * dot_of(axis, column);
  column = scaled(c, column) + scaled(s, across) + scaled(along, axis);
}

// R·Rot(axis) as rotation_about of joint_placement.
template <class T>
inline void turn_by_axis(const double* a, const T& c, const T& s, LaneData<T>& b) {
  const T versine = spread<T>(1.0) - c;
  const Triple<T> k{a[0] * versine, a[1] * versine, a[2] * versine}, r{a[0] * s, a[1] * s, a[2] * s};
  const Triple<T> x{k.x * a[0] + c, k.y * a[0] + r.z, k.z * a[0] - r.y};
  const Triple<T> y{k.x * a[1] - r.z, k.y * a[1] + c, k.z * a[1] + r.x};
  const Triple<T> z{k.x * a[2] + r.y, k.y * a[2] - r.x, k.z * a[2] + c};
  const Triple<T> first = product_of(b, x), second = product_of(b, y), third = product_of(b, z);
  b.x = first, b.y = second, b.z = third;
}

template <class T>
inline SinCosOf<T> angle_of(const LaneBody& plan, const double* const* q) {
  using namespace trigonometry;
  if (plan.continuous) return {gather<T>(q, plan.q + 1), gather<T>(q, plan.q)};
  T x = gather<T>(q, plan.q);
  const auto near = [&](const T& size, int l) { return size[l] <= kFar; };
  const T beside = plan.twin_q >= 0 ? magnitude(gather<T>(q, plan.twin_q)) : T{};
  const T size = magnitude(x);
  for (int l = 0; l < width_of<T>; ++l)
    if (!(near(size, l) && near(beside, l))) [[unlikely]]
      x[l] = __builtin_remainder(x[l], 2.0 * kPi);
  return sin_cos_near(x);
}

template <class T>
inline void place(const LaneBody& plan, const double* const* q, const LaneData<T>& up, LaneData<T>& b) {
  b.p = up.p + placed(plan, up, plan.translation);
  if (plan.aligned) {
    b.x = up.x, b.y = up.y, b.z = up.z;
  } else {
    b.x = placed(plan, up, plan.rotation), b.y = placed(plan, up, plan.rotation + 3);
    b.z = placed(plan, up, plan.rotation + 6);
  }
  if (plan.joint == LaneJoint::slide) {
    const T at = gather<T>(q, plan.q);
    b.lin = product_of(b, spread_triple<T>(plan.axis));
    b.p = b.p + Triple<T>{b.lin.x * at, b.lin.y * at, b.lin.z * at};
    b.ang = {T{}, T{}, T{}};
    return;
  }
  const SinCosOf<T> a = angle_of<T>(plan, q);
  if (plan.joint == LaneJoint::x) {
    turn(b.y, b.z, a.c, a.s), b.ang = b.x;
  } else if (plan.joint == LaneJoint::y) {
    turn(b.z, b.x, a.c, a.s), b.ang = b.y;
  } else if (plan.joint == LaneJoint::z) {
    turn(b.x, b.y, a.c, a.s), b.ang = b.z;
  } else {
    b.ang = placed(plan, b, plan.axis);
    if (plan.twin_q >= 0) {
      turn_about_twin(b.ang, a.c, a.s, b.x), turn_about_twin(b.ang, a.c, a.s, b.y);
      turn_about_twin(b.ang, a.c, a.s, b.z);
    } else {
      turn_by_axis(plan.axis, a.c, a.s, b);
    }
  }
  b.lin = cross_of(b.p, b.ang);
}

template <class T>
inline void move(const T& rate, const LaneData<T>& up, LaneData<T>& b) {
  const Triple<T> lin = scaled(rate, b.lin), ang = scaled(rate, b.ang);
  b.a = up.a + cross_of(up.w, lin) + cross_of(up.v, ang);
  b.alpha = up.alpha + cross_of(up.w, ang);
  b.v = up.v + lin, b.w = up.w + ang;
}

template <class T>
inline void load(const LaneBody& plan, LaneData<T>& b) {
  if (plan.massless) {
    b.f = b.n = b.moment = {T{}, T{}, T{}};
    b.mass = T{};
    for (T& x : b.inertia) x = T{};
    return;
  }
  T own[6], I[6];
  for (int i = 0; i < 6; ++i) own[i] = spread<T>(plan.inertia[i]);
  const Triple<T> rows[3] = {{b.x.x, b.y.x, b.z.x}, {b.x.y, b.y.y, b.z.y}, {b.x.z, b.y.z, b.z.z}};
  turn_packed(rows, own, I);
  const T m = spread<T>(plan.mass);
  const Triple<T> c = placed(plan, b, plan.com) + b.p;
  const Triple<T> velocity = b.v + cross_of(b.w, c);
  const Triple<T> acceleration = b.a + cross_of(b.alpha, c) + cross_of(b.w, velocity);
  b.f = scaled(m, acceleration);
  b.n = packed_product(I, b.alpha) + cross_of(b.w, packed_product(I, b.w)) + cross_of(c, b.f);
  const Triple<T> mc = scaled(m, c);
  b.mass = m, b.moment = mc;
  b.inertia[0] = I[0] + mc.y * c.y + mc.z * c.z, b.inertia[1] = I[1] - mc.x * c.y, b.inertia[2] = I[2] - mc.x * c.z;
  b.inertia[3] = I[3] + mc.x * c.x + mc.z * c.z, b.inertia[4] = I[4] - mc.y * c.z;
  b.inertia[5] = I[5] + mc.x * c.x + mc.y * c.y;
}

template <class T>
inline LaneData<T> root_data(const LaneTree& tree, const LaneMemory& m) {
  namespace at = lane_place;
  const double* const* from = m.bodies;
  LaneData<T> b;
  b.x = gather_triple<T>(from, at::R), b.y = gather_triple<T>(from, at::R + 3), b.z = gather_triple<T>(from, at::R + 6);
  b.p = gather_triple<T>(from, at::p), b.v = gather_triple<T>(from, at::v), b.w = gather_triple<T>(from, at::w);
  b.a = gather_triple<T>(from, at::a), b.alpha = gather_triple<T>(from, at::alpha);
  if (!tree.floating) {
    const std::ptrdiff_t column = at::column * tree.v;
    b.lin = gather_triple<T>(m.columns, column + at::lin), b.ang = gather_triple<T>(m.columns, column + at::ang);
  }
  return b;
}

// Places of LaneData are those of BodyData and Column.
template <class T>
inline void write_motion(const LaneBody& plan, std::ptrdiff_t body, const LaneData<T>& b, const LaneMemory& m) {
  namespace at = lane_place;
  constexpr int motion = at::f;
  const T* x = &b.x.x;
  scatter_run(x, motion, m.bodies, at::body * body);
  scatter_run(x + motion, at::column, m.columns, at::column * plan.v);
}

template <class T>
inline void write_load(const LaneData<T>& b, const LaneMemory& m) {
  namespace at = lane_place;
  scatter(b.f, m.bodies, at::f), scatter(b.n, m.bodies, at::n), scatter(b.mass, m.bodies, at::mass);
  scatter(b.moment, m.bodies, at::moment);
  for (int i = 0; i < 6; ++i) scatter(b.inertia[i], m.bodies, at::inertia + i);
}

}  // namespace
}  // namespace stiction
