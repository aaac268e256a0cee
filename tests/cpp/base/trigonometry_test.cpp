// SPDX-License-Identifier: BSD-2-Clause
// Oracle: the math library in extended precision.
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/base/trigonometry.h>

#include <limits>

namespace stiction {
namespace {

constexpr double kUnits = 3.0;  // in the last place

double last_place(double x) { return std::nextafter(std::abs(x), 1e300) - std::abs(x); }

void expect_close(double found, long double wanted) {
  EXPECT_LE(std::abs(found - wanted), kUnits * last_place(static_cast<double>(wanted))) << static_cast<double>(wanted);
}

TEST(Trigonometry, SinesAndCosines) {
  Random random(1);
  for (const double range : {0.1, 1.0, 4.0, 1e3, 9e4})
    for (int i = 0; i < 2000; ++i) {
      const double x = range * (2.0 * random.uniform() - 1.0), y = range * (2.0 * random.uniform() - 1.0);
      const SinCos a = sin_cos(Pair{x, y});
      const long double exact[2] = {x, y};
      for (const int lane : {0, 1}) {
        expect_close(a.s[lane], std::sin(exact[lane]));
        expect_close(a.c[lane], std::cos(exact[lane]));
      }
    }
}

TEST(Trigonometry, FarAngles) {
  for (const double x : {1e5 + 0.5, 1e6, -3e7, 1e9}) {  // their own last place is what remains
    const SinCos a = sin_cos(Pair{x, 1.0});
    EXPECT_NEAR(a.s[0], std::sin(x), last_place(x));
    EXPECT_NEAR(a.c[0], std::cos(x), last_place(x));
    EXPECT_EQ(a.s[1], sin_cos(both(1.0)).s[0]);
  }
}

TEST(Trigonometry, PolarAngles) {
  Random random(2);
  for (int i = 0; i < 10000; ++i) {
    const double x = 2.0 * random.uniform() - 1.0, y = 2.0 * random.uniform() - 1.0;
    expect_close(polar_angle(y, x), std::atan2(static_cast<long double>(y), static_cast<long double>(x)));
  }
  for (const double x : {-1.0, -0.0, 0.0, 1.0})
    for (const double y : {-1.0, -0.0, 0.0, 1.0}) {
      EXPECT_NEAR(polar_angle(y, x), std::atan2(y, x), 1e-15) << y << ' ' << x;
      EXPECT_EQ(std::signbit(polar_angle(y, x)), std::signbit(std::atan2(y, x))) << y << ' ' << x;
    }
}

TEST(Trigonometry, LanesDoNotMix) {
  const SinCos a = sin_cos(Pair{0.3, 2.0}), b = sin_cos(Pair{2.0, 0.3});
  for (const int i : {0, 1}) {
    EXPECT_EQ(a.s[i], b.s[1 - i]);
    EXPECT_EQ(a.c[i], b.c[1 - i]);
  }
  EXPECT_EQ(polar_angle(Pair{0.1, -0.7}, Pair{-0.4, 0.2})[1], polar_angle(-0.7, 0.2));
}

TEST(Trigonometry, NotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double x : {nan, infinity, -infinity}) {
    const SinCos a = sin_cos(Pair{x, 0.5});
    EXPECT_TRUE(std::isnan(a.s[0]) && std::isnan(a.c[0]));
    EXPECT_EQ(a.s[1], sin_cos(both(0.5)).s[0]);
  }
  EXPECT_TRUE(std::isnan(polar_angle(nan, 1.0)) && std::isnan(polar_angle(1.0, nan)));
}

}  // namespace
}  // namespace stiction
