// SPDX-License-Identifier: BSD-2-Clause
// The kernels of lane_kernels.h over vectors T of doubles, one lane per environment. Private to lanes_*.cpp.
//   V = V_p + S v,   A = A_p + V × S v,   F = m a_c,   N = I α + ω × Iω,   h = Sᵀ ΣF,   M_ij = S_iᵀ I^c_j S_j,   M = L̂ᵀL̂
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

template <class T>
inline void write_motion(const LaneBody& plan, std::ptrdiff_t body, const LaneData<T>& b, const LaneMemory& m) {
  namespace at = lane_place;
  const std::ptrdiff_t to = at::body * body, column = at::column * plan.v;
  scatter(b.x, m.bodies, to + at::R), scatter(b.y, m.bodies, to + at::R + 3), scatter(b.z, m.bodies, to + at::R + 6);
  scatter(b.p, m.bodies, to + at::p), scatter(b.v, m.bodies, to + at::v), scatter(b.w, m.bodies, to + at::w);
  scatter(b.a, m.bodies, to + at::a), scatter(b.alpha, m.bodies, to + at::alpha);
  scatter(b.lin, m.columns, column + at::lin), scatter(b.ang, m.columns, column + at::ang);
}

template <class T>
inline void write_load(const LaneData<T>& b, const LaneMemory& m) {
  namespace at = lane_place;
  scatter(b.f, m.bodies, at::f), scatter(b.n, m.bodies, at::n), scatter(b.mass, m.bodies, at::mass);
  scatter(b.moment, m.bodies, at::moment);
  for (int i = 0; i < 6; ++i) scatter(b.inertia[i], m.bodies, at::inertia + i);
}

// Bias and packed row of a joint of one velocity.
template <class T>
inline void joint_rows(const LaneTree& tree, int i, const LaneData<T>* data, T* M, const LaneMemory& m) {
  const LaneBody& plan = tree.bodies[i];
  const LaneData<T>& b = data[i];
  scatter(dot_of(b.lin, b.f) + dot_of(b.ang, b.n), m.bias, plan.v);
  const Triple<T> f = scaled(b.mass, b.lin) + cross_of(b.ang, b.moment);
  const Triple<T> n = cross_of(b.moment, b.lin) + packed_product(b.inertia, b.ang);
  T* row = M + plan.row;
  if (tree.floating) row[0] = f.x, row[1] = f.y, row[2] = f.z, row[3] = n.x, row[4] = n.y, row[5] = n.z;
  for (int at = i; at > 0 || (at == 0 && !tree.floating); at = tree.bodies[at].parent) {
    const LaneData<T>& t = data[at];
    row[tree.bodies[at].depth] = dot_of(t.lin, f) + dot_of(t.ang, n);
    if (at == 0) break;
  }
  row[plan.depth] += spread<T>(plan.armature);
}

// The floating base: M is its composite inertia.
template <class T>
inline void base_rows(const LaneTree& tree, const LaneData<T>& b, T* M, const LaneMemory& m) {
  scatter(b.f, m.bias, tree.v), scatter(b.n, m.bias, tree.v + 3);
  const Triple<T>& c = b.moment;
  const T* I = b.inertia;
  const T o = T{};
  const T rows[21] = {b.mass, o,    b.mass, o,    o,    b.mass, o, -c.z, c.y,  I[0], c.z,
                      o,      -c.x, I[1],   I[3], -c.y, c.x,    o, I[2], I[4], I[5]};
  for (int i = 0; i < 21; ++i) M[i] = rows[i];
  for (int i = 0, at = 0; i < 6; ++i) at += i + 1, M[at - 1] += spread<T>(tree.armature[i]);
}

template <class T>
std::size_t lane_room(const LaneTree& tree) {
  return (static_cast<std::size_t>(tree.packed + tree.velocities) * sizeof(T) +
          static_cast<std::size_t>(tree.count) * sizeof(LaneData<T>)) /
         sizeof(double);
}

template <class T>
void lane_pass(const LaneTree& tree, const LaneMemory& m, double* scratch) {
  T* M = reinterpret_cast<T*>(scratch);
  auto* data = reinterpret_cast<LaneData<T>*>(M + tree.packed + tree.velocities);
  data[0] = root_data<T>(tree, m);
  load(tree.bodies[0], data[0]);
  for (int i = 1; i < tree.count; ++i) {
    const LaneBody& plan = tree.bodies[i];
    const LaneData<T>& up = data[plan.parent];
    LaneData<T>& b = data[i];
    place(plan, m.q, up, b);
    move(gather<T>(m.v, plan.v), up, b);
    write_motion(plan, i, b, m);
    load(plan, b);
  }
  for (int i = tree.count - 1; i > 0; --i) {
    joint_rows(tree, i, data, M, m);
    const LaneData<T>& b = data[i];
    LaneData<T>& up = data[tree.bodies[i].parent];
    up.f += b.f, up.n += b.n, up.moment += b.moment, up.mass += b.mass;
    for (int c = 0; c < 6; ++c) up.inertia[c] += b.inertia[c];
  }
  if (tree.floating)
    base_rows(tree, data[0], M, m);
  else
    joint_rows(tree, 0, data, M, m);
  write_load(data[0], m);
  for (int i = 0; i < tree.packed; ++i) scatter(M[i], m.factor, tree.row + i);
}

template <class T>
void lane_whiten(const LaneTree& tree, const LaneMemory& m, double* scratch) {
  T* M = reinterpret_cast<T*>(scratch);
  T* z = M + tree.packed;
  const int n = tree.velocities;
  const auto diagonal = [&](int j) { return (j + 1 < n ? tree.rows[j + 1] : tree.packed) - 1; };
  for (int j = 0; j < n; ++j)
    M[diagonal(j)] = gather<T>(m.factor, tree.row + diagonal(j)), z[j] = gather<T>(m.z, tree.v + j);
  for (int j = n - 1; j >= 0; --j) {
    const int* chain = tree.chain + tree.chain_of[j];
    T* row = M + tree.rows[j];
    const int depth = diagonal(j) - tree.rows[j];
    const T scale = spread<T>(1.0) / root_of(row[depth]);
    scatter(scale, m.inverse_diagonal, tree.v + j);
    const T own = z[j] * scale;
    z[j] = own;
    scatter(own, m.z, tree.v + j);
    for (int d = 0; d <= depth; ++d) row[d] *= scale;
    for (int d = 0; d < depth; ++d) {
      T* target = M + tree.rows[chain[d]];
      const T factor = row[d];
      for (int e = 0; e <= d; ++e) target[e] -= factor * row[e];
      z[chain[d]] -= factor * own;
    }
  }
  for (int i = 0; i < tree.packed; ++i) scatter(M[i], m.factor, tree.row + i);
}

template <class T>
constexpr LaneKernels lanes_named(const char* name) {
  return {name, width_of<T>, lane_room<T>, lane_pass<T>, lane_whiten<T>};
}

}  // namespace
}  // namespace stiction
