// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/twin_branches.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

using Lanes = Triple<Pair>;

Pair lanes(double a, double b) { return Pair{a, b}; }
Lanes both_of(const Vec3& a) { return {both(a[0]), both(a[1]), both(a[2])}; }
void put(const Lanes& x, Vec3& a, Vec3& b) {
  a[0] = x.x[0], a[1] = x.y[0], a[2] = x.z[0];
  b[0] = x.x[1], b[1] = x.y[1], b[2] = x.z[1];
}
void put(const Lanes& x, double* a, double* b) {
  a[0] = x.x[0], a[1] = x.y[0], a[2] = x.z[0];
  b[0] = x.x[1], b[1] = x.y[1], b[2] = x.z[1];
}

// Columns (x, y, z) times a vector.
inline Lanes turned(const Lanes& x, const Lanes& y, const Lanes& z, const Lanes& t) {
  return {x.x * t.x + y.x * t.y + z.x * t.z, x.y * t.x + y.y * t.y + z.y * t.z, x.z * t.x + y.z * t.y + z.z * t.z};
}

// Two columns turn in their plane.
inline void turn(Lanes& x, Lanes& y, Pair c, Pair s) {
  const Lanes old = x;
  x = scaled(c, x) + scaled(s, y);
  y = {c * y.x - s * old.x, c * y.y - s * old.y, c * y.z - s * old.z};
}

// Rodrigues' rule on each column of R, about the joint's axis in base axes: column cos + axis × column sin + axis (axis·column)(1 − cos)
inline void turn_about(const Lanes& axis, Pair c, Pair s, Lanes& column) {
  const Lanes across = cross_of(axis, column);
  column = scaled(c, column) + scaled(s, across) + scaled((both(1.0) - c) * dot_of(axis, column), axis);
}

inline void place(const TwinBody& plan, const double* q, const TwinData& up, TwinData& b) {
  b.p = up.p + turned(up.x, up.y, up.z, plan.translation);
  if (plan.aligned) {
    b.x = up.x, b.y = up.y, b.z = up.z;
  } else {
    b.x = turned(up.x, up.y, up.z, plan.rotation[0]);
    b.y = turned(up.x, up.y, up.z, plan.rotation[1]);
    b.z = turned(up.x, up.y, up.z, plan.rotation[2]);
  }
  const double *qa = q + plan.q[0], *qb = q + plan.q[1];
  const SinCos a = plan.continuous ? SinCos{lanes(qa[1], qb[1]), lanes(qa[0], qb[0])} : sin_cos(lanes(qa[0], qb[0]));
  if (plan.code == JointCode::revolute_x) {
    turn(b.y, b.z, a.c, a.s), b.ang = b.x;
  } else if (plan.code == JointCode::revolute_y) {
    turn(b.z, b.x, a.c, a.s), b.ang = b.y;
  } else if (plan.code == JointCode::revolute_z) {
    turn(b.x, b.y, a.c, a.s), b.ang = b.z;
  } else {
    b.ang = turned(b.x, b.y, b.z, plan.axis);
    turn_about(b.ang, a.c, a.s, b.x), turn_about(b.ang, a.c, a.s, b.y), turn_about(b.ang, a.c, a.s, b.z);
  }
  b.lin = cross_of(b.p, b.ang);
}

// V = V_p + S v, A = A_p + V × S v.
inline void move(Pair rate, const TwinData& up, TwinData& b) {
  const Lanes lin = scaled(rate, b.lin), ang = scaled(rate, b.ang);
  b.a = up.a + cross_of(up.w, lin) + cross_of(up.v, ang);
  b.alpha = up.alpha + cross_of(up.w, ang);
  b.v = up.v + lin, b.w = up.w + ang;
}

// As force_and_inertia of body_inertia.h.
inline void load(const TwinBody& plan, TwinData& b) {
  const Pair m = plan.mass;
  Pair I[6];
  const Lanes rows[3] = {{b.x.x, b.y.x, b.z.x}, {b.x.y, b.y.y, b.z.y}, {b.x.z, b.y.z, b.z.z}};
  turn_packed(rows, plan.inertia, I);
  const Lanes c = turned(b.x, b.y, b.z, plan.com) + b.p;
  const Lanes velocity = b.v + cross_of(b.w, c);
  const Lanes acceleration = b.a + cross_of(b.alpha, c) + cross_of(b.w, velocity);
  b.f = scaled(m, acceleration);
  b.n = packed_product(I, b.alpha) + cross_of(b.w, packed_product(I, b.w)) + cross_of(c, b.f);
  const Lanes mc = scaled(m, c);
  b.mass = m, b.moment = mc;
  b.inertia[0] = I[0] + mc.y * c.y + mc.z * c.z, b.inertia[1] = I[1] - mc.x * c.y, b.inertia[2] = I[2] - mc.x * c.z;
  b.inertia[3] = I[3] + mc.x * c.x + mc.z * c.z, b.inertia[4] = I[4] - mc.y * c.z;
  b.inertia[5] = I[5] + mc.x * c.x + mc.y * c.y;
}

void no_load(TwinData& b) {
  const Pair zero = both(0.0);
  b.f = b.n = b.moment = {zero, zero, zero};
  b.mass = zero;
  std::fill(b.inertia, b.inertia + 6, zero);
}

TwinData both_of(const BodyData& b) {
  TwinData out;
  out.x = both_of(Vec3(b.R.col(0))), out.y = both_of(Vec3(b.R.col(1))), out.z = both_of(Vec3(b.R.col(2)));
  out.p = both_of(b.p), out.v = both_of(b.v), out.w = both_of(b.w), out.a = both_of(b.a);
  out.alpha = both_of(b.alpha);
  return out;
}

void write_motion(const TwinBody& plan, const TwinData& from, Kinematics& k) {
  BodyData &a = k.bodies[plan.body[0]], &b = k.bodies[plan.body[1]];
  put(from.x, a.R.data(), b.R.data()), put(from.y, a.R.data() + 3, b.R.data() + 3);
  put(from.z, a.R.data() + 6, b.R.data() + 6);
  put(from.p, a.p, b.p), put(from.v, a.v, b.v), put(from.w, a.w, b.w);
  put(from.a, a.a, b.a), put(from.alpha, a.alpha, b.alpha);
  Column &s = k.columns[plan.v[0]], &t = k.columns[plan.v[1]];
  put(from.lin, s.lin, t.lin), put(from.ang, s.ang, t.ang);
}

void write_load(const TwinBody& plan, const TwinData& from, Kinematics& k) {
  BodyData &a = k.bodies[plan.body[0]], &b = k.bodies[plan.body[1]];
  put(from.f, a.f, b.f), put(from.n, a.n, b.n), put(from.moment, a.moment, b.moment);
  a.mass = from.mass[0], b.mass = from.mass[1];
  for (int i = 0; i < 6; ++i) a.inertia[i] = from.inertia[i][0], b.inertia[i] = from.inertia[i][1];
}

// Bias and rows of M: entries of the base, of what the branches are joined to, and of the branches themselves.
inline void rows_of(const World& world, const Layout& layout, const TwinBranches& twins, std::size_t i, Kinematics& k) {
  const TwinBody& plan = twins.bodies[i];
  const TwinData& b = k.twins[i];
  const Pair bias = dot_of(b.lin, b.f) + dot_of(b.ang, b.n);
  k.bias[plan.v[0]] = bias[0], k.bias[plan.v[1]] = bias[1];
  const Lanes f = scaled(b.mass, b.lin) + cross_of(b.ang, b.moment);
  const Lanes n = cross_of(b.moment, b.lin) + packed_product(b.inertia, b.ang);
  double* row[2] = {k.factor.data() + layout.row[plan.v[0]], k.factor.data() + layout.row[plan.v[1]]};
  const BodyPlan& parent = layout.bodies[twins.parent];
  int d = 0;
  if (parent.floating) put(f, row[0], row[1]), put(n, row[0] + 3, row[1] + 3), d = 6;
  for (; d < parent.length; ++d) {
    const Column& t = k.columns[layout.chain[parent.chain + d]];
    const Pair x = dot_of(both_of(t.lin), f) + dot_of(both_of(t.ang), n);
    row[0][d] = x[0], row[1][d] = x[1];
  }
  for (int at = static_cast<int>(i); at >= 0; at = twins.bodies[at].above) {
    const TwinData& t = k.twins[at];
    const Pair x = dot_of(t.lin, f) + dot_of(t.ang, n);
    const int depth = twins.bodies[at].depth;
    row[0][depth] = x[0], row[1][depth] = x[1];
  }
  row[0][plan.depth] += world.armature[plan.v[0]], row[1][plan.depth] += world.armature[plan.v[1]];
}

}  // namespace

void twin_pass(const World& world, const Layout& layout, const TwinBranches& twins, const double* q, const double* v,
               Kinematics& k) {
  const TwinData root = both_of(k.bodies[twins.parent]);
  const int count = static_cast<int>(twins.bodies.size());
  for (int i = 0; i < count; ++i) {
    const TwinBody& plan = twins.bodies[i];
    const TwinData& up = plan.above < 0 ? root : k.twins[plan.above];
    TwinData& b = k.twins[i];
    place(plan, q, up, b);
    move(lanes(v[plan.v[0]], v[plan.v[1]]), up, b);
    write_motion(plan, b, k);
    if (plan.massless)
      no_load(b);
    else
      load(plan, b);
  }
  for (int i = count - 1; i >= 0; --i) {
    rows_of(world, layout, twins, i, k);
    const int above = twins.bodies[i].above;
    if (above < 0) continue;
    const TwinData& b = k.twins[i];
    TwinData& up = k.twins[above];
    up.f += b.f, up.n += b.n, up.moment += b.moment, up.mass += b.mass;
    for (int c = 0; c < 6; ++c) up.inertia[c] += b.inertia[c];
  }
  write_load(twins.bodies[0], k.twins[0], k);
}

void twin_factor(const Layout& layout, const TwinBranches& twins, Kinematics& k) {
  const int count = static_cast<int>(twins.bodies.size());
  const int stride = k.twin_stride;
  const auto row_of = [&](int i, int lane) { return k.factor.data() + layout.row[twins.bodies[i].v[lane]]; };
  for (int i = 0; i < count; ++i) {
    const double *a = row_of(i, 0), *b = row_of(i, 1);
    Pair* row = k.twin_rows.data() + i * stride;
    for (int d = 0; d <= twins.bodies[i].depth; ++d) row[d] = Pair{a[d], b[d]};
  }
  for (int i = count - 1; i >= 0; --i) {
    const TwinBody& plan = twins.bodies[i];
    Pair* row = k.twin_rows.data() + i * stride;
    const Pair scale = Pair{1.0 / std::sqrt(row[plan.depth][0]), 1.0 / std::sqrt(row[plan.depth][1])};
    k.inverse_diagonal[plan.v[0]] = scale[0], k.inverse_diagonal[plan.v[1]] = scale[1];
    double *a = row_of(i, 0), *b = row_of(i, 1);
    for (int d = 0; d <= plan.depth; ++d) {
      const Pair x = row[d] * scale;
      row[d] = x, a[d] = x[0], b[d] = x[1];
    }
    for (int at = plan.above; at >= 0; at = twins.bodies[at].above) {
      const int depth = twins.bodies[at].depth;
      Pair* target = k.twin_rows.data() + at * stride;
      const Pair own = row[depth];
      for (int d = 0; d <= depth; ++d) target[d] -= own * row[d];
    }
  }
}

}  // namespace stiction
