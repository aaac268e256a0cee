// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/free_rotation.h>
#include <stiction/dynamics/kernels/motion.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kTurn = 0.25;       // of one part [rad]
constexpr int kParts = 4000;         // of a step at the most
constexpr double kStill = 1e-9;      // less is not turning [rad]
constexpr int kNewton = 12;          // iterations of (1)
constexpr double kRoundOff = 1e-15;  // relative change that ends them

Mat3 cross_matrix(const Vec3& x) {
  Mat3 m;
  m << 0.0, -x.z(), x.y(), x.z(), 0.0, -x.x(), -x.y(), x.x(), 0.0;
  return m;
}

// (1) over h. False if Newton's method does not get there.
bool midpoint(const Mat3& I, double h, const Vec3& w, Vec3& end) {
  end = w;
  for (int i = 0; i < kNewton; ++i) {
    const Vec3 m = 0.5 * (w + end), L = I * m;
    const Vec3 residual = I * (end - w) + h * m.cross(L);
    const Mat3 slope = I + 0.5 * h * (cross_matrix(m) * I - cross_matrix(L));
    const Vec3 change = slope.inverse() * residual;
    end -= change;
    if (change.norm() <= kRoundOff * end.norm()) return true;
    if (!end.allFinite()) return false;
  }
  return (end - w).norm() <= 2.0 * kTurn * w.norm();  // the last digits flicker
}

// (2) of one part from w to end.
void add_part_tangent(const Mat3& I, double h, const Vec3& w, const Vec3& end, FreeRotationTangent& tangent) {
  const Vec3 m = 0.5 * (w + end), c = 0.5 * h * m;
  const Mat3 K = 0.5 * h * (cross_matrix(m) * I - cross_matrix(I * m));
  const Mat3 step = (I + K).inverse() * (I - K), C = cross_matrix(c);
  const double square = c.squaredNorm();
  const Mat3 back = Mat3::Identity() - 2.0 / (1.0 + square) * (C - C * C);  // Cayley's map of −c
  const Mat3 by_c = 2.0 / (1.0 + square) * (Mat3::Identity() - C);
  const Mat3 middle = 0.25 * h * (Mat3::Identity() + step) * tangent.rate;
  tangent.turn = back * tangent.turn + by_c * middle;
  tangent.rate = step * tangent.rate;
}

}  // namespace

FreeRotation free_rotation(const Mat3& I, const Vec3& rate, double dt, FreeRotationTangent* tangent) {
  FreeRotation out{rate, Quat::Identity()};
  if (tangent != nullptr) *tangent = {Mat3::Identity(), Mat3::Zero()};
  const double angle = dt * rate.norm();
  if (!std::isfinite(angle)) return out;
  const int parts = static_cast<int>(std::clamp(std::ceil(angle / kTurn), 1.0, static_cast<double>(kParts)));
  const double h = dt / parts;
  for (int i = 0; i < parts; ++i) {
    Vec3 end;
    if (!midpoint(I, h, out.rate, end)) end = out.rate;
    if (tangent != nullptr) add_part_tangent(I, h, out.rate, end, *tangent);
    const Vec3 half = 0.25 * h * (out.rate + end);  // h ω_m / 2
    out.turn = out.turn * Quat(1.0, half.x(), half.y(), half.z());
    out.turn.normalize();
    out.rate = end;
  }
  return out;
}

bool free_moment(const BodyPlan& plan, const Mat3& axes, const Vec3& rate, double dt, double* moment,
                 FreeRotation& motion) {
  const double* I = plan.inertia;
  const bool equal = I[1] == 0.0 && I[2] == 0.0 && I[4] == 0.0 && I[0] == I[3] && I[0] == I[5];
  Eigen::Map<Vec3> n(moment);
  if (equal || n.isZero(0.0) || !(dt * rate.norm() > kStill)) return false;
  const Mat3 inertia = unpacked(I);
  motion = free_rotation(inertia, axes * rate, dt);
  n = inertia * (rate - axes.transpose() * motion.rate) / dt;
  return true;
}

Vec3 rotation_vector(const Quat& turn) {
  const double sine = turn.vec().norm();
  if (sine == 0.0) return Vec3::Zero();
  const double sign = turn.w() < 0.0 ? -1.0 : 1.0;
  return (sign * 2.0 * std::atan2(sine, std::abs(turn.w())) / sine) * turn.vec();
}

Mat3 inverse_right_jacobian(const Vec3& x) {
  const double square = x.squaredNorm(), angle = std::sqrt(square);
  const double c = angle < 1e-3 ? 1.0 / 12.0 + square / 720.0 : (1.0 - 0.5 * angle / std::tan(0.5 * angle)) / square;
  const Mat3 X = cross_matrix(x);
  return Mat3::Identity() + 0.5 * X + c * (X * X);
}

}  // namespace stiction
