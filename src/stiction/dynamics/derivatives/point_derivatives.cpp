// SPDX-License-Identifier: BSD-2-Clause
// Points fixed to bodies: equations (3) and (4) of derivatives.h, along given axes.
#include <stiction/dynamics/derivatives/derivatives.h>
#include <stiction/dynamics/kernels/motion.h>

namespace stiction {
namespace {

// The point and the axes in the base frame.
struct LocalPoint {
  const BodyPlan& plan;
  const int* chain;
  int first;  // chain entries before it are a floating base's
  Vec3 p;
  Mat3 axes;
};

LocalPoint local_point(const Layout& layout, const Kinematics& k, const PointRows& rows) {
  const BodyPlan& plan = layout.bodies[rows.body];
  const Pose& base = k.base[plan.tree];
  return {plan, layout.chain.data() + plan.chain, plan.floating ? 6 : 0,
          base.rotation.transpose() * (rows.point - base.translation), rows.sign * (rows.axes * base.rotation)};
}

void add_entry(const Vec3& x, int stride, double* out) { out[0] += x[0], out[stride] += x[1], out[2 * stride] += x[2]; }

// Three columns at once: rows of A·M.
void add_block(const Mat3& M, int stride, double* out) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) out[r * stride + c] += M(r, c);
}

// One matrix per lane.
inline void add_lanes(double x, std::ptrdiff_t i, double* first, double*) { first[i] += x; }
inline void add_lanes(const Pair& x, std::ptrdiff_t i, double* first, double* second) {
  first[i] += x[0], second[i] += x[1];
}

}  // namespace

void add_point_motion(const Layout& layout, const Kinematics& k, const DerivativeData& data, const PointRows& rows,
                      int stride, double* J, double* u_dq, double* pi_dv) {
  if (rows.body == kWorldBody) return;
  const LocalPoint at_point = local_point(layout, k, rows);
  const Vec3& p = at_point.p;
  const Vec3 u = value_at(data.bodies[rows.body].velocity, p);  // the base origin at rest
  const Mat3& A = at_point.axes;
  if (at_point.first != 0) {
    const int v = at_point.chain[0];
    const BodyData& body = k.bodies[rows.body];
    add_block(A, stride, J + v);
    add_block(-(A * skew(p)), stride, J + v + 3);
    add_block(-(A * skew(body.v + body.w.cross(p))), stride, u_dq + v + 3);
    // Φ(p) + 2 e × u = (ω × e) × p + 2 e × u
    const Vec3& w = data.spin[at_point.plan.tree];
    add_block(-(A * (skew(p) * skew(w) + 2.0 * skew(u))), stride, pi_dv + v + 3);
  }
  for (int d = at_point.first; d < at_point.plan.length; ++d) {
    const int j = at_point.chain[d];
    const Column& s = k.columns[j];
    const VelocityTangent& x = data.velocities[j];
    const Vec3 turning = s.ang.cross(u);
    add_entry(A * value_at(s, p), stride, J + j);
    add_entry(A * (turning + value_at(x.psi_dot, p)), stride, u_dq + j);
    add_entry(A * (2.0 * turning + value_at(x.phi, p)), stride, pi_dv + j);
  }
}

template <class T>
void add_point_acceleration(const Layout& layout, const Kinematics& k, const DerivativeData& data,
                            const Accelerations<T>& a, const PointRows& rows, int stride, double* pi_dq,
                            double* second_dq) {
  if (rows.body == kWorldBody) return;
  const LocalPoint at_point = local_point(layout, k, rows);
  const Vec3& p = at_point.p;
  const Mat3& axes = at_point.axes;
  const Column& V = data.bodies[rows.body].velocity;
  const Vec3 u = value_at(V, p);
  const T bias = first_lane<T>(a.with_bias ? 1.0 : 0.0);
  // π minus gravity, which ψ̈ knows as well
  const Triple<T> pi = value_at(a.bodies[rows.body], p) + times(Vec3(V.ang.cross(u)), bias);
  const auto add_column = [&](int j, const Triple<T>& x) {
    const Triple<T> y = product(axes, x);
    add_lanes(y.x, j, pi_dq, second_dq), add_lanes(y.y, j + stride, pi_dq, second_dq);
    add_lanes(y.z, j + 2 * stride, pi_dq, second_dq);
  };
  if (at_point.first != 0) {  // ψ̈ takes gravity out again
    const int v = at_point.chain[0];
    for (int i = 0; i < 3; ++i) {
      const Vec3 axis = Vec3::Unit(i);
      add_column(v + 3 + i, cross(axis, pi) + a.psi[v + 3 + i].lin);
    }
  }
  for (int d = at_point.first; d < at_point.plan.length; ++d) {
    const int j = at_point.chain[d];
    const Vec3 turning = 2.0 * data.velocities[j].psi_dot.ang.cross(u);
    add_column(j, cross(k.columns[j].ang, pi) + value_at(a.psi[j], p) + times(turning, bias));
  }
}

template void add_point_acceleration(const Layout&, const Kinematics&, const DerivativeData&, const AccelerationData&,
                                     const PointRows&, int, double*, double*);
template void add_point_acceleration(const Layout&, const Kinematics&, const DerivativeData&, const AccelerationPair&,
                                     const PointRows&, int, double*, double*);

}  // namespace stiction
