// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the identities of specification 4.2; the order of an approximant as the slope of its error.
#include <gtest/gtest.h>
#include <stiction/step/exponential/linear_contact.h>

#include <cmath>
#include <initializer_list>

#include "support/quad_exponential.h"
#include "support/random_linear_contact.h"

namespace stiction {
namespace {

using test::Averages;
using test::by_poles;
using test::for_random_contacts;
using test::kRationals;
using test::QuadSolution;
using test::RandomLinearContact;
using test::Rational;

// ∫x and ∫∫x of an approximant from the loads of its poles: w_k = (w_p, w_v) with
//   r w_v = hΥℓ + (h/r)ṗ + (h²/r²)β,   r w_p = h w_v + (h/r)Δp,   ∫x = Σ α w,   ∫∫x = h Σ (α/r) w
struct Integrals {
  Vec position, velocity, position2, velocity2;
};

Integrals integrals(const RandomLinearContact& r, Approximant approximant) {
  const int n = r.rows;
  LinearContactWork work;
  Vec single(n), twice(n);
  pole_forces(r.view(), approximant, work, single.data(), twice.data());
  Integrals x{Vec::Zero(n), Vec::Zero(n), Vec::Zero(n), Vec::Zero(n)};
  for (int k = 0; k < work.poles(); ++k) {
    const Pole& p = poles(approximant)[static_cast<std::size_t>(k)];
    Eigen::VectorXcd load(n);
    for (int i = 0; i < n; ++i) load[i] = {work.load_re(k)[i], work.load_im(k)[i]};
    const std::complex<double> s = r.h / p.r;
    const Eigen::VectorXcd v = s * (r.upsilon * load) + s / p.r * r.velocity + s * s / p.r * r.beta;
    const Eigen::VectorXcd w = s * v + s / p.r * r.displacement;
    const double count = p.pair ? 2.0 : 1.0;
    x.position += count * (p.alpha * w).real(), x.position2 += count * r.h * (p.ratio * w).real();
    x.velocity += count * (p.alpha * v).real(), x.velocity2 += count * r.h * (p.ratio * v).real();
  }
  return x;
}

// |Σ terms| relative to the largest of the terms
double defect(std::initializer_list<Vec> terms) {
  Vec sum = Vec::Zero(terms.begin()->size());
  double largest = 0.0;
  for (const Vec& t : terms) sum += t, largest = std::max(largest, t.cwiseAbs().maxCoeff());
  return sum.cwiseAbs().maxCoeff() / largest;
}

// Acceptance test 8: λ̄ = D∫x/h, λ̿ = 2D∫∫x/h², A∫∫x + (h²/2)b = ∫x − h x(0), and the end of the step is x(0) + A∫x +
// hb.
TEST(ContactIntegrals, TheIdentitiesOfTheTwoIntegralsHold) {
  for_random_contacts([](const RandomLinearContact& r) {
    const double h = r.h;
    for (const Rational& a : kRationals) {
      const Integrals x = integrals(r, a.approximant);
      const Averages f = by_poles(r.view(), a.approximant);
      const Vec &k = r.stiffness, &b = r.damping;
      const std::string where =
          std::string(name_of(a.approximant)) + ", " + std::to_string(r.rows) + " rows, h " + std::to_string(h);
      const Vec pushed = r.upsilon * f.single * h, pushed2 = r.upsilon * f.twice * (0.5 * h * h);
      EXPECT_LT(defect({k.cwiseProduct(x.position), b.cwiseProduct(x.velocity), h * f.single}), 1e-12) << where;
      EXPECT_LT(defect({k.cwiseProduct(x.position2), b.cwiseProduct(x.velocity2), 0.5 * h * h * f.twice}), 1e-12)
          << where;
      EXPECT_LT(defect({x.velocity2, h * r.displacement, -x.position}), 1e-12) << where;
      EXPECT_LT(defect({pushed2, 0.5 * h * h * r.beta, h * r.velocity, -x.velocity}), 1e-12) << where;
      Vec p(r.rows), v(r.rows), end(r.rows);
      end_of_step(r.view(), f.single.data(), f.twice.data(), p.data(), v.data(), end.data());
      EXPECT_LT(defect({r.displacement, x.velocity, -p}), 1e-12) << where;
      EXPECT_LT(defect({r.velocity, pushed, h * r.beta, -v}), 1e-12) << where;
      EXPECT_LT(defect({k.cwiseProduct(p), b.cwiseProduct(v), end}), 1e-15) << where;
    }
  });
}

// Acceptance test 10: the errors of both integrals fall as h^{l+j+1}.
TEST(ContactIntegrals, ErrorsFallWithTheOrder) {
  for (const Rational& a : kRationals) {
    const int order = a.l + a.j;
    const double coarse = order == 6 ? 1e-4 : order == 5 ? 3e-5 : 2e-5;  // small, but with errors above round-off
    double error[2][2];                                                  // [step][integral]
    for (const int fine : {0, 1}) {
      const RandomLinearContact r(5, 3, 3, fine == 0 ? coarse : 0.5 * coarse);
      const Integrals x = integrals(r, a.approximant);
      const QuadSolution truth = test::solve_exactly(r.view());
      error[fine][0] = (x.velocity - truth.integral.tail(3)).norm();
      error[fine][1] = (x.velocity2 - truth.double_integral.tail(3)).norm();
    }
    for (const int k : {0, 1})
      EXPECT_NEAR(std::log2(error[0][k] / error[1][k]), order + 1, 0.1) << name_of(a.approximant) << ", integral " << k;
  }
}

}  // namespace
}  // namespace stiction
