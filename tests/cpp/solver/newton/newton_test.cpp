// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/linalg/whitened_rows.h>
#include <stiction/solver/newton/newton.h>

#include "solver/newton_problems.h"
#include "solver/solver_support.h"

namespace stiction {
namespace {

using test::run;

const FrictionLaw kConvex{FrictionLaw::convex};

OptionMap with_rule(const char* rule) { return {{"regularisation", std::string(rule)}}; }

// Oracle: HHᵀ = ½(G + Gᵀ), and the rank of the sliding cube (6 of 12) and of the stack (12 of 24).
TEST(WhitenedRows, ReproduceG) {
  WhitenedRows rows;
  const auto check = [&](const ContactProblem& p, int rank) {
    rows.load(p);
    EXPECT_EQ(rows.velocities(), rank);
    EXPECT_LE(rows.lost(p), 1e-14 * p.rows());
    const Mat G = p.G.densify();
    Mat H(p.rows(), rank);
    for (int c = 0; c < rank; ++c) {
      const Vec unit = Vec::Unit(rank, c);
      rows.multiply(p, unit.data(), H.col(c).data());
    }
    EXPECT_LE((0.5 * (G + G.transpose()) - H * H.transpose()).norm(), 1e-13 * G.norm());
    const Vec lambda = Vec::LinSpaced(p.rows(), -1.0, 2.0);
    Vec w(rank);
    rows.multiply_transposed(p, lambda.data(), w.data());
    EXPECT_LE((w - H.transpose() * lambda).norm(), 1e-13 * H.norm() * lambda.norm());
  };
  check(reference::rp1(), 6);
  check(reference::rp2(), 12);
  const ContactProblem mix = test::random_mix(3, 2, 8, true, 1e-3);
  check(mix, mix.G.body.velocities);
  check(test::as_block_sparse(reference::rp1()), 6);
  check(test::random_contacts(2, 5, 0.5), 15);
  // Indefinite by 1e-7: what is lost is that, and it is measured.
  Mat G = reference::rp1().G.densify();
  G -= 1e-7 * Mat::Identity(12, 12);
  const ContactProblem bent = ContactProblem::from_dense(G, Vec::Ones(12), Vec::Constant(4, 0.5), kConvex, 1e-3);
  rows.load(bent);
  EXPECT_GT(rows.lost(bent), 1e-9);
  EXPECT_LE(rows.lost(bent), 1e-6);
}

// Oracle: Eigen, for I + HᵀBH with a random symmetric B ≽ 0.
TEST(BodyMatrix, SolvesWhatEigenSolves) {
  for (const bool dense : {false, true}) {
    ContactProblem p = test::random_mix(4, 3, 6, true, 1e-3);
    if (dense) p = test::as_dense(p);
    WhitenedRows rows;
    rows.load(p);
    const int m = rows.velocities();
    Mat H(p.rows(), m), B = Mat::Zero(p.rows(), p.rows());
    for (int c = 0; c < m; ++c) {
      const Vec unit = Vec::Unit(m, c);
      rows.multiply(p, unit.data(), H.col(c).data());
    }
    std::vector<double> packed(static_cast<std::size_t>(p.G.diagonal_start.back()));
    for (std::size_t i = 0; i < p.blocks.size(); ++i) {
      const int n = p.blocks[i].size, row = p.blocks[i].row;
      if (i % 4 == 3) continue;  // open
      const Mat root = Mat::Random(n, n);
      B.block(row, row, n, n) = 10.0 * root * root.transpose();
      for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c)
          packed[static_cast<std::size_t>(p.G.diagonal_start[i] + r * n + c)] = B(row + r, row + c);
    }
    BodyMatrix matrix;
    matrix.prepare(p, rows.body());
    ASSERT_TRUE(matrix.factor(p, rows.body(), packed.data()));
    const Mat A = Mat::Identity(m, m) + H.transpose() * B * H;
    const Vec b = Vec::LinSpaced(m, -1.0, 2.0);
    Vec x = b;
    matrix.solve(x.data());
    EXPECT_LE((A * x - b).norm(), 1e-12 * A.norm() * x.norm()) << dense;
  }
}

// Oracle: Fig. 13, floor force of one static step, in N: [ratio] contactbench / drake / mujoco d = 0.99999, within 5 %.
// The right answer is 9.81 (m₁ + m₂). A cell is `converged` only where the judge accepts the rigid problem: nowhere.
// Exact line search: at most 3 iterations (test 23). The regularised residual is tiny all the same: the report has both.
TEST(Newton, HeavyOnLightTable) {
  struct Row {
    double ratio, bench, drake, mujoco;
  };
  for (const Row& row : {Row{1.0, 17.12, 18.22, 19.62}, Row{1e2, 9.06, 16.16, 98.88}, Row{1e4, 0.99, 1.92, 818.0},
                         Row{1e6, 0.10, 0.19, 467.0}}) {
    const ContactProblem p = reference::heavy_on_light(row.ratio, kConvex);
    const double wanted[] = {row.bench, row.drake, row.mujoco};
    const char* rules[] = {"contactbench", "drake", "mujoco"};
    for (int k = 0; k < 3; ++k) {
      const auto [lambda, report] = run("newton", p, with_rule(rules[k]));
      const double half_digit = wanted[k] < 2.0 ? 0.005 : 0.0;  // "0.10" is printed with two digits
      EXPECT_NEAR(test::total_force(p, lambda, 0, 4).z(), wanted[k], 0.05 * wanted[k] + half_digit)
          << row.ratio << rules[k];
      EXPECT_EQ(report.status, Status::stalled) << row.ratio << rules[k];
      EXPECT_LE(report.iterations, 3) << row.ratio << rules[k];
      EXPECT_TRUE(report.regularised.accepted());
      EXPECT_GT(report.own.ratio, 1.0);
    }
  }
}

// Test 13. Oracle: the spec's numbers; paper scale divides velocities by dt: 1e-6 m/s² is 1e-9 m/s at dt = 1 ms.
TEST(Newton, RegularisationHidesAFailureAndTheReportShowsBoth) {
  const ContactProblem p = reference::rp2(kConvex);
  for (const char* rule : {"contactbench", "drake"}) {
    const auto [lambda, report] = run("newton", p, with_rule(rule));
    EXPECT_LE(report.regularised.dual, 1e-9) << rule;
    EXPECT_LE(report.regularised.primal, 1e-6) << rule;
    EXPECT_LE(report.regularised.complementarity, 1e-9) << rule;
    EXPECT_NEAR(report.own.dual, 5.0e-3, 0.1e-3) << rule;
    EXPECT_EQ(report.status, Status::stalled) << rule;
  }
}

// Oracle: with R given in every row the problem has one λ, which admm finds too, if not always at this tolerance.
// Every storage, every kind of block.
TEST(Newton, AgreesWithAdmmWhenComplianceIsGiven) {
  int compared = 0;
  const OptionMap tight = {{"tolerance", 1e-11},
                           {"force_tolerance", 1e-9},
                           {"velocity_tolerance", 1e-12},
                           {"power_tolerance", 1e-12},
                           {"max_iterations", 50000}};
  for (unsigned seed = 0; seed < 30; ++seed) {
    ContactProblem p =
        test::random_mix(seed, 1 + static_cast<int>(seed % 3), 1 + static_cast<int>(seed % 5), true, 1e-3);
    p.law = kConvex;
    p.compliance.assign(p.rows(), seed % 2 ? 1e-2 : 1e-4);
    const auto oracle = run("admm", p, tight);
    compared += oracle.report.status == Status::converged;
    for (const ContactProblem& q : {p, test::as_dense(p), test::as_block_sparse(p)}) {
      const auto a = run("newton", q, tight);
      EXPECT_EQ(a.report.status, Status::converged) << seed;
      EXPECT_LE(a.report.iterations, 60) << seed;
      if (oracle.report.status != Status::converged) continue;
      EXPECT_LE((a.lambda - oracle.lambda).norm(), 1e-6 * (1e-3 + oracle.lambda.norm())) << seed;
    }
  }
  EXPECT_GE(compared, 27);
}

// Armijo from 1 is no worse than from 1.25, which a quadratic accepts and which then costs a factor 4 per step (test 23).
TEST(Newton, ArmijoFromOneIsNoWorse) {
  for (const double ratio : {1.0, 1e2, 1e4, 1e6}) {
    const ContactProblem p = reference::heavy_on_light(ratio, kConvex);
    const auto from = [&](double first) {
      return run("newton", p, {{"line_search", std::string("armijo")}, {"first_step", first}});
    };
    const auto one = from(1.0), longer = from(1.25);
    EXPECT_TRUE(one.report.regularised.accepted()) << ratio;
    EXPECT_TRUE(longer.report.regularised.accepted()) << ratio;
    EXPECT_LE(one.report.iterations, longer.report.iterations) << ratio;
    EXPECT_LE(longer.report.iterations, 30) << ratio;
    EXPECT_LE((one.lambda - longer.lambda).norm(), 1e-6 * one.lambda.norm()) << ratio;
  }
}

// No stall at a tolerance of 1e-9, sliding: R given, both line searches, at most 20 iterations cold.
TEST(Newton, SlidingCubeCompliant) {
  ContactProblem p = reference::rp1(kConvex);
  p.compliance.assign(12, 1e-3);
  const auto oracle = run("admm", p, {{"tolerance", 1e-11}, {"max_iterations", 20000}});
  for (const char* search : {"exact", "armijo"}) {
    const auto a = run("newton", p, {{"tolerance", 1e-9}, {"line_search", std::string(search)}});
    EXPECT_EQ(a.report.status, Status::converged) << search;
    EXPECT_LE(a.report.iterations, 20) << search;
    EXPECT_LE((a.lambda - oracle.lambda).norm(), 1e-7 * oracle.lambda.norm()) << search;
  }
}

// Only with the compliance it is told to use: none refuses a row without, and keeps what the problem gives.
TEST(Newton, NoneRefusesRigidRows) {
  ContactProblem p = reference::rp1(kConvex);
  EXPECT_EQ(run("newton", p, with_rule("none")).report.status, Status::invalid_problem);
  p.compliance.assign(12, 1e-3);
  EXPECT_EQ(run("newton", p, with_rule("none")).report.status, Status::converged);
  EXPECT_EQ(run("newton", p, with_rule("mujoco")).lambda, run("newton", p, with_rule("none")).lambda);
  p.compliance[4] = 0.0;
  EXPECT_EQ(run("newton", p, with_rule("none")).report.status, Status::invalid_problem);
  p.compliance[4] = 2e-3;  // unequal tangents: solved with the larger, so not as given
  EXPECT_EQ(run("newton", p, with_rule("none")).report.status, Status::stalled);
  p.law.kind = FrictionLaw::coulomb;
  EXPECT_EQ(run("newton", p).report.status, Status::invalid_problem);
}

// The skew part of an unsymmetric G and the negative part of an indefinite one are not in H; the answer has them.
TEST(Newton, UnsymmetricAndIndefiniteG) {
  ContactProblem p = test::random_contacts(5, 4, 0.5, kConvex);
  p.compliance.assign(12, 1e-2);
  Mat G = p.G.densify();
  G(0, 5) += 1e-3, G(5, 0) -= 1e-3;
  p.G = Delassus::from_dense(G, p.G.start);
  ASSERT_FALSE(p.G.symmetric);
  EXPECT_EQ(run("newton", p).report.status, Status::converged);
  p = reference::rp1(kConvex);
  p.G = Delassus::from_dense(p.G.densify() - 1e-7 * Mat::Identity(12, 12), p.G.start);
  p.compliance.assign(12, 1e-3);
  EXPECT_EQ(run("newton", p).report.status, Status::converged);
}

// Test 5: g ∝ dt gives the same forces.
TEST(Newton, ForcesDoNotDependOnTheStep) {
  const auto force = [](double dt) {
    const ContactProblem p = reference::rp3(kConvex, dt);
    return Vec(run("newton", p).lambda / dt);
  };
  const Vec f = force(1e-3);
  EXPECT_LE((force(1e-4) - f).norm(), 1e-6 * f.norm());
  EXPECT_LE((force(1e-2) - f).norm(), 1e-6 * f.norm());
}

// An option of another rule is refused, not ignored.
TEST(Newton, OptionsOfOtherRulesAreRefused) {
  EXPECT_THROW(make_solver("newton", {{"d", 0.9}}), InvalidInput);
  EXPECT_THROW(make_solver("newton", {{"impratio", 10.0}}), InvalidInput);
  EXPECT_THROW(make_solver("newton", {{"first_step", 1.25}}), InvalidInput);
  EXPECT_THROW(make_solver("newton", {{"regularisation", std::string("mujoco")}, {"beta", 2.0}}), InvalidInput);
  EXPECT_THROW(make_solver("newton", {{"regularisation", std::string("none")}, {"sigma", 2.0}}), InvalidInput);
  EXPECT_THROW(make_solver("newton", {{"regularisation", std::string("sap")}}), InvalidInput);
  EXPECT_THROW(make_solver("newton", {{"line_search", std::string("wolfe")}}), InvalidInput);
  const ContactProblem p = reference::rp3(kConvex);
  const Vec standard = run("newton", p).lambda;
  EXPECT_NE(run("newton", p, {{"beta", 2.0}}).lambda, standard);
  EXPECT_NE(run("newton", p, {{"sigma", 1e-2}}).lambda, standard);
  const auto mujoco = [&](const char* field, double x) {
    return run("newton", p, {{"regularisation", std::string("mujoco")}, {field, x}}).lambda;
  };
  EXPECT_NE(mujoco("d", 0.9), mujoco("d", 0.95));
  EXPECT_NE(mujoco("impratio", 2.0), mujoco("impratio", 1.0));
}

}  // namespace
}  // namespace stiction
