// SPDX-License-Identifier: BSD-2-Clause
// Spatial vectors at the base origin as pairs (lin, ang), and packed symmetric 3×3 matrices (xx, xy, xz, yy, yz, zz).
//   V × S = (ω×s + v×w, ω×w)        V ×* F = (ω×f, ω×n + v×f)        I S = (m s + w×mc, mc×s + Īw)        [Featherstone08, ch. 2]
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>

namespace stiction {

inline Column operator+(const Column& a, const Column& b) { return {a.lin + b.lin, a.ang + b.ang}; }
inline Column operator-(const Column& a, const Column& b) { return {a.lin - b.lin, a.ang - b.ang}; }
inline Column operator*(const Column& a, double x) { return {a.lin * x, a.ang * x}; }
inline double dot(const Column& a, const Column& b) { return a.lin.dot(b.lin) + a.ang.dot(b.ang); }
inline Column zero_column() { return {Vec3::Zero(), Vec3::Zero()}; }

inline Column cross_motion(const Column& v, const Column& s) {
  return {v.ang.cross(s.lin) + v.lin.cross(s.ang), v.ang.cross(s.ang)};
}
inline Column cross_force(const Column& v, const Column& f) {
  return {v.ang.cross(f.lin), v.ang.cross(f.ang) + v.lin.cross(f.lin)};
}
// Value of a twist at a point.
inline Vec3 value_at(const Column& x, const Vec3& p) { return x.lin + x.ang.cross(p); }

inline Vec3 packed_times(const double* I, const Vec3& x) {
  return {I[0] * x.x() + I[1] * x.y() + I[2] * x.z(), I[1] * x.x() + I[3] * x.y() + I[4] * x.z(),
          I[2] * x.x() + I[4] * x.y() + I[5] * x.z()};
}
inline Column inertia_times(double mass, const Vec3& moment, const double* I, const Column& s) {
  return {mass * s.lin + s.ang.cross(moment), moment.cross(s.lin) + packed_times(I, s.ang)};
}
inline Mat3 unpacked(const double* I) {
  Mat3 out;
  out << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
  return out;
}
// R I Rᵀ, packed.
inline void rotate_packed(const Mat3& R, const double* I, double* out) {
  Mat3 T;  // R I
  for (int r = 0; r < 3; ++r) {
    T(r, 0) = R(r, 0) * I[0] + R(r, 1) * I[1] + R(r, 2) * I[2];
    T(r, 1) = R(r, 0) * I[1] + R(r, 1) * I[3] + R(r, 2) * I[4];
    T(r, 2) = R(r, 0) * I[2] + R(r, 1) * I[4] + R(r, 2) * I[5];
  }
  const auto entry = [&](int r, int c) { return T(r, 0) * R(c, 0) + T(r, 1) * R(c, 1) + T(r, 2) * R(c, 2); };
  out[0] = entry(0, 0), out[1] = entry(0, 1), out[2] = entry(0, 2);
  out[3] = entry(1, 1), out[4] = entry(1, 2), out[5] = entry(2, 2);
}
inline Mat3 skew(const Vec3& x) {
  Mat3 out;
  out << 0.0, -x.z(), x.y(), x.z(), 0.0, -x.x(), -x.y(), x.x(), 0.0;
  return out;
}

}  // namespace stiction
