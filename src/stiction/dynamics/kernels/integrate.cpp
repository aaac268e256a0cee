// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/integrate.h>

#include <cmath>

namespace stiction {
namespace {

constexpr double kLastBit = 2.220446049250313e-16;  // 2⁻⁵²

constexpr double kSmall = 0.0625;  // of x²: up to here the series are exact to the last bit or two

template <class T>
struct Turn {
  T sine_over_angle;  // sin(x)/x
  T cosine;
};

// sin(x)/x and cos(x) from y = x² ≤ kSmall: series to terms below 1e-17.
template <class T>
inline Turn<T> small_turn(T y) {
  const T s =
      1.0 + y * (-1.0 / 6.0 + y * (1.0 / 120.0 + y * (-1.0 / 5040.0 + y * (1.0 / 362880.0 + y * (-1.0 / 39916800.0)))));
  const T c =
      1.0 + y * (-1.0 / 2.0 +
                 y * (1.0 / 24.0 +
                      y * (-1.0 / 720.0 + y * (1.0 / 40320.0 + y * (-1.0 / 3628800.0 + y * (1.0 / 479001600.0))))));
  return {s, c};
}

// The same for any y.
Turn<double> turn_of(double y) {
  if (y < kLastBit) return {1.0, 1.0 - y / 2.0};  // all but the first terms of the series are lost in 1
  if (y < kSmall) return small_turn(y);
  const double x = std::sqrt(y);
  const SinCos turn = sin_cos(both(x));
  return {turn.s[0] / x, turn.c[0]};
}

// q ← q ⊗ exp(½ dt ω), normalised.
void rotate(double* q, const Vec3& turn) {
  const Turn<double> half = turn_of(0.25 * turn.squaredNorm());
  const Vec3 xyz = (0.5 * half.sine_over_angle) * turn;
  const Quat step(half.cosine, xyz.x(), xyz.y(), xyz.z());
  Eigen::Map<Quat> rotation(q);
  rotation = (rotation * step).normalized();
}

// exp(turn)ᵀ x: Rodrigues with the opposite angle.
Vec3 rotate_back(const Vec3& turn, const Vec3& x) {
  const double y = turn.squaredNorm();
  const Turn<double> full = turn_of(y), half = turn_of(0.25 * y);
  const double versine = 0.5 * half.sine_over_angle * half.sine_over_angle;  // (1 − cos θ)/θ²
  const Vec3 cross = turn.cross(x);
  return x - full.sine_over_angle * cross + versine * turn.cross(cross);
}

// (c, s) turned on, with one Newton step towards unit length.
template <class T>
inline void turn_on(const Turn<T>& t, T angle, T& c, T& s) {
  const T sine = t.sine_over_angle * angle;
  const T c1 = c * t.cosine - s * sine, s1 = s * t.cosine + c * sine;
  const T fix = 1.5 - 0.5 * (c1 * c1 + s1 * s1);
  c = c1 * fix, s = s1 * fix;
}

void turn_pair(double* cs, double angle) { turn_on(turn_of(angle * angle), angle, cs[0], cs[1]); }

// Two joints side by side, if both turn little.
bool turn_pairs(double* a, double* b, Pair angle) {
  const Pair y = angle * angle;
  if (!(y[0] < kSmall && y[1] < kSmall)) return false;
  Pair c = Pair{a[0], b[0]}, s = Pair{a[1], b[1]};
  turn_on(small_turn(y), angle, c, s);
  a[0] = c[0], a[1] = s[0], b[0] = c[1], b[1] = s[1];
  return true;
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
  const std::size_t count = layout.bodies.size();
  for (std::size_t body = 0; body < count; ++body) {
    const BodyPlan& plan = layout.bodies[body];
    if (plan.continuous && body + 1 < count && layout.bodies[body + 1].continuous) {
      const BodyPlan& next = layout.bodies[body + 1];
      if (turn_pairs(q + plan.q, q + next.q, both(dt) * Pair{mean[plan.v], mean[next.v]})) {
        ++body;
        continue;
      }
    }
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
