// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/integrate.h>

#include <cmath>

namespace stiction {
namespace {

constexpr double kLastBit = 2.220446049250313e-16;  // 2⁻⁵²

struct Turn {
  double sine_over_angle;  // sin(x)/x
  double cosine;
};

// sin(x)/x and cos(x) from y = x². Below x = 0.25 the series are exact to the last bit or two and need no libm call.
Turn turn_of(double y) {
  if (y < kLastBit) return {1.0, 1.0 - y / 2.0};  // all but the first terms of the series are lost in 1
  if (y < 0.0625) {
    const double s = 1.0 - y / 6.0 * (1.0 - y / 20.0 * (1.0 - y / 42.0 * (1.0 - y / 72.0 * (1.0 - y / 110.0))));
    const double c =
        1.0 - y / 2.0 * (1.0 - y / 12.0 * (1.0 - y / 30.0 * (1.0 - y / 56.0 * (1.0 - y / 90.0 * (1.0 - y / 132.0)))));
    return {s, c};
  }
  const double x = std::sqrt(y);
  return {std::sin(x) / x, std::cos(x)};
}

// q ← q ⊗ exp(½ dt ω), normalised.
void rotate(double* q, const Vec3& turn) {
  const Turn half = turn_of(0.25 * turn.squaredNorm());
  const Vec3 xyz = (0.5 * half.sine_over_angle) * turn;
  const Quat step(half.cosine, xyz.x(), xyz.y(), xyz.z());
  Eigen::Map<Quat> rotation(q);
  rotation = (rotation * step).normalized();
}

// exp(turn)ᵀ x: Rodrigues with the opposite angle.
Vec3 rotate_back(const Vec3& turn, const Vec3& x) {
  const double y = turn.squaredNorm();
  const Turn full = turn_of(y), half = turn_of(0.25 * y);
  const double versine = 0.5 * half.sine_over_angle * half.sine_over_angle;  // (1 − cos θ)/θ²
  const Vec3 cross = turn.cross(x);
  return x - full.sine_over_angle * cross + versine * turn.cross(cross);
}

void turn_pair(double* cs, double angle) {
  const Turn t = turn_of(angle * angle);
  const double s = t.sine_over_angle * angle;
  const double c1 = cs[0] * t.cosine - cs[1] * s, s1 = cs[1] * t.cosine + cs[0] * s;
  const double fix = 1.5 - 0.5 * (c1 * c1 + s1 * s1);  // one Newton step towards unit length
  cs[0] = c1 * fix, cs[1] = s1 * fix;
}

void integrate_free(const BodyPlan& plan, double dt, const double* mean, double* q, double* v) {
  Eigen::Map<Vec3> position(q + plan.q), linear(v + plan.v);
  const Vec3 turn = dt * Eigen::Map<const Vec3>(mean + plan.v + 3);
  position += Eigen::Map<const Quat>(q + plan.q + 3)._transformVector(Vec3(dt * Eigen::Map<const Vec3>(mean + plan.v)));
  if (turn == Vec3::Zero()) return;  // nothing turns: balls without friction
  rotate(q + plan.q + 3, turn);
  if (plan.code == JointCode::root_free) linear = rotate_back(turn, linear);
}

void integrate_planar(const BodyPlan& plan, double dt, double* q, const double* v) {
  const double c = q[plan.q + 2], s = q[plan.q + 3];
  q[plan.q] += dt * (c * v[plan.v] - s * v[plan.v + 1]);
  q[plan.q + 1] += dt * (s * v[plan.v] + c * v[plan.v + 1]);
  turn_pair(q + plan.q + 2, dt * v[plan.v + 2]);
}

// dexp⁻¹(Θ) ω. Below θ = 0.25 the series of c is exact to the last bit or two.
Vec3 turn_rate(const Vec3& turn, const Vec3& w) {
  const double y = turn.squaredNorm();
  double c = 0.0;
  if (y < 0.0625) {
    c = 1.0 / 12.0 + y * (1.0 / 720.0 + y * (1.0 / 30240.0 + y * (1.0 / 1209600.0 + y / 47900160.0)));
  } else {
    const double half = 0.5 * std::sqrt(y);
    c = (1.0 - half / std::tan(half)) / y;
  }
  const Vec3 cross = turn.cross(w);
  return w + 0.5 * cross + c * turn.cross(cross);
}

}  // namespace

void integrate(const Layout& layout, double dt, double* q, double* v) { advance(layout, dt, v, q, v); }

void advance(const Layout& layout, double dt, const double* mean, double* q, double* v) {
  for (const BodyPlan& plan : layout.bodies) {
    switch (plan.code) {
      case JointCode::root_free:
      case JointCode::free:
        integrate_free(plan, dt, mean, q, v);
        break;
      case JointCode::spherical:
        rotate(q + plan.q, dt * Eigen::Map<const Vec3>(mean + plan.v));
        break;
      case JointCode::translation:
        for (int i = 0; i < 3; ++i) q[plan.q + i] += dt * mean[plan.v + i];
        break;
      case JointCode::planar:
        integrate_planar(plan, dt, q, mean);
        break;
      default:
        if (plan.continuous)
          turn_pair(q + plan.q, dt * mean[plan.v]);
        else
          q[plan.q] += dt * mean[plan.v];
    }
  }
}

void coordinate_rates(const Layout& layout, double dt, const double* mean, double* v) {
  for (const BodyPlan& plan : layout.bodies) {
    const bool free = plan.code == JointCode::root_free || plan.code == JointCode::free;
    if (free || plan.code == JointCode::spherical) {
      const int w = plan.v + (free ? 3 : 0);
      Eigen::Map<Vec3> rate(v + w);
      const Vec3 turn = dt * Eigen::Map<const Vec3>(mean + w);
      rate = turn_rate(turn, Vec3(rate));
      if (plan.code == JointCode::free) {  // in the axes of the body, unlike a base
        Eigen::Map<Vec3> linear(v + plan.v);
        linear = rotate_back(-turn, Vec3(linear));
      }
    } else if (plan.code == JointCode::planar) {  // the plane's axes at the start
      const double angle = dt * mean[plan.v + 2], c = std::cos(angle), s = std::sin(angle);
      const double x = v[plan.v], y = v[plan.v + 1];
      v[plan.v] = c * x - s * y, v[plan.v + 1] = s * x + c * y;
    }
  }
}

}  // namespace stiction
