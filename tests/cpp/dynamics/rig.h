// SPDX-License-Identifier: BSD-2-Clause
// A world with its kernels and differences in the tangent of q, for tests of derivatives.
#pragma once

#include <stiction/dynamics/derivatives/derivatives.h>
#include <stiction/dynamics/kernels/integrate.h>
#include <stiction/dynamics/kernels/queries.h>

namespace stiction::test {

using RowMat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Rig {
  explicit Rig(const World& w) : world(w), layout(w) {
    k.resize(world, layout);
    data.resize(world);
    acceleration.resize(world);
  }
  const World& world;
  Layout layout;
  Kinematics k;
  DerivativeData data;
  AccelerationData acceleration;

  void place(const Vec& q, const Vec& v) { fused_pass(world, layout, q.data(), v.data(), Purpose::step, k); }
  Vec moved(Vec q, const Vec& dq) {
    Vec step = dq;
    integrate(layout, 1.0, q.data(), step.data());
    return q;
  }
  // A point fixed to a body, and its velocity and classical acceleration with joint accelerations a, all in world axes.
  Vec3 point(const Vec& q, const Vec& v, int body, const Vec3& local) {
    place(q, v);
    return k.pose(layout, body) * local;
  }
  Mat jacobian(const Vec& q, const Vec& v, int body, const Vec3& local) {
    const Vec3 p = point(q, v, body, local);
    return point_jacobian(world, layout, k, body, p).topRows(3);
  }
  // J̇v = d/dt (J v) along q̇ = v with the velocities of a floating base carried in world axes.
  Vec3 drift(const Vec& q, const Vec& v, int body, const Vec3& local) {
    const double e = 1e-5;
    const auto value = [&](double t) {
      Vec q1 = q, v1 = v;
      for (double& x : v1) x *= t;
      integrate(layout, 1.0, q1.data(), v1.data());
      for (double& x : v1) x /= t;
      return Vec3(jacobian(q1, v1, body, local) * v1);
    };
    return (value(e) - value(-e)) / (2 * e);
  }
};

// Small motion that takes q to `to`, in the axes at q, joint by joint.
inline Vec tangent_between(const Layout& layout, const Vec& q, const Vec& to) {
  const auto turn = [](const double* a, const double* b) {
    const Quat d = Eigen::Map<const Quat>(a).conjugate() * Eigen::Map<const Quat>(b);
    return Vec3((d.w() < 0.0 ? -2.0 : 2.0) * d.vec());
  };
  Vec out(static_cast<Eigen::Index>(layout.depth.size()));
  for (const BodyPlan& plan : layout.bodies) {
    const double *a = q.data() + plan.q, *b = to.data() + plan.q;
    double* d = out.data() + plan.v;
    switch (plan.code) {
      case JointCode::root_free:
      case JointCode::free:
        Eigen::Map<Vec3>{d} =
            Eigen::Map<const Quat>(a + 3).conjugate() * Vec3(Eigen::Map<const Vec3>(b) - Eigen::Map<const Vec3>(a));
        Eigen::Map<Vec3>{d + 3} = turn(a + 3, b + 3);
        break;
      case JointCode::spherical:
        Eigen::Map<Vec3>{d} = turn(a, b);
        break;
      case JointCode::planar: {
        const double x = b[0] - a[0], y = b[1] - a[1];
        d[0] = a[2] * x + a[3] * y, d[1] = a[2] * y - a[3] * x, d[2] = a[2] * b[3] - a[3] * b[2];
        break;
      }
      default:
        for (int i = 0; i < plan.nv; ++i) d[i] = plan.continuous ? a[0] * b[1] - a[1] * b[0] : b[i] - a[i];
    }
  }
  return out;
}

// d/dq (d/dv) of a vector function by central differences, in the tangent of q.
template <class F>
inline RowMat difference(int nv, F&& f, double e = 1e-5) {
  RowMat out;
  for (int j = 0; j < nv; ++j) {
    const Vec d = e * Vec::Unit(nv, j);
    const Vec plus = f(d), minus = f(Vec(-d));
    if (out.size() == 0) out.resize(plus.size(), nv);
    out.col(j) = (plus - minus) / (2 * e);
  }
  return out;
}

inline double relative(const Mat& found, const Mat& wanted) { return (found - wanted).norm() / (1.0 + wanted.norm()); }

}  // namespace stiction::test
