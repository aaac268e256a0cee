// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the impulse response of a damped oscillator by its roots, in 113-bit arithmetic through a Taylor series with
// squarings; the exponential of the augmented matrix in the same arithmetic (quad_exponential.h).
#include <gtest/gtest.h>
#include <stiction/step/exponential/decoupled_modes.h>

#include <cmath>

#include "support/heap_count.h"
#include "support/quad_exponential.h"
#include "support/random_linear_contact.h"

namespace stiction {
namespace {

using test::Quad;
using test::QuadMatrix;
using test::QuadSolution;
using test::RandomLinearContact;
using test::relative_error;

// (S, S′) and the nested integrals of S are the last column of the exponential of a 5 × 5 matrix.
ImpulseResponse quad_response(double a, double d) {
  QuadMatrix m(5, 5);  // states: S₃, S₂, S₁, S, S′
  for (int i = 0; i < 4; ++i) m(i, i + 1) = 1;
  m(4, 3) = -Quad(a), m(4, 4) = -Quad(d);
  const QuadMatrix e = test::exponential(m);
  const auto at = [&](int i) { return static_cast<double>(e(i, 4)); };
  return {at(4), at(3), at(2), at(1), at(0)};
}

// Every response is measured against the largest it can be, that of a free mass: 1, 1, 1/2, 1/6, 1/24.
double response_error(const ImpulseResponse& x, const ImpulseResponse& y) {
  return std::max({std::abs(x.slope - y.slope), std::abs(x.value - y.value), 2.0 * std::abs(x.integral - y.integral),
                   6.0 * std::abs(x.integral2 - y.integral2), 24.0 * std::abs(x.integral3 - y.integral3)});
}

TEST(DecoupledModes, ImpulseResponseOfAFreeMass) {
  const ImpulseResponse s = impulse_response(0.0, 0.0);
  EXPECT_EQ(s.slope, 1.0);
  EXPECT_EQ(s.value, 1.0);
  EXPECT_EQ(s.integral, 0.5);
  EXPECT_NEAR(s.integral2, 1.0 / 6.0, 1e-16);
  EXPECT_NEAR(s.integral3, 1.0 / 24.0, 1e-17);
}

TEST(DecoupledModes, ImpulseResponseMatchesExtendedPrecision) {
  for (const double a : {0.0, 1e-12, 1e-4, 0.1, 1.0, 10.0, 250.0, 1e4})
    for (const double d : {0.0, 1e-8, 0.03, 0.5, 2.0, 20.0, 333.0})
      EXPECT_LT(response_error(impulse_response(a, d), quad_response(a, d)), 1e-13) << "a " << a << ", d " << d;
  for (const double a : {1e4, 1e6})
    for (const double d : {1e3, 1e5}) {
      const ImpulseResponse s = impulse_response(a, d), truth = quad_response(a, d);
      EXPECT_LT(response_error(s, truth), 6e-12) << "a " << a << ", d " << d;
      EXPECT_NEAR(s.integral * a, truth.integral * a, 6e-12);  // what forces see: aS₁, aS₂, aS₃ near 1, 1, ½
      EXPECT_NEAR(s.integral2 * a, truth.integral2 * a, 6e-12);
      EXPECT_NEAR(s.integral3 * a, truth.integral3 * a, 6e-12);
    }
}

// Acceptance test 7, last part. Oracle: the responses have bounded derivatives, so that neighbours differ little.
TEST(DecoupledModes, ContinuousThroughCriticalDampingAndZeroStiffness) {
  for (const double d : {0.5, 3.0, 40.0})
    for (const double away : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15}) {
      const double critical = 0.25 * d * d;
      const ImpulseResponse below = impulse_response(critical * (1.0 - away), d);
      const ImpulseResponse above = impulse_response(critical * (1.0 + away), d);
      EXPECT_LT(response_error(below, above), 4.0 * away * critical + 1e-13) << "d " << d << ", " << away;
      EXPECT_LT(response_error(impulse_response(away, away), impulse_response(0.0, 0.0)), 4.0 * away + 1e-15) << away;
    }
}

TEST(DecoupledModes, FindsProportionalDamping) {
  RandomLinearContact r(1, 6, 6, 2e-3, true);
  double c = -1.0;
  EXPECT_TRUE(proportional(r.view(), c));
  EXPECT_DOUBLE_EQ(c, 2e-3);
  r.damping[4] *= 1.0 + 1e-11;
  EXPECT_FALSE(proportional(r.view(), c));
  r.damping.setZero();
  EXPECT_TRUE(proportional(r.view(), c));
  EXPECT_EQ(c, 0.0);
  r.damping[2] = 300.0;
  EXPECT_FALSE(proportional(r.view(), c));
  r = RandomLinearContact(1, 6, 6, 2e-3, true);
  r.stiffness[0] = 0.0;
  EXPECT_FALSE(proportional(r.view(), c));
  r.stiffness[0] = r.stiffness[1], r.damping[0] = r.damping[1], r.stiffness[5] = 0.0;
  EXPECT_FALSE(proportional(r.view(), c));
}

// Acceptance test 7: anisotropic K, singular Υ, any step; also undamped and, by a small K, of nearly free modes.
TEST(DecoupledModes, ForcesMatchExtendedPrecision) {
  const auto check = [](const RandomLinearContact& r, const char* what) {
    ModalWork work;
    Vec single(r.rows), twice(r.rows);
    double c = 0.0;
    ASSERT_TRUE(proportional(r.view(), c));
    modal_forces(r.view(), c, work, single.data(), twice.data());
    const QuadSolution truth = test::solve_exactly(r.view());
    EXPECT_LT(relative_error(single, truth.average), 1e-12) << what << ", " << r.rows << " rows, h " << r.h;
    EXPECT_LT(relative_error(twice, truth.double_average), 1e-12) << what << ", " << r.rows << " rows, h " << r.h;
  };
  for (const int rows : {1, 2, 3, 5, 6, 12})
    for (const double h : {0.5e-3, 2e-3, 10e-3, 40e-3}) {
      const unsigned seed = static_cast<unsigned>(rows);
      RandomLinearContact r(seed, rows, rows, h, true);
      check(r, "full rank");
      check(RandomLinearContact(seed, rows, std::max(1, rows - 2), h, true), "deficient rank");
      r.damping.setZero();
      check(r, "undamped");
      r = RandomLinearContact(seed, rows, rows, h, true);
      r.stiffness *= 1e-6, r.damping *= 1e-6;
      check(r, "soft");
    }
  check(RandomLinearContact(8, 24, 20, 10e-3, true), "eight contacts");
}

TEST(DecoupledModes, AllocatesNothingOnceASizeHasBeenSeen) {
  const RandomLinearContact large(1, 60, 40, 2e-3, true), small(2, 6, 6, 20e-3, true), other(3, 6, 5, 1e-3, true);
  const LinearContact l = large.view(), s = small.view(), o = other.view();
  ModalWork work;
  Vec a(60), b(60);
  modal_forces(l, 2e-3, work, a.data(), b.data());
  modal_forces(s, 2e-3, work, a.data(), b.data());
  const test::HeapCount heap;
  for (const LinearContact* c : {&l, &s, &o, &l}) modal_forces(*c, 2e-3, work, a.data(), b.data());
  if (test::kCountsAllocations) {
    EXPECT_EQ(heap.count(), 0);
  }
}

}  // namespace
}  // namespace stiction
