// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the dense rational function in 113-bit arithmetic (quad_exponential.h), the unsymmetric form of Cayley's
// solve by Eigen's LU.
#include <gtest/gtest.h>
#include <stiction/step/exponential/dense_exponential.h>
#include <stiction/step/exponential/linear_contact.h>
#include <stiction/step/exponential/row_kernels.h>

#include <Eigen/LU>
#include <cmath>

#include "support/dense_oracles.h"
#include "support/heap_count.h"
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
using test::relative_error;

Averages by_dense(const LinearContact& c, int products, DenseStatistics* statistics = nullptr) {
  DenseWork work;
  Averages a{Vec(c.rows), Vec(c.rows)};
  dense_forces(c, {.products = products, .balance = true}, work, a.single.data(), a.twice.data());
  if (statistics != nullptr) *statistics = work.statistics;
  return a;
}

// Acceptance test 5, first half.
TEST(LinearContact, CayleyIsTheDenseOneAndBothAveragesAreOne) {
  for_random_contacts([](const RandomLinearContact& random) {
    const Averages poles = by_poles(random.view(), Approximant::cayley_11), dense = by_dense(random.view(), 0);
    EXPECT_EQ((poles.single - poles.twice).cwiseAbs().maxCoeff(), 0.0);
    EXPECT_LT(relative_error(poles.single, dense.single), 1e-12) << random.rows << " rows, h " << random.h;
    EXPECT_LT(relative_error(poles.twice, dense.twice), 1e-12) << random.rows << " rows, h " << random.h;
  });
}

// Acceptance test 5, second half: [I + (h/2)ΥB + (h²/4)ΥK] d = ṗ + (h/2)(β − ΥKΔp), λ̄ = −K(Δp + (h/2)d) − Bd.
TEST(LinearContact, CayleyIsTheImplicitMidpoint) {
  for_random_contacts([](const RandomLinearContact& r) {
    const double h = r.h;
    const Mat uk = r.upsilon * r.stiffness.asDiagonal(), ub = r.upsilon * r.damping.asDiagonal();
    const Mat left = Mat::Identity(r.rows, r.rows) + 0.5 * h * ub + 0.25 * h * h * uk;
    const Vec d = test::solve_general(left, r.velocity + 0.5 * h * (r.beta - uk * r.displacement));
    const Vec force = -r.stiffness.cwiseProduct(r.displacement + 0.5 * h * d) - r.damping.cwiseProduct(d);
    EXPECT_LT(relative_error(by_poles(r.view(), Approximant::cayley_11).single, force), 1e-12)
        << r.rows << " rows, h " << h;
  });
}

// Acceptance test 6 where the norm is moderate: against the dense approximant in double precision.
TEST(LinearContact, PolesGiveTheDensePadeAtModerateNorm) {
  int compared = 0;
  for_random_contacts([&](const RandomLinearContact& random) {
    const LinearContact c = random.view();
    DenseStatistics statistics;
    const Averages dense2 = by_dense(c, 1, &statistics), dense3 = by_dense(c, 2);
    if (statistics.balanced_norm > 100.0) return;
    ++compared;
    const Averages poles2 = by_poles(c, Approximant::pade_22), poles3 = by_poles(c, Approximant::pade_33);
    EXPECT_LT(relative_error(poles2.single, dense2.single), 1e-12);
    EXPECT_LT(relative_error(poles2.twice, dense2.twice), 1e-12);
    EXPECT_LT(relative_error(poles3.single, dense3.single), 1e-12);
    EXPECT_LT(relative_error(poles3.twice, dense3.twice), 1e-12);
  });
  EXPECT_GT(compared, 40);
}

void expect_extended(const RandomLinearContact& random) {
  for (const Rational& a : kRationals) {
    const Averages poles = by_poles(random.view(), a.approximant);
    const QuadSolution truth = test::solve_with_pade(random.view(), a.l, a.j);
    EXPECT_LT(relative_error(poles.single, truth.average), 1e-12)
        << name_of(a.approximant) << ", " << random.rows << " rows";
    EXPECT_LT(relative_error(poles.twice, truth.double_average), 1e-12)
        << name_of(a.approximant) << ", " << random.rows << " rows";
  }
}

// Acceptance test 6 where the norm is large, all approximants, against extended precision.
TEST(LinearContact, PolesKeepTheirDigitsAtLargeNorm) {
  for (const RandomLinearContact& random :
       {RandomLinearContact(1, 12, 12, 0.08), RandomLinearContact(2, 12, 10, 0.07)}) {
    DenseStatistics statistics;
    by_dense(random.view(), 0, &statistics);
    EXPECT_GT(statistics.balanced_norm, 600.0);
    expect_extended(random);
  }
}

// All sizes, also those that are no multiple of three or two; Υ of any rank; undamped rows and rows without a spring.
TEST(LinearContact, AllApproximantsMatchExtendedPrecision) {
  for (const int rows : {1, 2, 3, 4, 5, 6, 7, 9, 12, 15}) {
    RandomLinearContact random(static_cast<unsigned>(rows), rows, std::max(1, rows - rows / 3), 4e-3);
    if (rows > 1) random.stiffness[0] = 0.0;
    if (rows > 2) random.damping[rows - 1] = 0.0;
    expect_extended(random);
  }
  RandomLinearContact no_inertia(7, 6, 6, 4e-3);  // Υ = 0: infinitely heavy
  no_inertia.upsilon.setZero();
  expect_extended(no_inertia);
}

using Columns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr int kColumns = 8;

TEST(LinearContact, SolvesAgainWithTheFactorOfAPole) {
  for (const int rows : {1, 3, 5, 6, 12, 14}) {
    const RandomLinearContact random(static_cast<unsigned>(rows), rows, std::max(1, rows - 1), 2e-3);
    const LinearContact c = random.view();
    for (const Rational& a : kRationals) {
      LinearContactWork work;
      Vec single(rows), twice(rows);
      pole_forces(c, a.approximant, work, single.data(), twice.data());
      for (int k = 0; k < work.poles(); ++k) {
        const Pole& pole = poles(a.approximant)[static_cast<std::size_t>(k)];
        Eigen::MatrixXcd left = random.upsilon.cast<std::complex<double>>();
        Eigen::VectorXcd right(rows);
        for (int i = 0; i < rows; ++i) {
          const std::complex<double> g = c.damping[i] + c.h / pole.r * c.stiffness[i];
          left(i, i) += 1.0 / (c.h / pole.r * g);
          right[i] = -(c.velocity[i] + c.h / pole.r * c.beta[i] + c.stiffness[i] * c.displacement[i] / g) / pole.r;
        }
        const Eigen::VectorXcd expected = left.partialPivLu().solve(right);
        Columns re(rows, kColumns), im(rows, kColumns);  // multiples of the same right-hand side
        for (int column = 0; column < kColumns; ++column)
          re.col(column) = (column + 1.0) * right.real(), im.col(column) = (column + 1.0) * right.imag();
        solve_with_pole_many(work, pole, k, kColumns, re.data(), im.data());
        for (int i = 0; i < rows; ++i) {
          const std::complex<double> load(work.load_re(k)[i], work.load_im(k)[i]);
          EXPECT_LT(std::abs(load - expected[i]), 1e-12 * expected.norm()) << name_of(a.approximant);
          for (int column = 0; column < kColumns; ++column)
            EXPECT_LT(std::abs(std::complex<double>(re(i, column), im(i, column)) / (column + 1.0) - expected[i]),
                      1e-12 * expected.norm())
                << name_of(a.approximant);
        }
      }
    }
  }
}

TEST(LinearContact, AllocatesNothingOnceTheLargestHasBeenSeen) {
  const RandomLinearContact large(1, 24, 20, 2e-3), small(2, 6, 6, 2e-3);
  LinearContactWork work;
  Vec a(24), b(24), p(24), v(24), f(24);
  pole_forces(large.view(), Approximant::pade_33, work, a.data(), b.data());
  const LinearContact l = large.view(), s = small.view();
  const test::HeapCount heap;
  for (const Rational& n : kRationals) {
    pole_forces(s, n.approximant, work, a.data(), b.data());
    pole_forces(l, n.approximant, work, a.data(), b.data());
    end_of_step(l, a.data(), b.data(), p.data(), v.data(), f.data());
  }
  if (test::kCountsAllocations) {
    EXPECT_EQ(heap.count(), 0);
  }
}

}  // namespace
}  // namespace stiction
