// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/derivatives/integrate_derivatives.h>
#include <stiction/dynamics/kernels/motion.h>

#include <cmath>

namespace stiction {
namespace {

struct Turn {
  Mat3 back;      // exp(φ)ᵀ
  Mat3 jacobian;  // J_r(φ)
};

Turn turn_of(const Vec3& phi) {
  const double y = phi.squaredNorm();
  double s, c, d;  // sin θ/θ, (1 − cos θ)/θ², (θ − sin θ)/θ³
  if (y < 1e-2) {
    s = 1.0 - y / 6.0 * (1.0 - y / 20.0 * (1.0 - y / 42.0 * (1.0 - y / 72.0)));
    c = 0.5 * (1.0 - y / 12.0 * (1.0 - y / 30.0 * (1.0 - y / 56.0 * (1.0 - y / 90.0))));
    d = 1.0 / 6.0 * (1.0 - y / 20.0 * (1.0 - y / 42.0 * (1.0 - y / 72.0 * (1.0 - y / 110.0))));
  } else {
    const double x = std::sqrt(y);
    s = std::sin(x) / x, c = (1.0 - std::cos(x)) / y, d = (1.0 - s) / y;
  }
  const Mat3 K = skew(phi), K2 = phi * phi.transpose() - y * Mat3::Identity();
  return {Mat3::Identity() - s * K + c * K2, Mat3::Identity() - c * K + d * K2};
}

// Three rows.
struct Rows {
  const double* first;
  int stride;
};

// out (three rows) += T · in
void add_turned(const Mat3& T, const Rows& in, int columns, int stride, double* out) {
  const double* __restrict x = in.first, * __restrict y = x + in.stride, * __restrict z = y + in.stride;
  for (int r = 0; r < 3; ++r) {
    const double a = T(r, 0), b = T(r, 1), c = T(r, 2);
    double* __restrict to = out + r * stride;
    for (int j = 0; j < columns; ++j) to[j] += a * x[j] + b * y[j] + c * z[j];
  }
}

// dv ← back · dv + spin · turning
void turn_velocity(const Mat3& back, const Mat3& spin, const Rows& turning, int columns, int stride, double* dv) {
  const double* __restrict x = turning.first, * __restrict y = x + turning.stride, * __restrict z = y + turning.stride;
  double* __restrict u = dv, * __restrict v = u + stride, * __restrict w = v + stride;
  for (int j = 0; j < columns; ++j) {
    const double a = u[j], b = v[j], c = w[j];
    u[j] =
        back(0, 0) * a + back(0, 1) * b + back(0, 2) * c + (spin(0, 0) * x[j] + spin(0, 1) * y[j] + spin(0, 2) * z[j]);
    v[j] =
        back(1, 0) * a + back(1, 1) * b + back(1, 2) * c + (spin(1, 0) * x[j] + spin(1, 1) * y[j] + spin(1, 2) * z[j]);
    w[j] =
        back(2, 0) * a + back(2, 1) * b + back(2, 2) * c + (spin(2, 0) * x[j] + spin(2, 1) * y[j] + spin(2, 2) * z[j]);
  }
}

Mat3 plane_turn(double angle) {  // of (x, y), and 1 for the angle
  const double c = std::cos(angle), s = std::sin(angle);
  Mat3 R;
  R << c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0;
  return R;
}

}  // namespace

void advance_derivative(const Layout& layout, double dt, const double* mean, const double* v, int columns,
                        int mean_stride, const double* dmean, int stride, double* dv, double* dq) {
  for (const BodyPlan& plan : layout.bodies) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(plan.v) * stride, angular = row + 3 * stride;
    const Rows first{dmean + static_cast<std::ptrdiff_t>(plan.v) * mean_stride, mean_stride};
    switch (plan.code) {
      case JointCode::root_free:
      case JointCode::free: {
        const Turn turn = turn_of(dt * Eigen::Map<const Vec3>(mean + plan.v + 3));
        const Rows second{first.first + 3 * mean_stride, mean_stride};
        add_turned(dt * turn.back, first, columns, stride, dq + row);
        add_turned(dt * turn.jacobian, second, columns, stride, dq + angular);
        if (plan.code == JointCode::root_free)
          turn_velocity(turn.back, skew(Eigen::Map<const Vec3>(v + plan.v)) * (dt * turn.jacobian), second, columns,
                        stride, dv + row);
        break;
      }
      case JointCode::spherical:
        add_turned(dt * turn_of(dt * Eigen::Map<const Vec3>(mean + plan.v)).jacobian, first, columns, stride, dq + row);
        break;
      case JointCode::planar:
        add_turned(dt * plane_turn(dt * mean[plan.v + 2]), first, columns, stride, dq + row);
        break;
      default:
        for (int i = 0; i < plan.nv; ++i) {
          const double* from = first.first + i * mean_stride;
          double* to = dq + row + i * stride;
          for (int j = 0; j < columns; ++j) to[j] += dt * from[j];
        }
    }
  }
}

void add_transport(const Layout& layout, double dt, const double* mean, int stride, double* dq) {
  const auto add = [&](int row, int column, const Mat3& block) {
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) dq[static_cast<std::ptrdiff_t>(row + r) * stride + column + c] += block(r, c);
  };
  for (const BodyPlan& plan : layout.bodies) {
    const int v = plan.v;
    switch (plan.code) {
      case JointCode::root_free:
      case JointCode::free: {
        const Mat3 back = turn_of(dt * Eigen::Map<const Vec3>(mean + v + 3)).back;
        add(v, v, back);
        add(v, v + 3, -(back * skew(dt * Eigen::Map<const Vec3>(mean + v))));
        add(v + 3, v + 3, back);
        break;
      }
      case JointCode::spherical:
        add(v, v, turn_of(dt * Eigen::Map<const Vec3>(mean + v)).back);
        break;
      case JointCode::planar: {
        Mat3 start = Mat3::Identity();  // a turn δ moves the displacement dt m by δ ẑ × dt m
        start(0, 2) = -dt * mean[v + 1], start(1, 2) = dt * mean[v];
        add(v, v, plane_turn(dt * mean[v + 2]) * start);
        break;
      }
      default:
        for (int i = v; i < v + plan.nv; ++i) dq[static_cast<std::ptrdiff_t>(i) * stride + i] += 1.0;
    }
  }
}

}  // namespace stiction
