// SPDX-License-Identifier: BSD-2-Clause
// Oracles: Gauss-Legendre quadrature of x(τ), which Eigen's matrix exponential propagates; the exponential in 113-bit
// arithmetic; Higham's thresholds; invariance of a fixed approximant under balancing.
#include <gtest/gtest.h>
#include <stiction/step/exponential/dense_exponential.h>

#include <cmath>
#include <limits>
#include <unsupported/Eigen/MatrixFunctions>

#include "support/heap_count.h"
#include "support/quad_exponential.h"
#include "support/random_linear_contact.h"

namespace stiction {
namespace {

using test::QuadSolution;
using test::RandomLinearContact;
using test::relative_error;

struct Result {
  Vec average, double_average, integral, double_integral;
  DenseStatistics statistics;
};

Result evaluate_dense(const LinearContact& c, const DenseOptions& options = {}) {
  DenseWork work;
  Result r{Vec(c.rows), Vec(c.rows), Vec(2 * c.rows), Vec(2 * c.rows), {}};
  dense_integrals(c, options, work, r.integral.data(), r.double_integral.data());
  dense_forces(c, options, work, r.average.data(), r.double_average.data());
  r.statistics = work.statistics;
  return r;
}

// ∫x and ∫∫x = ∫(h − τ) x(τ) dτ, five nodes in each of many panels; (x, 1)(τ + t) = e^{t[[A b],[0 0]]} (x, 1)(τ).
std::pair<Vec, Vec> quadrature(const RandomLinearContact& r, int panels) {
  constexpr double kNode[] = {0.0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640, -0.9061798459386640};
  constexpr double kWeight[] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665, 0.2369268850561891,
                                0.2369268850561891};
  const int n = r.rows;
  Mat a = Mat::Zero(2 * n + 1, 2 * n + 1);
  a.block(0, n, n, n).setIdentity();
  a.block(n, 0, n, n) = -r.upsilon * r.stiffness.asDiagonal();
  a.block(n, n, n, n) = -r.upsilon * r.damping.asDiagonal();
  a.block(n, 2 * n, n, 1) = r.beta;
  const double width = r.h / panels;
  const Mat across = (width * a).exp();
  Mat to_node[5];
  for (int k = 0; k < 5; ++k) to_node[k] = (0.5 * width * (1.0 + kNode[k]) * a).exp();
  Vec state(2 * n + 1);
  state << r.displacement, r.velocity, 1.0;
  Vec single = Vec::Zero(2 * n), twice = Vec::Zero(2 * n);
  for (int p = 0; p < panels; ++p) {
    for (int k = 0; k < 5; ++k) {
      const Vec x = (to_node[k] * state).head(2 * n);
      const double time = width * (p + 0.5 * (1.0 + kNode[k])), weight = 0.5 * width * kWeight[k];
      single += weight * x;
      twice += weight * (r.h - time) * x;
    }
    state = across * state;
  }
  return {single, twice};
}

double error_by_half(const Vec& x, const Vec& reference) {  // positions and velocities have their own scales
  const Eigen::Index n = x.size() / 2;
  return std::max(relative_error(x.head(n), reference.head(n)), relative_error(x.tail(n), reference.tail(n)));
}

// Acceptance test 3.
TEST(DenseExponential, IntegralsAreThoseOfFineQuadrature) {
  for (const auto& [rows, rank] : {std::pair{3, 3}, {6, 6}, {6, 4}, {12, 6}})
    for (const double h : {0.5e-3, 2e-3, 10e-3}) {
      const RandomLinearContact r(static_cast<unsigned>(rows + rank), rows, rank, h);
      const auto [single, twice] = quadrature(r, 400);
      const Result result = evaluate_dense(r.view());
      EXPECT_LT(error_by_half(result.integral, single), 1e-10) << rows << " rows of rank " << rank << ", h " << h;
      EXPECT_LT(error_by_half(result.double_integral, twice), 1e-10) << rows << " rows of rank " << rank << ", h " << h;
    }
}

// One to eight contacts, rows without spring or damper. Measured: 8e-14 with balancing, 1e-11 without.
TEST(DenseExponential, WithoutCapMatchesExtendedPrecision) {
  for (const int contacts : {1, 2, 4, 8})
    for (const double h : {0.5e-3, 10e-3, 40e-3}) {
      if (contacts == 8 && h != 10e-3) continue;
      RandomLinearContact r(static_cast<unsigned>(contacts), 3 * contacts, 3 * contacts - contacts / 2, h);
      r.stiffness[0] = 0.0;
      r.damping[1] = 0.0;
      const QuadSolution truth = test::solve_exactly(r.view());
      for (const bool balance : {true, false}) {
        const Result result = evaluate_dense(r.view(), {.products = -1, .balance = balance});
        const double bound = balance ? 1e-12 : 1e-10;
        EXPECT_LT(relative_error(result.average, truth.average), bound) << contacts << " contacts, h " << h;
        EXPECT_LT(relative_error(result.double_average, truth.double_average), bound)
            << contacts << " contacts, h " << h;
      }
    }
}

// The failure that the header names: a high order at a large norm, against the same approximant in 113 bits.
TEST(DenseExponential, HighOrdersLoseTheirDigitsAtLargeNorm) {
  const RandomLinearContact r(1, 12, 12, 0.08);
  const Result seven = evaluate_dense(r.view(), {.products = 4, .balance = true});
  const Result thirteen = evaluate_dense(r.view(), {.products = 6, .balance = true});
  EXPECT_GT(seven.statistics.balanced_norm, 600.0);
  EXPECT_GT(relative_error(seven.average, test::solve_with_pade(r.view(), 7, 7).average), 1e-9);
  EXPECT_GT(relative_error(thirteen.average, test::solve_with_pade(r.view(), 13, 13).average), 1e-4);
  EXPECT_LT(relative_error(evaluate_dense(r.view()).average, test::solve_exactly(r.view()).average), 1e-12);
}

// Acceptance test 4. Orders up to 5: the higher ones lose their digits at such norms, balanced or not.
TEST(DenseExponential, BalancingChangesNothingAtFixedOrder) {
  for (const int rows : {3, 6, 12})
    for (const double h : {0.5e-3, 2e-3})
      for (int products = 0; products <= 3; ++products) {
        const RandomLinearContact r(static_cast<unsigned>(rows), rows, rows - 1, h);
        const Result with = evaluate_dense(r.view(), {.products = products, .balance = true});
        const Result without = evaluate_dense(r.view(), {.products = products, .balance = false});
        ASSERT_EQ(with.statistics.order, without.statistics.order);
        EXPECT_LT(relative_error(with.average, without.average), 1e-10)
            << rows << " rows, order " << with.statistics.order;
        EXPECT_LT(relative_error(with.double_average, without.double_average), 1e-10) << rows << " rows";
        EXPECT_LT(with.statistics.balanced_norm, 0.05 * with.statistics.norm);
        EXPECT_EQ(without.statistics.balanced_norm, without.statistics.norm);
      }
}

// Oracle: the same diagonal Padé approximant in extended precision, at a norm where every order keeps its digits.
TEST(DenseExponential, EveryOrderIsThePadeApproximant) {
  constexpr int kOrders[] = {1, 2, 3, 5, 7, 9, 13};
  for (int products = 0; products <= 6; ++products) {
    const RandomLinearContact r(3, 4, 3, 4e-3);
    const Result result = evaluate_dense(r.view(), {.products = products, .balance = true});
    ASSERT_EQ(result.statistics.order, kOrders[products]);
    EXPECT_EQ(result.statistics.products, products);
    EXPECT_EQ(result.statistics.squarings, 0);
    const QuadSolution truth = test::solve_with_pade(r.view(), kOrders[products], kOrders[products]);
    EXPECT_LT(relative_error(result.average, truth.average), 1e-12) << "order " << kOrders[products];
    EXPECT_LT(relative_error(result.double_average, truth.double_average), 1e-12) << "order " << kOrders[products];
  }
}

// Oracle: the largest norms of Higham's orders 3, 5, 7, 9 and 13, from where on squarings are asked for.
TEST(DenseExponential, OrderFollowsTheNorm) {
  for (double h = 1e-6; h < 0.2; h *= 1.7) {
    const RandomLinearContact r(9, 6, 6, h);
    const DenseStatistics s = evaluate_dense(r.view()).statistics;
    const double norm = s.balanced_norm;
    const int order = norm < 1.4956e-2 ? 3 : norm < 0.25394 ? 5 : norm < 0.95042 ? 7 : norm < 2.09785 ? 9 : 13;
    EXPECT_EQ(s.order, order) << norm;
    EXPECT_EQ(s.squarings > 0, norm >= 5.37192) << norm;
    EXPECT_LT(std::ldexp(norm, -s.squarings), 5.37193);
    if (s.squarings > 0) {
      EXPECT_GE(std::ldexp(norm, -s.squarings), 0.5 * 5.37192);
    }
    EXPECT_EQ(s.products, s.wanted);
  }
}

TEST(DenseExponential, TheCapCutsSquarings) {
  const RandomLinearContact r(9, 6, 6, 40e-3);
  const DenseStatistics free = evaluate_dense(r.view()).statistics;
  ASSERT_GT(free.squarings, 2);
  const DenseStatistics capped = evaluate_dense(r.view(), {.products = 7, .balance = true}).statistics;
  EXPECT_EQ(capped.order, 13);
  EXPECT_EQ(capped.squarings, 1);
  EXPECT_EQ(capped.products, 7);
  EXPECT_EQ(capped.wanted, free.products);
  const DenseStatistics loose = evaluate_dense(r.view(), {.products = 100, .balance = true}).statistics;
  EXPECT_EQ(loose.products, free.products);
}

TEST(DenseExponential, WhatIsNotFiniteGivesNaN) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    RandomLinearContact r(1, 3, 3, 2e-3);
    r.velocity[1] = bad;
    EXPECT_FALSE(evaluate_dense(r.view()).average.allFinite());
  }
}

TEST(DenseExponential, AllocatesNothingOnceTheLargestHasBeenSeen) {
  const RandomLinearContact large(1, 24, 20, 2e-3), small(2, 6, 6, 20e-3);
  const LinearContact l = large.view(), s = small.view();
  DenseWork work;
  Vec a(24), b(24);
  dense_forces(l, {}, work, a.data(), b.data());
  const test::HeapCount heap;
  for (int products = -1; products < 9; ++products) {
    dense_forces(s, {.products = products, .balance = true}, work, a.data(), b.data());
    dense_forces(l, {.products = products, .balance = false}, work, a.data(), b.data());
  }
  if (test::kCountsAllocations) {
    EXPECT_EQ(heap.count(), 0);
  }
}

}  // namespace
}  // namespace stiction
