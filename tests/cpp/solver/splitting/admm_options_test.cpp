// SPDX-License-Identifier: BSD-2-Clause
// Penalty rules, acceleration and the primal variant of admm.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>
#include <stiction/solver/splitting/admm_rho.h>

#include <cmath>

#include "solver/newton_problems.h"
#include "solver/solver_support.h"

namespace stiction {
namespace {

using test::run;

OptionMap word(const char* field, const char* value) { return {{field, std::string(value)}}; }

// Oracle: the definitions in admm_rho.h, on L = 100, m = 1e-6: κ = 1e8, √(Lm) = 1e-2.
TEST(RhoRule, FollowsItsDefinition) {
  const AdmmStep impulse_lags{1.0, 1e-3, 1.0, 1.0, true}, velocity_lags{1e-3, 1.0, 1.0, 1.0, true};
  RhoRule spectral("spectral", 0.2, 0.05, 2.0);
  EXPECT_NEAR(spectral.start(100.0, 1e-6, 0.0), 1e-2 * std::pow(1e8, 0.2), 1e-12);
  EXPECT_NEAR(spectral.next(1.0, impulse_lags), std::pow(1e8, 0.05), 1e-12);
  EXPECT_NEAR(spectral.next(1.0, velocity_lags), std::pow(1e8, -0.05), 1e-12);
  EXPECT_EQ(spectral.next(1.0, {1.0, 0.5, 1.0, 1.0, true}), 1.0);
  EXPECT_EQ(spectral.next(1e5, impulse_lags), 1e5);     // 1e3 L
  EXPECT_EQ(spectral.next(1e-6, velocity_lags), 1e-6);  // max(1e-6, 1e-12 L)
  EXPECT_EQ(spectral.start(100.0, 1e-6, 7.0), 7.0);
  RhoRule linear("linear", 0.2, 0.05, 3.0);
  linear.start(100.0, 1e-6, 1.0);
  EXPECT_EQ(linear.next(1.0, impulse_lags), 3.0);
  EXPECT_EQ(linear.next(3.0, velocity_lags), 1.0);
  RhoRule osqp("osqp", 0.2, 0.05, 2.0);
  osqp.start(100.0, 1e-6, 1.0);
  EXPECT_NEAR(osqp.next(1.0, impulse_lags), std::sqrt(1e3), 1e-6);
  EXPECT_NEAR(osqp.next(1.0, {1e-3, 1e-3, 1e-2, 10.0, true}), std::sqrt(1e3), 1e-6);  // relative residuals count
  EXPECT_EQ(osqp.next(1.0, {16.0, 1.0, 1.0, 1.0, true}), 1.0);                        // a factor 4 is not worth it
  EXPECT_EQ(osqp.next(1.0, {0.0, 0.0, 1.0, 1.0, true}), 1.0);
  EXPECT_TRUE(std::isfinite(osqp.next(1.0, {0.0, 1.0, 1.0, 1.0, true})));
  RhoRule constant("constant", 0.2, 0.05, 2.0);
  constant.start(100.0, 1e-6, 1.0);
  EXPECT_EQ(constant.next(1.0, impulse_lags), 1.0);
}

const OptionMap kSpectrum = {{"rho_start", std::string("spectrum")}, {"newton", 0}, {"anderson", 0}};

// Oracle: 24 iterations to 1e-8 on the tower of twenty cubes of the FCLIB set, by a prototype with this start and a rule
// like osqp that looks every 20 iterations; Gauss-Seidel needs 433 000 sweeps.
TEST(Admm, SpectralStartOnATower) {
  ContactProblem p = test::as_dense(test::box_pile(test::cube_stack(20, 1e-2), 0.7, 1e-2));
  p.dt.reset();
  for (const char* rule : {"osqp", "spectral"}) {
    OptionMap options = kSpectrum;
    options["rho_rule"] = std::string(rule);
    const auto [lambda, report] = run("admm", p, options);
    EXPECT_EQ(report.status, Status::converged) << rule;
    EXPECT_LE(report.iterations, 24) << rule;
  }
}

// Oracle: scale invariance. Masses c times smaller and velocities d times larger give λ d/c times larger after as many
// iterations, if μ_p goes along; the preset's ρ, which knows no smallest eigenvalue, does not scale.
TEST(Admm, SpectralStartScalesWithTheProblem) {
  const ContactProblem p = test::random_contacts(4, 6, 0.5);
  const double c = 1e3, d = 10.0;
  ContactProblem q = p;
  for (double& x : q.G.dense) x *= c;
  for (double& x : q.G.diagonal) x *= c;
  for (int r = 0; r < q.rows(); ++r) q.g[r] *= d;
  const auto iterate = [](const ContactProblem& problem, double prox, const char* start) {
    ContactProblem file = problem;
    file.dt.reset();
    OptionMap options = kSpectrum;
    options["rho_start"] = std::string(start), options["rho_rule"] = std::string("constant"), options["prox"] = prox;
    options["max_iterations"] = 15, options["tolerance"] = 1e-14;
    return run("admm", file, options).lambda;
  };
  const Vec a = iterate(p, 1e-6, "spectrum"), b = iterate(q, 1e-6 * c, "spectrum") * (c / d);
  EXPECT_LE((a - b).norm(), 1e-9 * a.norm());
  const Vec e = iterate(p, 1e-6, "preset"), f = iterate(q, 1e-6, "preset") * (c / d);
  EXPECT_GT((e - f).norm(), 1e-6 * e.norm());
}

TEST(Admm, SpectralStartIsRefusedWhereItWouldDoNothing) {
  EXPECT_THROW(make_solver("admm", {{"rho_start", std::string("spectrum")}, {"rho", 1.0}}), InvalidInput);
  EXPECT_THROW(make_solver("admm", {{"rho_start", std::string("spectrum")}, {"variant", std::string("primal")}}),
               InvalidInput);
  EXPECT_THROW(make_solver("admm", {{"rho_start", std::string("eigen")}}), InvalidInput);
}

// Oracle: the tables of reference_problems.h, whatever the rule and the acceleration.
TEST(Admm, EveryRuleReachesTheSameForces) {
  const std::vector<OptionMap> ways = {
      word("rho_rule", "spectral"),  word("rho_rule", "osqp"),    word("rho_rule", "linear"),
      word("rho_rule", "constant"),  word("preset", "pinocchio"), {{"anderson", 0}},
      word("rho_start", "spectrum"), {{"anderson", 10}},          {{"dual_momentum", 0.2}},
      {{"over_relaxation", 1.0}},
  };
  for (const OptionMap& way : ways) {
    OptionMap options = way;
    options["max_iterations"] = 20000;
    const std::string label = way.begin()->first;
    const ContactProblem slide = reference::rp1(), convex = reference::rp1({FrictionLaw::convex});
    const auto a = run("admm", slide, options), b = run("admm", convex, options);
    EXPECT_EQ(a.report.status, Status::converged) << label;
    EXPECT_EQ(b.report.status, Status::converged) << label;
    EXPECT_NEAR(test::total_force(slide, a.lambda, 0, 4).z(), 9.81, 1e-5) << label;
    EXPECT_NEAR(test::total_force(convex, b.lambda, 0, 4).z(), 656.3808, 1e-3) << label;
  }
  EXPECT_EQ(run("admm", reference::rp1(), word("rho_rule", "constant")).report.factorisations, 1);
}

// Sliding is where the plain method is slow: Anderson must at least halve the iterations summed over a set.
TEST(Admm, AndersonPays) {
  int plain = 0, accelerated = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ContactProblem p = test::random_contacts(seed, 6, 0.3);
    const auto a = run("admm", p, {{"anderson", 0}, {"max_iterations", 20000}, {"over_relaxation", 1.0}});
    const auto b = run("admm", p, {{"max_iterations", 20000}});
    ASSERT_EQ(a.report.status, Status::converged) << seed;
    ASSERT_EQ(b.report.status, Status::converged) << seed;
    plain += a.report.iterations, accelerated += b.report.iterations;
  }
  EXPECT_LE(accelerated, plain / 2) << plain;
}

// Oracle: with R > 0 the convex λ is unique; the dual variant finds it. Every kind of block and every storage.
TEST(Admm, PrimalVariantAgreesWithTheDual) {
  const OptionMap tight = {{"tolerance", 1e-10}, {"velocity_tolerance", 1e-11}, {"max_iterations", 20000}};
  for (const auto law : {FrictionLaw::convex, FrictionLaw::coulomb})
    for (unsigned seed = 0; seed < 12; ++seed) {
      ContactProblem p =
          test::random_mix(seed, 1 + static_cast<int>(seed % 3), 1 + static_cast<int>(seed % 5), true, 1e-3);
      p.law = {law};
      p.compliance.assign(p.rows(), 1e-2);
      if (seed % 3 == 1) p = test::as_dense(p);
      if (seed % 3 == 2) p = test::as_block_sparse(p);
      OptionMap primal = tight;
      primal["variant"] = std::string("primal");
      const auto a = run("admm", p, tight), b = run("admm", p, primal);
      EXPECT_EQ(b.report.status, Status::converged) << name(law) << " " << seed;
      if (law != FrictionLaw::convex || a.report.status != Status::converged) continue;
      EXPECT_LE((a.lambda - b.lambda).norm(), 1e-6 * (1e-3 + a.lambda.norm())) << seed;
    }
}

TEST(Admm, PrimalVariantNeedsCompliance) {
  ContactProblem p = reference::rp1();
  EXPECT_EQ(run("admm", p, word("variant", "primal")).report.status, Status::invalid_problem);
  p.compliance.assign(12, 1e-3);
  EXPECT_EQ(run("admm", p, word("variant", "primal")).report.status, Status::converged);
  p.compliance[5] = 0.0;
  EXPECT_EQ(run("admm", p, word("variant", "primal")).report.status, Status::invalid_problem);
}

// A pile in body space: the factor is sparse by velocity groups. Oracle: the weight and the dense solve's velocity.
TEST(Admm, PrimalVariantOnATower) {
  const double dt = 1e-3;
  ContactProblem p = test::box_pile(test::cube_stack(6, dt), 0.6, dt);
  p.compliance.assign(p.rows(), 1e-4);
  const auto a = run("admm", p, {{"variant", std::string("primal")}, {"max_iterations", 20000}});
  const auto b = run("admm", test::as_dense(p), {{"max_iterations", 20000}});
  EXPECT_EQ(a.report.status, Status::converged);
  EXPECT_EQ(b.report.status, Status::converged);
  EXPECT_LE((test::velocity(p, a.lambda) - test::velocity(p, b.lambda)).norm(), 1e-6);
}

TEST(Admm, OptionsWithoutEffectAreRefused) {
  EXPECT_THROW(make_solver("admm", {{"rho_factor", 3.0}}), InvalidInput);
  EXPECT_THROW(make_solver("admm", {{"rho_factor", 1.0}, {"rho_rule", std::string("linear")}}), InvalidInput);
  EXPECT_THROW(make_solver("admm", word("rho_rule", "fast")), InvalidInput);
  EXPECT_THROW(make_solver("admm", word("variant", "both")), InvalidInput);
  EXPECT_THROW(make_solver("admm", {{"variant", std::string("primal")}, {"anderson", 3}}), InvalidInput);
  EXPECT_THROW(make_solver("admm", {{"variant", std::string("primal")}, {"dual_momentum", 0.1}}), InvalidInput);
  EXPECT_THROW(make_solver("admm", {{"dual_momentum", 1.0}}), InvalidInput);
}

}  // namespace
}  // namespace stiction
