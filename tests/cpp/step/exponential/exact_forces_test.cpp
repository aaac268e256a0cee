// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the damped oscillator in closed form; the exponential over the whole time in 113-bit arithmetic.
#include <gtest/gtest.h>
#include <stiction/step/exponential/exact_forces.h>

#include <cmath>

#include "support/quad_exponential.h"
#include "support/random_linear_contact.h"

namespace stiction {
namespace {

using test::QuadSolution;
using test::RandomLinearContact;

// Steps the linear system by the two averages and the end of the step, as a stepper does without projection.
void play(RandomLinearContact& r, double h, int steps, ExactWork& work) {
  Vec single(r.rows), twice(r.rows), p(r.rows), v(r.rows), force(r.rows);
  r.h = h;
  for (int k = 0; k < steps; ++k) {
    exact_forces(r.view(), work, single.data(), twice.data());
    end_of_step(r.view(), single.data(), twice.data(), p.data(), v.data(), force.data());
    r.displacement = p, r.velocity = v;
  }
}

RandomLinearContact point_mass() {
  RandomLinearContact r(1, 1, 1, 1e-3);
  r.upsilon(0, 0) = 1.0, r.stiffness[0] = 1e5, r.damping[0] = 300.0;
  r.beta[0] = -9.81, r.displacement[0] = 0.0, r.velocity[0] = -1.0;
  return r;
}

// Acceptance test 1: m = 1, K = 1e5, B = 300, from the anchor with −1 m/s. z + g/ω² is a damped oscillation.
TEST(ExactForces, PointMassIsTheDampedOscillatorForAnyStep) {
  constexpr double kStatic = -9.81 / 1e5, kRate = 150.0;  // ζω = B/2m
  const double omega = std::sqrt(1e5 - kRate * kRate);
  const auto closed_form = [&](double t) {
    const double a = -kStatic, b = (-1.0 + kRate * a) / omega, decay = std::exp(-kRate * t);
    const double z = kStatic + decay * (a * std::cos(omega * t) + b * std::sin(omega * t));
    const double u =
        decay * ((b * omega - kRate * a) * std::cos(omega * t) - (a * omega + kRate * b) * std::sin(omega * t));
    return std::pair{z, u};
  };
  EXPECT_NEAR(closed_form(1e-3).first, -8.540464872325e-4, 1e-15);
  EXPECT_NEAR(closed_form(10e-3).first, -3.951061638703e-4, 1e-15);
  EXPECT_NEAR(closed_form(10e-3).second, 0.2483480463021, 1e-12);
  for (const double h : {0.1e-3, 1e-3, 10e-3, 100e-3})
    for (const double time : {1e-3, 10e-3, 100e-3}) {
      const int steps = static_cast<int>(std::lround(time / h));
      if (steps == 0) continue;
      RandomLinearContact mass = point_mass();
      ExactWork work;
      play(mass, h, steps, work);
      EXPECT_TRUE(work.by_modes);
      EXPECT_NEAR(mass.displacement[0], closed_form(time).first, 1e-14)
          << "h " << h << " at " << time;  // 1e-11 of 1 mm
      EXPECT_NEAR(mass.velocity[0], closed_form(time).second, 1e-11) << "h " << h << " at " << time;
    }
}

TEST(ExactForces, PointMassDenselyAsWell) {
  RandomLinearContact mass = point_mass();
  DenseWork work;
  Vec single(1), twice(1), p(1), v(1), force(1);
  mass.h = 10e-3;
  dense_forces(mass.view(), {}, work, single.data(), twice.data());
  end_of_step(mass.view(), single.data(), twice.data(), p.data(), v.data(), force.data());
  EXPECT_NEAR(p[0], -3.951061638703e-4, 1e-14);
  EXPECT_NEAR(v[0], 0.2483480463021, 1e-11);
}

// Acceptance test 2: one long step, several short ones, all the same; random K and B, rows without spring or damper.
TEST(ExactForces, LinearSystemsAreExactForAnyStep) {
  constexpr double kTime = 24e-3;
  for (int contacts = 1; contacts <= 8; ++contacts)
    for (const bool proportional : {true, false}) {
      const int rows = 3 * contacts;
      RandomLinearContact start(static_cast<unsigned>(contacts), rows, contacts % 2 == 0 ? rows - 2 : rows, kTime,
                                proportional);
      if (!proportional) start.stiffness[0] = 0.0, start.damping[rows - 1] = 0.0;
      const QuadSolution truth = test::solve_exactly(start.view());
      for (const int steps : {1, 2, 12, 48}) {
        RandomLinearContact r = start;
        ExactWork work;
        play(r, kTime / steps, steps, work);
        EXPECT_EQ(work.by_modes, proportional);
        const double p_scale = truth.displacement.norm(), v_scale = start.velocity.norm();
        EXPECT_LT((r.displacement - truth.displacement).norm(), 1e-10 * p_scale)
            << contacts << " contacts, " << steps << " steps";
        EXPECT_LT((r.velocity - truth.velocity).norm(), 1e-10 * v_scale)
            << contacts << " contacts, " << steps << " steps";
      }
    }
}

// Acceptance test 8, second half: λ(h) without another exponential. Scale: the largest force over the step's ends.
TEST(ExactForces, PredictedForceIsThatOfTheExponential) {
  for (const int contacts : {1, 2, 4})
    for (const double h : {0.5e-3, 5e-3, 20e-3})
      for (const bool proportional : {true, false}) {
        const RandomLinearContact r(static_cast<unsigned>(contacts), 3 * contacts, 3 * contacts - contacts / 2, h,
                                    proportional);
        const QuadSolution truth = test::solve_exactly(r.view());
        ExactWork work;
        Vec single(r.rows), twice(r.rows), p(r.rows), v(r.rows), force(r.rows);
        exact_forces(r.view(), work, single.data(), twice.data());
        end_of_step(r.view(), single.data(), twice.data(), p.data(), v.data(), force.data());
        const double at_start = (r.stiffness.cwiseProduct(r.displacement) + r.damping.cwiseProduct(r.velocity)).norm();
        EXPECT_LT((force - truth.force).norm(), 1e-11 * std::max(at_start, truth.force.norm()))
            << contacts << " contacts, h " << h << ", by modes " << work.by_modes;
      }
}

}  // namespace
}  // namespace stiction
