// SPDX-License-Identifier: BSD-2-Clause
// newton with `proximal`: the rigid convex problem, solved as given.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/newton/newton.h>

#include "solver/newton_problems.h"
#include "solver/random_problems.h"
#include "solver/solver_support.h"
#include "support/heap_count.h"

namespace stiction {
namespace {

using test::run;

const FrictionLaw kConvexLaw{FrictionLaw::convex};
const OptionMap kProximal = {{"proximal", true}};
const OptionMap kTight = {{"proximal", true},
                          {"tolerance", 1e-11},
                          {"force_tolerance", 1e-9},
                          {"velocity_tolerance", 1e-12},
                          {"power_tolerance", 1e-12}};

ContactProblem convex_mix(unsigned seed) {
  ContactProblem p = test::random_mix(seed, 1 + static_cast<int>(seed % 3), 1 + static_cast<int>(seed % 5), true, 1e-3);
  p.law = kConvexLaw;
  return p;
}

// Oracle: the numbers of reference_problems.h and static equilibrium. No regularisation is reported.
TEST(NewtonProximal, ReferenceProblems) {
  const ContactProblem slide = reference::rp1(kConvexLaw), stack = reference::rp2(kConvexLaw),
                       pull = reference::rp3(kConvexLaw);
  const auto a = run("newton", slide, kProximal), b = run("newton", stack, kProximal),
             c = run("newton", pull, kProximal);
  for (const auto* o : {&a, &b, &c}) {
    EXPECT_EQ(o->report.status, Status::converged);
    EXPECT_LE(o->report.iterations, 60);
    EXPECT_EQ(o->report.factorisations, o->report.iterations);
    EXPECT_EQ(o->report.regularised.ratio, 0.0);
  }
  EXPECT_LE((test::total_force(slide, a.lambda, 0, 4) - Vec3(65.23662, -587.12959, 656.3808)).norm(), 1e-3);
  EXPECT_NEAR(test::total_force(stack, b.lambda, 0, 4).z(), 9810.0098, 1e-3);
  EXPECT_LE((test::total_force(pull, c.lambda, 0, 4) - Vec3(-1.0, 0.0, 9.81)).norm(), 1e-4);
  for (const double ratio : {1.0, 1e2, 1e4, 1e6}) {
    const ContactProblem p = reference::heavy_on_light(ratio, kConvexLaw);
    const auto [lambda, report] = run("newton", p, kProximal);
    EXPECT_EQ(report.status, Status::converged) << ratio;
    const double right = ratio == 1.0 ? 19.62 : ratio == 1e2 ? 99.081 : ratio == 1e4 ? 981.0981 : 9810.00981;
    EXPECT_NEAR(test::total_force(p, lambda, 0, 4).z(), right, 1e-4 * right) << ratio;
  }
}

// Oracle: the velocity of the convex law is unique, also where λ is not; admm finds it too. Every kind of block, every
// storage, redundant rows.
TEST(NewtonProximal, AgreesWithAdmmInEveryStorage) {
  int compared = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const ContactProblem p = convex_mix(seed);
    const auto oracle = run("admm", p, {{"tolerance", 1e-10}, {"max_iterations", 50000}});
    for (const ContactProblem& q : {p, test::as_dense(p), test::as_block_sparse(p)}) {
      const auto [lambda, report] = run("newton", q, kProximal);
      EXPECT_EQ(report.status, Status::converged) << seed;
      if (oracle.report.status != Status::converged) continue;
      ++compared;
      EXPECT_LE((test::velocity(p, lambda) - test::velocity(p, oracle.lambda)).norm(), 1e-6) << seed;
    }
  }
  EXPECT_GE(compared, 90);
}

// Oracle: with R > 0 there is one λ, and newton without proximal finds it.
TEST(NewtonProximal, ComplianceOfTheProblemStays) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    ContactProblem p = convex_mix(seed);
    p.compliance.assign(p.rows(), 1e-2);
    OptionMap plain = kTight;
    plain.erase("proximal");
    const auto a = run("newton", p, kTight), b = run("newton", p, plain);
    EXPECT_EQ(a.report.status, Status::converged) << seed;
    EXPECT_EQ(b.report.status, Status::converged) << seed;
    EXPECT_LE((a.lambda - b.lambda).norm(), 1e-6 * (1e-3 + b.lambda.norm())) << seed;
  }
  ContactProblem p =
      reference::rp1(kConvexLaw);  // unequal tangents, one row rigid: newton alone solves another problem
  p.compliance.assign(12, 1e-3);
  p.compliance[4] = 2e-3, p.compliance[8] = 0.0;
  EXPECT_EQ(run("newton", p).report.status, Status::stalled);
  const auto [lambda, report] = run("newton", p, kTight);
  EXPECT_EQ(report.status, Status::converged);
  const auto oracle = run("admm", p, {{"tolerance", 1e-11}, {"max_iterations", 50000}});
  EXPECT_LE((lambda - oracle.lambda).norm(), 1e-5 * oracle.lambda.norm());
}

TEST(NewtonProximal, WarmStartAtTheSolutionTakesOneStep) {
  for (const ContactProblem& p : {test::random_contacts(1, 4, 0.5, kConvexLaw), reference::rp1(kConvexLaw),
                                  reference::rp2(kConvexLaw), convex_mix(4)}) {
    Vec lambda = run("newton", p, kTight).lambda;
    const Report warm = make_solver("newton", kProximal)->solve(p, lambda);
    EXPECT_EQ(warm.status, Status::converged);
    EXPECT_EQ(warm.iterations, 1);
    OptionMap cold = kProximal;
    cold["cold_start"] = true;
    EXPECT_EQ(make_solver("newton", cold)->solve(p, lambda).iterations, run("newton", p, kProximal).report.iterations);
  }
}

// Oracle: the judge. Rank deficient, mass ratios to 1e6, μ to 2, reachable (g = Jv): a solution exists or is approached.
TEST(NewtonProximal, SolvesWhatIsReachable) {
  int tried = 0, solved = 0;
  const auto solver = make_solver("newton", {{"proximal", true}, {"max_iterations", 1000}});
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto [p, consistent] = test::random_pyramid(seed, kConvexLaw);
    Vec lambda = Vec::Zero(p.rows());
    const Report report = solver->solve(p, lambda);
    ASSERT_TRUE(lambda.allFinite()) << seed;
    ASSERT_EQ(report.status == Status::converged, evaluate(p, lambda).accepted()) << seed;
    if (!consistent) continue;
    ++tried, solved += report.status == Status::converged;
  }
  EXPECT_GE(tried, 200);
  EXPECT_GE(solved, tried * 99 / 100) << tried;
}

// Oracle: d = (0, 0, 1) of the second contact has Gd = 0 and gᵀd < 0: no λ exists. Found, said, and soon.
TEST(NewtonProximal, JamIsProved) {
  Mat G = Mat::Identity(6, 6);
  G.row(5).setZero(), G.col(5).setZero();
  const ContactProblem p =
      ContactProblem::from_dense(G, Vec::Constant(6, -0.1), Vec::Constant(2, 0.5), kConvexLaw, 1e-3);
  const auto [lambda, report] = run("newton", p, {{"proximal", true}, {"max_iterations", 100000}});
  EXPECT_EQ(report.status, Status::stalled);
  EXPECT_LE(report.iterations, 40);
  EXPECT_TRUE(lambda.allFinite());
  ContactProblem open = p;  // the same contact leaves: solvable
  open.g[5] = 0.1;
  EXPECT_EQ(run("newton", open, kProximal).report.status, Status::converged);
}

TEST(NewtonProximal, SecondSolveAllocatesNothingAndRepeatsItsBits) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "the sanitizers replace malloc";
  const std::vector<ContactProblem> problems = {reference::rp1(kConvexLaw), reference::rp2(kConvexLaw), convex_mix(5),
                                                test::as_block_sparse(convex_mix(5)), test::as_dense(convex_mix(8))};
  for (const char* search : {"exact", "armijo"}) {
    const auto solver = make_solver("newton", {{"proximal", true}, {"line_search", std::string(search)}});
    std::vector<Vec> first;
    for (const ContactProblem& p : problems) {
      first.push_back(Vec::Zero(p.rows()));
      EXPECT_EQ(solver->solve(p, first.back()).status, Status::converged) << search;
    }
    for (std::size_t k = 0; k < problems.size(); ++k) {
      Vec lambda = Vec::Zero(problems[k].rows());
      const test::HeapCount heap;
      solver->solve(problems[k], lambda);
      EXPECT_EQ(heap.count(), 0) << k;
      EXPECT_EQ(lambda, first[k]) << k;
    }
  }
}

// The judge's word at each Newton step of all outer steps; budget and clock are kept.
TEST(NewtonProximal, HistoryAndLimits) {
  const ContactProblem p = reference::rp1(kConvexLaw);
  const auto solver = make_solver("newton", kProximal);
  History history;
  history.start();
  solver->record(&history);
  Vec lambda = Vec::Zero(12);
  const Report report = solver->solve(p, lambda);
  ASSERT_EQ(static_cast<int>(history.samples().size()), report.iterations);
  EXPECT_EQ(history.samples().back().own.ratio, report.own.ratio);
  const auto few = run("newton", p, {{"proximal", true}, {"max_iterations", 3}});
  EXPECT_EQ(few.report.status, Status::max_iterations);
  EXPECT_EQ(few.report.iterations, 3);
  const auto quick = run("newton", p, {{"proximal", true}, {"time_limit", 1e-12}});
  EXPECT_EQ(quick.report.status, Status::max_iterations);
  EXPECT_EQ(quick.report.iterations, 1);
}

// No rule is used, so none may be asked for.
TEST(NewtonProximal, RulesAreRefused) {
  EXPECT_THROW(make_solver("newton", {{"proximal", true}, {"beta", 2.0}}), InvalidInput);
  EXPECT_THROW(make_solver("newton", {{"proximal", true}, {"sigma", 2.0}}), InvalidInput);
  EXPECT_THROW(make_solver("newton", {{"proximal", true}, {"regularisation", std::string("mujoco")}}), InvalidInput);
  EXPECT_NO_THROW(make_solver("newton", {{"proximal", true}, {"regularisation", std::string("none")}}));
}

// Oracle: the stages one after the other by hand; λ to the bit, iterations and factorisations summed.
TEST(NewtonProximal, StageOfAuto) {
  const std::vector<std::pair<std::string, OptionMap>> stages = {
      {"pgs", {{"max_iterations", 400}}},
      {"admm", {{"max_iterations", 300}}},
      {"newton", {{"proximal", true}, {"max_iterations", 1000}}}};
  int reached = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto [p, consistent] = test::random_pyramid(seed, kConvexLaw);
    const auto [lambda, report] = run("auto", p);
    EXPECT_EQ(report.own.ratio, evaluate(p, lambda).ratio) << seed;
    if (consistent) {
      EXPECT_EQ(report.status, Status::converged) << seed << " " << report.path;
    }
    if (report.path != std::string("pgs>admm>newton")) continue;
    ++reached;
    Vec by_hand = Vec::Zero(p.rows());
    int iterations = 0, factorisations = 0;
    for (const auto& [name, options] : stages) {
      const Report stage = make_solver(name, options)->solve(p, by_hand);
      iterations += stage.iterations, factorisations += stage.factorisations;
    }
    EXPECT_EQ(lambda, by_hand) << seed;
    EXPECT_EQ(report.iterations, iterations) << seed;
    EXPECT_EQ(report.factorisations, factorisations) << seed;
  }
  EXPECT_GT(reached, 0);
}

}  // namespace
}  // namespace stiction
