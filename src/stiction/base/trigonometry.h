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
#include <cstring>

namespace stiction {

struct SinCos {
  Pair s, c;
};

namespace trigonometry {

using Bits = std::int64_t __attribute__((vector_size(16)));

inline Bits bits_of(Pair x) {
  Bits b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}
inline Pair pair_of(Bits b) {
  Pair x;
  std::memcpy(&x, &b, sizeof x);
  return x;
}
inline Bits bits_of(std::int64_t x) { return Bits{x, x}; }
// a where the mask is set, b elsewhere.
inline Pair choose(Bits mask, Pair a, Pair b) { return pair_of((bits_of(a) & mask) | (bits_of(b) & ~mask)); }
inline Pair magnitude(Pair x) { return pair_of(bits_of(x) & bits_of(INT64_MAX)); }

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

template <std::size_t n>
inline Pair polynomial(const double (&c)[n], Pair z) {
  Pair sum = both(c[n - 1]);
#pragma GCC unroll 16
  for (std::size_t i = n - 1; i > 0; --i) sum = sum * z + both(c[i - 1]);
  return sum;
}

}  // namespace trigonometry

inline SinCos sin_cos(Pair x) {
  using namespace trigonometry;
  const Pair size = magnitude(x);
  if (!(size[0] <= kFar && size[1] <= kFar)) [[unlikely]]
    x = Pair{std::remainder(x[0], 2.0 * kPi), std::remainder(x[1], 2.0 * kPi)};
  const Pair shifted = x * both(2.0 / kPi) + both(kShift), k = shifted - both(kShift);
  const Pair r = ((x - k * both(kHalfPi[0])) - k * both(kHalfPi[1])) - k * both(kHalfPi[2]);
  const Pair z = r * r, half = both(0.5) * z, w = both(1.0) - half;
  const Pair s = r + r * z * polynomial(kSine, z);
  const Pair c = w + (((both(1.0) - w) - half) + z * z * polynomial(kCosine, z));
  const Bits quadrant = bits_of(shifted);
  const Bits odd = -(quadrant & bits_of(1));
  const Pair sine = choose(odd, c, s), cosine = choose(odd, s, c);
  return {pair_of(bits_of(sine) ^ ((quadrant & bits_of(2)) << 62)),
          pair_of(bits_of(cosine) ^ (((quadrant + bits_of(1)) & bits_of(2)) << 62))};
}

// Angle of (x, y) within half a turn.
inline Pair polar_angle(Pair y, Pair x) {
  using namespace trigonometry;
  const Pair p = magnitude(x), q = magnitude(y);
  const Bits steep = q > p;
  const Pair a = choose(steep, p, q), b = choose(steep, q, p);
  const Bits far = a > both(kTanEighth) * b;
  const Pair t = choose(far, a - b, a) / choose(far, a + b, b);
  const Pair z = t * t;
  const Pair whole =
      choose(b == both(0.0), b, t + t * z * polynomial(kAngle, z)) + pair_of(bits_of(both(kPi / 4)) & far);
  const Pair first = choose(steep, both(kPi / 2) - whole, whole);
  const Pair angle = choose(bits_of(x) >> 63, both(kPi) - first, first);
  return pair_of(bits_of(angle) | (bits_of(y) & bits_of(INT64_MIN)));
}
inline double polar_angle(double y, double x) { return polar_angle(Pair{y, 1.0}, Pair{x, 1.0})[0]; }

}  // namespace stiction
