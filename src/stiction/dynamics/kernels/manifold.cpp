// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/manifold.h>

#include <cmath>

namespace stiction {
namespace {

// sin(t)/t, (1 − cos t)/t², (t − sin t)/t³ and the factor of ω̂² in V⁻¹, from y = t²; series where the quotients cancel.
struct TurnTerms {
  double sine, versine, rest, inverse;
};

TurnTerms turn_terms(double y) {
  if (y < 1e-2) {
    const double sine = 1.0 - y / 6.0 * (1.0 - y / 20.0 * (1.0 - y / 42.0 * (1.0 - y / 72.0)));
    const double versine = 0.5 * (1.0 - y / 12.0 * (1.0 - y / 30.0 * (1.0 - y / 56.0 * (1.0 - y / 90.0))));
    const double rest = (1.0 - y / 20.0 * (1.0 - y / 42.0 * (1.0 - y / 72.0 * (1.0 - y / 110.0)))) / 6.0;
    const double inverse = (1.0 + y / 60.0 * (1.0 + y / 42.0 * (1.0 + y / 40.0))) / 12.0;
    return {sine, versine, rest, inverse};
  }
  const double t = std::sqrt(y), s = std::sin(t), half = std::sin(0.5 * t);
  const double one_minus_cosine = 2.0 * half * half;
  return {s / t, one_minus_cosine / y, (t - s) / (y * t), 1.0 / y - s / (2.0 * t * one_minus_cosine)};
}

Quat exp3(const Vec3& w) {
  const double y = 0.25 * w.squaredNorm();
  const Vec3 xyz = (0.5 * turn_terms(y).sine) * w;
  return Quat(std::cos(std::sqrt(y)), xyz.x(), xyz.y(), xyz.z());
}

Vec3 log3(const Quat& unit) {
  const double sign = unit.w() < 0.0 ? -1.0 : 1.0, length = unit.vec().norm();
  if (length < 1e-12) return 2.0 * sign * unit.vec();
  return (2.0 * sign * std::atan2(length, sign * unit.w()) / length) * unit.vec();
}

Vec3 bent(const TurnTerms& t, const Vec3& w, const Vec3& x) {  // V x
  const Vec3 wx = w.cross(x);
  return x + t.versine * wx + t.rest * w.cross(wx);
}

Vec3 straightened(const TurnTerms& t, const Vec3& w, const Vec3& x) {  // V⁻¹ x
  const Vec3 wx = w.cross(x);
  return x - 0.5 * wx + t.inverse * w.cross(wx);
}

Quat unit_quaternion(const double* q) { return Eigen::Map<const Quat>(q).normalized(); }

void add_free(const double* q, const double* d, double* out) {
  const Vec3 linear = Eigen::Map<const Vec3>(d), w = Eigen::Map<const Vec3>(d + 3);
  const Quat R = unit_quaternion(q + 3);
  const Vec3 moved = R._transformVector(bent(turn_terms(w.squaredNorm()), w, linear));
  Eigen::Map<Vec3>{out} = Eigen::Map<const Vec3>(q) + moved;
  Eigen::Map<Quat>{out + 3} = (R * exp3(w)).normalized();
}

void between_free(const double* q0, const double* q1, double* out) {
  const Quat R = unit_quaternion(q0 + 3);
  const Vec3 w = log3(R.conjugate() * unit_quaternion(q1 + 3));
  const Vec3 apart = R.conjugate()._transformVector(Vec3(Eigen::Map<const Vec3>(q1) - Eigen::Map<const Vec3>(q0)));
  Eigen::Map<Vec3>{out} = straightened(turn_terms(w.squaredNorm()), w, apart);
  Eigen::Map<Vec3>{out + 3} = w;
}

void turn_pair(const double* cs, double angle, double* out) {
  const double c = std::cos(angle), s = std::sin(angle), length = std::hypot(cs[0], cs[1]);
  const double c1 = (cs[0] * c - cs[1] * s) / length, s1 = (cs[1] * c + cs[0] * s) / length;
  out[0] = c1, out[1] = s1;
}

double angle_between(const double* cs0, const double* cs1) {
  return std::atan2(cs0[0] * cs1[1] - cs0[1] * cs1[0], cs0[0] * cs1[0] + cs0[1] * cs1[1]);
}

Vec3 in_plane(double x, double y) { return {x, y, 0.0}; }

void add_planar(const double* q, const double* d, double* out) {
  const Vec3 moved = bent(turn_terms(d[2] * d[2]), Vec3::UnitZ() * d[2], in_plane(d[0], d[1]));
  const double c = q[2], s = q[3];
  out[0] = q[0] + c * moved.x() - s * moved.y(), out[1] = q[1] + s * moved.x() + c * moved.y();
  turn_pair(q + 2, d[2], out + 2);
}

void between_planar(const double* q0, const double* q1, double* out) {
  const double c = q0[2], s = q0[3], x = q1[0] - q0[0], y = q1[1] - q0[1], angle = angle_between(q0 + 2, q1 + 2);
  const Vec3 apart = in_plane(c * x + s * y, c * y - s * x);
  Eigen::Map<Vec3>{out} = straightened(turn_terms(angle * angle), Vec3::UnitZ() * angle, apart);
  out[2] = angle;
}

}  // namespace

void add_tangent(const Layout& layout, const VecRef& q, const VecRef& d, VecOut out) {
  for (const BodyPlan& plan : layout.bodies) {
    const double *from = q.data() + plan.q, *by = d.data() + plan.v;
    double* to = out.data() + plan.q;
    switch (plan.code) {
      case JointCode::root_free:
      case JointCode::free:
        add_free(from, by, to);
        break;
      case JointCode::spherical:
        Eigen::Map<Quat>{to} = (unit_quaternion(from) * exp3(Eigen::Map<const Vec3>(by))).normalized();
        break;
      case JointCode::translation:
        for (int i = 0; i < 3; ++i) to[i] = from[i] + by[i];
        break;
      case JointCode::planar:
        add_planar(from, by, to);
        break;
      default:
        if (plan.continuous)
          turn_pair(from, by[0], to);
        else
          to[0] = from[0] + by[0];
    }
  }
}

void tangent_between(const Layout& layout, const VecRef& q0, const VecRef& q1, VecOut out) {
  for (const BodyPlan& plan : layout.bodies) {
    const double *from = q0.data() + plan.q, *to = q1.data() + plan.q;
    double* d = out.data() + plan.v;
    switch (plan.code) {
      case JointCode::root_free:
      case JointCode::free:
        between_free(from, to, d);
        break;
      case JointCode::spherical:
        Eigen::Map<Vec3>{d} = log3(unit_quaternion(from).conjugate() * unit_quaternion(to));
        break;
      case JointCode::translation:
        for (int i = 0; i < 3; ++i) d[i] = to[i] - from[i];
        break;
      case JointCode::planar:
        between_planar(from, to, d);
        break;
      default:
        d[0] = plan.continuous ? angle_between(from, to) : to[0] - from[0];
    }
  }
}

}  // namespace stiction
