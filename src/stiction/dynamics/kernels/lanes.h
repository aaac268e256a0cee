// SPDX-License-Identifier: BSD-2-Clause
// Spatial vectors of numbers T: double, or Pair for two of them side by side. What is common to both lanes (columns, inertias)
// stays double, so that two evaluations cost little more than one.
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>
#include <stiction/dynamics/kernels/triple.h>

namespace stiction {

template <class T>
struct Twist {
  Triple<T> lin, ang;

  Twist& operator+=(const Twist& b) {
    lin += b.lin, ang += b.ang;
    return *this;
  }
};

template <class T>
inline Twist<T> operator+(const Twist<T>& a, const Twist<T>& b) {
  return {a.lin + b.lin, a.ang + b.ang};
}
// The same vector times a number per lane.
template <class T>
inline Triple<T> times(const Vec3& a, const T& s) {
  return {a[0] * s, a[1] * s, a[2] * s};
}
template <class T>
inline Twist<T> times(const Column& a, const T& s) {
  return {times(a.lin, s), times(a.ang, s)};
}
inline Triple<Pair> scaled(double s, const Triple<Pair>& a) { return {s * a.x, s * a.y, s * a.z}; }
template <class T>
inline Triple<T> cross(const Vec3& a, const Triple<T>& b) {
  return {a[1] * b.z - a[2] * b.y, a[2] * b.x - a[0] * b.z, a[0] * b.y - a[1] * b.x};
}
template <class T>
inline Triple<T> cross(const Triple<T>& a, const Vec3& b) {
  return {a.y * b[2] - a.z * b[1], a.z * b[0] - a.x * b[2], a.x * b[1] - a.y * b[0]};
}
template <class T>
inline T dot(const Vec3& a, const Triple<T>& b) {
  return a[0] * b.x + a[1] * b.y + a[2] * b.z;
}
template <class T>
inline T dot(const Column& a, const Twist<T>& b) {
  return dot(a.lin, b.lin) + dot(a.ang, b.ang);
}
template <class T>
inline Triple<T> product(const Mat3& m, const Triple<T>& v) {
  const auto row = [&](int r) -> T { return m(r, 0) * v.x + m(r, 1) * v.y + m(r, 2) * v.z; };
  return {row(0), row(1), row(2)};
}
template <class T>
inline Triple<T> value_at(const Twist<T>& v, const Vec3& p) {
  return v.lin + cross(v.ang, p);
}
template <class T>
inline Twist<T> cross_motion(const Twist<T>& v, const Column& s) {
  return {cross(v.ang, s.lin) + cross(v.lin, s.ang), cross(v.ang, s.ang)};
}
template <class T>
inline Twist<T> cross_force(const Column& v, const Twist<T>& f) {
  return {cross(v.ang, f.lin), cross(v.ang, f.ang) + cross(v.lin, f.lin)};
}
template <class T>
inline Twist<T> inertia_times(double mass, const Vec3& moment, const double* I, const Twist<T>& s) {
  const Triple<T>& w = s.ang;
  const Triple<T> turned{I[0] * w.x + I[1] * w.y + I[2] * w.z, I[1] * w.x + I[3] * w.y + I[4] * w.z,
                         I[2] * w.x + I[4] * w.y + I[5] * w.z};
  return {scaled(mass, s.lin) + cross(w, moment), cross(moment, s.lin) + turned};
}

// Lanes: `first` in the first one, zero in the other.
template <class T>
T first_lane(double first);
template <>
inline double first_lane<double>(double first) {
  return first;
}
template <>
inline Pair first_lane<Pair>(double first) {
  return Pair{first, 0.0};
}

}  // namespace stiction
