// SPDX-License-Identifier: BSD-2-Clause
// Vectors of three numbers T: double, or Pair for two vectors side by side. Sums run from left to right in both.
#pragma once

#include <stiction/base/pair.h>

namespace stiction {

template <class T>
struct Triple {
  T x, y, z;

  Triple& operator+=(const Triple& b) {
    x += b.x, y += b.y, z += b.z;
    return *this;
  }
};

template <class T>
inline Triple<T> operator+(const Triple<T>& a, const Triple<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
inline Triple<T> scaled(const T& s, const Triple<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
inline Triple<T> cross_of(const Triple<T>& a, const Triple<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
inline T dot_of(const Triple<T>& a, const Triple<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
// Symmetric, packed (xx, xy, xz, yy, yz, zz), times a vector.
template <class T>
inline Triple<T> packed_product(const T* I, const Triple<T>& x) {
  return {I[0] * x.x + I[1] * x.y + I[2] * x.z, I[1] * x.x + I[3] * x.y + I[4] * x.z,
          I[2] * x.x + I[4] * x.y + I[5] * x.z};
}
// R I Rᵀ, packed: rows of R in.
template <class T>
inline void turn_packed(const Triple<T>* R, const T* I, T* out) {
  Triple<T> t[3];
  for (int r = 0; r < 3; ++r) t[r] = packed_product(I, R[r]);
  out[0] = dot_of(t[0], R[0]), out[1] = dot_of(t[0], R[1]), out[2] = dot_of(t[0], R[2]);
  out[3] = dot_of(t[1], R[1]), out[4] = dot_of(t[1], R[2]), out[5] = dot_of(t[2], R[2]);
}

}  // namespace stiction
