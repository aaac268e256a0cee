// SPDX-License-Identifier: BSD-2-Clause
// Sine, cosine and angle by polynomials of our own, so that their bits do not depend on the machine's math library; two at a time.
//   x = k π/2 + r, |r| ≤ π/4;  Taylor's series of sin r and cos r, to terms below 1e-18;  the quadrant k mod 4 swaps and negates them
//   atan2(y, x) = atan(a/b) with a ≤ b the smaller and larger of |x|, |y|; above tan(π/8): atan(a/b) = π/4 + atan((a − b)/(a + b))
// Errors: within three units in the last place. Angles beyond 1e5 are reduced by the nearest double of 2π first, which costs less than
// half a unit in the last place of the angle itself. Not finite: NaN. atan2 of two zeros is 0 or π as their signs say.
#pragma once

#include <stiction/base/pair.h>

#include <cmath>
#include <cstdint>

namespace stiction {

template <class T>
struct SinCosOf {
  T s, c;
};
using SinCos = SinCosOf<Pair>;

namespace trigonometry {

// T: a vector of doubles, Pair or a wider one (dynamics/lanes). Masks and bits are as many integers.
template <class T>
using BitsOf = decltype(T{} < T{});

template <class T>
inline T spread(double x) {
  return x - T{};
}
template <class T>
inline BitsOf<T> bits_of(T x) {
  return (BitsOf<T>)x;
}
template <class T>
inline BitsOf<T> same_bits(std::int64_t x) {
  return x - BitsOf<T>{};
}
// a where the mask is set, b elsewhere.
template <class T>
inline T choose(BitsOf<T> mask, T a, T b) {
  return (T)((bits_of(a) & mask) | (bits_of(b) & ~mask));
}
template <class T>
inline T magnitude(T x) {
  return (T)(bits_of(x) & same_bits<T>(INT64_MAX));
}

constexpr double kPi = 3.141592653589793;
constexpr double kFar = 1e5;                   // below, k times the first two parts of π/2 is exact
constexpr double kShift = 6755399441055744.0;  // 1.5·2⁵²: adding it rounds to an integer
constexpr double kHalfPi[3] = {1.5707963267341256, 6.077100506303966e-11,
                               2.0222662487959506e-21};  // 33 bits each, and the rest
constexpr double kSine[] = {-1.0 / 6,
                            1.0 / 120,
                            -1.0 / 5040,
                            1.0 / 362880,
                            -1.0 / 39916800.0,
                            1.0 / 6227020800.0,
                            -1.0 / 1307674368000.0,
                            1.0 / 355687428096000.0};
constexpr double kCosine[] = {1.0 / 24,          -1.0 / 720,           1.0 / 40320,           -1.0 / 3628800,
                              1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0};
// (atan(√z)/√z − 1)/z on [0, tan²(π/8)], Chebyshev's approximation: 5e-18.
constexpr double kAngle[] = {-0.3333333333333333,   0.19999999999995516, -0.14285714284665682, 0.11111111015187018,
                             -0.0909090457530649,   0.07692183125376892, -0.06664510525508936, 0.05858140904866328,
                             -0.050854078345894844, 0.03923044778479309, -0.019175404711104935};
constexpr double kTanEighth = 0.41421356237309503;  // tan(π/8)

template <class T, std::size_t n>
inline T polynomial(const double (&c)[n], T z) {
  T sum = spread<T>(c[n - 1]);
#pragma GCC unroll 16
  for (std::size_t i = n - 1; i > 0; --i) sum = sum * z + spread<T>(c[i - 1]);
  return sum;
}

// Of angles that are not far.
template <class T>
inline SinCosOf<T> sin_cos_near(T x) {
  const T one = spread<T>(1.0);
  const T shifted = x * spread<T>(2.0 / kPi) + spread<T>(kShift), k = shifted - spread<T>(kShift);
  const T r = ((x - k * spread<T>(kHalfPi[0])) - k * spread<T>(kHalfPi[1])) - k * spread<T>(kHalfPi[2]);
  const T z = r * r, half = spread<T>(0.5) * z, w = one - half;
  const T s = r + r * z * polynomial(kSine, z);
  const T c = w + (((one - w) - half) + z * z * polynomial(kCosine, z));
  const BitsOf<T> quadrant = bits_of(shifted), two = same_bits<T>(2);
  const BitsOf<T> odd = -(quadrant & same_bits<T>(1));
  const T sine = choose(odd, c, s), cosine = choose(odd, s, c);
  return {(T)(bits_of(sine) ^ ((quadrant & two) << 62)),
          (T)(bits_of(cosine) ^ (((quadrant + same_bits<T>(1)) & two) << 62))};
}

}  // namespace trigonometry

inline SinCos sin_cos(Pair x) {
  using namespace trigonometry;
  const Pair size = magnitude(x);
  if (!(size[0] <= kFar && size[1] <= kFar)) [[unlikely]]
    x = Pair{std::remainder(x[0], 2.0 * kPi), std::remainder(x[1], 2.0 * kPi)};
  return sin_cos_near(x);
}

// Angle of (x, y) within half a turn.
template <class T>
inline T polar_angle_of(T y, T x) {
  using namespace trigonometry;
  const T p = magnitude(x), q = magnitude(y);
  const BitsOf<T> steep = q > p;
  const T a = choose(steep, p, q), b = choose(steep, q, p);
  const BitsOf<T> far = a > spread<T>(kTanEighth) * b;
  const T t = choose(far, a - b, a) / choose(far, a + b, b);
  const T z = t * t;
  const T whole = choose(b == T{}, b, t + t * z * polynomial(kAngle, z)) + (T)(bits_of(spread<T>(kPi / 4)) & far);
  const T first = choose(steep, spread<T>(kPi / 2) - whole, whole);
  const T angle = choose(bits_of(x) >> 63, spread<T>(kPi) - first, first);
  return (T)(bits_of(angle) | (bits_of(y) & same_bits<T>(INT64_MIN)));
}
inline Pair polar_angle(Pair y, Pair x) { return polar_angle_of(y, x); }
inline double polar_angle(double y, double x) { return polar_angle(Pair{y, 1.0}, Pair{x, 1.0})[0]; }

}  // namespace stiction
