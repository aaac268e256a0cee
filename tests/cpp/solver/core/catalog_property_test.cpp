// SPDX-License-Identifier: BSD-2-Clause
// Properties that every solver of the catalog must have, under every law it solves. A new solver is covered by entering
// the catalog.
#include <gtest/gtest.h>
#include <stiction/problem/judge.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "solver/newton_problems.h"
#include "solver/solver_support.h"
#include "support/heap_count.h"

namespace stiction {
namespace {

void for_each_solver(const std::function<void(const SolverInfo&, FrictionLaw)>& check) {
  for (const SolverInfo& s : solver_catalog())
    for (const FrictionLaw::Kind law : s.laws) {
      SCOPED_TRACE(s.name + " with law " + name(law));
      check(s, {law});
    }
}

// Methods that regularise get problems with compliance in every row, which are then the ones they solve.
ContactProblem fit(const SolverInfo& s, ContactProblem p) {
  if (!s.regularises) return p;
  double trace = 0.0;
  for (int i = 0; i < p.G.blocks(); ++i)
    for (int r = 0; r < p.blocks[static_cast<std::size_t>(i)].size; ++r)
      trace += p.G.diagonal_block(i)[r * (p.blocks[static_cast<std::size_t>(i)].size + 1)];
  p.compliance.assign(p.rows(), p.rows() > 0 ? 1e-2 * trace / p.rows() : 1.0);
  return p;
}

test::Outcome run(const SolverInfo& s, const ContactProblem& p, OptionMap options = {}) {
  if (s.regularises) options["regularisation"] = std::string("none");
  return test::run(s.name, p, options);
}

const OptionMap kPatient = {{"max_iterations", 50000}};
const OptionMap kTight = {{"tolerance", 1e-11}, {"max_iterations", 50000}};

// The report is the judge's, and `converged` means accepted.
void expect_honest(const ContactProblem& p, const Vec& lambda, const Report& r) {
  ASSERT_TRUE(lambda.allFinite());
  const Residual own = evaluate(p, lambda);
  EXPECT_EQ(r.own.ratio, own.ratio);
  EXPECT_EQ(r.status == Status::converged, own.accepted()) << name(r.status) << " at ratio " << own.ratio;
  EXPECT_GE(r.iterations, 1);
}

// Oracle: one contact pressed straight: λ = (0, 0, 0.00981).
TEST(EverySolver, OneContact) {
  for_each_solver([](const SolverInfo& s, FrictionLaw law) {
    const OptionMap relative = {
        {"tolerance", 1e-13}, {"force_tolerance", 0.0}, {"velocity_tolerance", 0.0}, {"power_tolerance", 0.0}};
    const ContactProblem p = fit(s, reference::rp0(law));
    const auto [lambda, report] = run(s, p, relative);
    EXPECT_EQ(report.status, Status::converged);
    EXPECT_LE((lambda - Vec3(0.0, 0.0, 0.00981 / (1.0 + p.R(2)))).norm(), 1e-12);
  });
}

// Oracle: the tables of reference_problems.h, total force of the sliding and the pulled cube.
TEST(EverySolver, CubeProblems) {
  for_each_solver([](const SolverInfo& s, FrictionLaw law) {
    if (s.regularises) return;
    const ContactProblem slide = reference::rp1(law), pull = reference::rp3(law);
    const auto a = run(s, slide, kPatient), b = run(s, pull, kPatient);
    EXPECT_EQ(a.report.status, Status::converged);
    EXPECT_EQ(b.report.status, Status::converged);
    const std::map<FrictionLaw::Kind, Vec3> total = {{FrictionLaw::coulomb, {0.975000, -8.774999, 9.81}},
                                                     {FrictionLaw::convex, {65.23662, -587.12959, 656.3808}},
                                                     {FrictionLaw::pyramid, {9.298173, -9.298173, 10.331303}},
                                                     {FrictionLaw::raisim, {0.91358, -8.21663, 9.81}}};
    const Vec3 slid = test::total_force(slide, a.lambda, 0, 4);
    EXPECT_LE((slid - total.at(law.kind)).norm(), 1e-3) << slid.transpose();
    const Vec3 held = test::total_force(pull, b.lambda, 0, 4);
    EXPECT_LE((held - Vec3(-1.0, 0.0, 9.81)).norm(), 1e-4) << held.transpose();
  });
}

// Hard cases: whatever comes out is finite and honestly labelled; the frictionless and empty ones are solved.
TEST(EverySolver, HardCases) {
  for_each_solver([](const SolverInfo& s, FrictionLaw law) {
    std::vector<reference::NamedProblem> cases = reference::rp4(law);
    cases.push_back({"rp2", reference::rp2(law)});
    for (const auto& [name, given] : cases) {
      SCOPED_TRACE(name);
      const ContactProblem p = fit(s, given);
      const auto [lambda, report] = run(s, p);
      expect_honest(p, lambda, report);
      EXPECT_NE(report.status, Status::invalid_problem);
      EXPECT_NE(report.status, Status::numerical_failure);
    }
  });
}

// Random problems with full-rank G: solved, and every storage gives the same velocity.
TEST(EverySolver, StoragesAgree) {
  for_each_solver([](const SolverInfo& s, FrictionLaw law) {
    for (unsigned seed = 0; seed < 5; ++seed) {
      ContactProblem body = test::random_mix(seed, 3, 2, false, 1e-3);
      body.law = law;
      body = fit(s, body);
      const auto a = run(s, body, kTight), b = run(s, test::as_dense(body), kTight),
                 c = run(s, test::as_block_sparse(body), kTight);
      for (const auto* o : {&a, &b, &c}) EXPECT_EQ(o->report.status, Status::converged) << "seed " << seed;
      const Vec u = test::velocity(body, a.lambda);
      EXPECT_LE((test::velocity(body, b.lambda) - u).norm(), 1e-7) << "seed " << seed;
      EXPECT_LE((test::velocity(body, c.lambda) - u).norm(), 1e-7) << "seed " << seed;
    }
  });
}

// Mixed kinds of blocks, redundant, in every storage: a report never lies, and most are solved.
TEST(EverySolver, MixedBlocks) {
  for_each_solver([](const SolverInfo& s, FrictionLaw law) {
    int solved = 0;
    const int cases = 60;
    for (unsigned seed = 0; seed < cases; ++seed) {
      ContactProblem p =
          test::random_mix(seed, 1 + static_cast<int>(seed % 3), 1 + static_cast<int>(seed % 5), true, 1e-3);
      p.law = law;
      p = fit(s, p);
      if (seed % 3 == 1) p = test::as_dense(p);
      if (seed % 3 == 2) p = test::as_block_sparse(p);
      const auto [lambda, report] = run(s, p, {{"max_iterations", 5000}});
      expect_honest(p, lambda, report);
      solved += report.status == Status::converged;
    }
    EXPECT_GE(solved, cases * 8 / 10);
  });
}

// Blocks in another order, all masses scaled, and frames turned about N: the same motion.
TEST(EverySolver, InvariantToOrderScaleAndFrame) {
  for_each_solver([](const SolverInfo& s, FrictionLaw law) {
    for (unsigned seed = 0; seed < 4; ++seed) {
      SCOPED_TRACE(seed);
      const ContactProblem p = fit(s, test::random_contacts(seed, 4, 0.4, law));
      const Vec u = test::velocity(p, run(s, p, kTight).lambda);

      std::vector<int> rows;
      ContactProblem q = test::permuted(p, {2, 0, 3, 1}, rows);
      if (p.compliant()) q.compliance.assign(q.rows(), p.R(0));
      const Vec v = test::velocity(q, run(s, q, kTight).lambda);
      for (int r = 0; r < 12; ++r) EXPECT_NEAR(v[r], u[rows[static_cast<std::size_t>(r)]], 1e-7);

      const ContactProblem heavy =
          fit(s, ContactProblem::from_dense(p.G.densify() / 1000.0, p.g.vec(), Vec::Constant(4, 0.4), law, p.dt));
      EXPECT_LE((test::velocity(heavy, run(s, heavy, kTight).lambda) - u).norm(), 1e-7);

      if (law.kind == FrictionLaw::pyramid) continue;  // its axes are the frame's
      Mat turn = Mat::Identity(12, 12);
      for (int i = 0; i < 4; ++i) {
        const double a = 0.3 + i;
        turn.block<2, 2>(3 * i, 3 * i) << std::cos(a), std::sin(a), -std::sin(a), std::cos(a);
      }
      const ContactProblem turned =
          fit(s, ContactProblem::from_dense(turn * p.G.densify() * turn.transpose(), turn * p.g.vec(),
                                            Vec::Constant(4, 0.4), law, p.dt));
      EXPECT_LE((turn.transpose() * test::velocity(turned, run(s, turned, kTight).lambda) - u).norm(), 1e-7);
    }
  });
}

// R → 0: the compliant velocity goes to the rigid one linearly on full-rank G.
TEST(EverySolver, ComplianceVanishesLinearly) {
  for_each_solver([](const SolverInfo& s, FrictionLaw law) {
    if (s.regularises) return;
    ContactProblem p = test::random_contacts(3, 4, 0.4, law);
    const Vec rigid = run(s, p, kTight).lambda;
    double last = 0.0;
    for (const double R : {1e-4, 1e-5, 1e-6}) {
      p.compliance.assign(12, R);
      const auto [lambda, report] = run(s, p, kTight);
      EXPECT_EQ(report.status, Status::converged) << R;
      const double distance = (lambda - rigid).norm();
      EXPECT_GT(distance, 0.0) << R;
      if (last > 0.0) {
        EXPECT_NEAR(distance / last, 0.1, 0.02) << R;
      }
      last = distance;
    }
  });
}

// A warm start at the solution ends after one iteration, and is not handed back untouched by accident.
TEST(EverySolver, WarmStartAtTheSolution) {
  for_each_solver([](const SolverInfo& s, FrictionLaw law) {
    const ContactProblem p = fit(s, test::random_contacts(1, 4, 0.5, law));
    Vec lambda = run(s, p, {{"tolerance", 1e-12}, {"max_iterations", 50000}}).lambda;
    const auto cold = run(s, p, kPatient);
    OptionMap options = kPatient;
    if (s.regularises) options["regularisation"] = std::string("none");
    const Report warm = make_solver(s.name, options)->solve(p, lambda);
    EXPECT_EQ(warm.status, Status::converged);
    EXPECT_LE(warm.iterations, 1);
    EXPECT_LE(warm.iterations, cold.report.iterations);
    options["cold_start"] = true;
    const Report again = make_solver(s.name, options)->solve(p, lambda);
    EXPECT_EQ(again.iterations, cold.report.iterations);
  });
}

TEST(EverySolver, SecondSolveAllocatesNothingAndRepeatsItsBits) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "the sanitizers replace malloc";
  for_each_solver([](const SolverInfo& s, FrictionLaw law) {
    ContactProblem mixed = test::random_mix(5, 3, 6, true, 1e-3);
    mixed.law = law;
    const std::vector<ContactProblem> problems = {reference::rp1(law), reference::rp2(law), mixed,
                                                  test::as_block_sparse(mixed), test::as_dense(mixed)};
    const auto solver = make_solver(s.name);
    std::vector<Vec> first;
    for (const ContactProblem& p : problems) {
      first.push_back(Vec::Zero(p.rows()));
      solver->solve(p, first.back());
    }
    for (std::size_t k = 0; k < problems.size(); ++k) {
      Vec lambda = Vec::Zero(problems[k].rows());
      const test::HeapCount heap;
      solver->solve(problems[k], lambda);
      EXPECT_EQ(heap.count(), 0) << "problem " << k;
      EXPECT_EQ(lambda, first[k]) << "problem " << k << " gives other bits after other problems";
    }
  });
}

// NaN and Inf in data or guess never come back as numbers or as success.
TEST(EverySolver, DataThatAreNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for_each_solver([&](const SolverInfo& s, FrictionLaw law) {
    for (const double bad : {nan, inf}) {
      ContactProblem p = test::random_contacts(2, 3, 0.5, law);
      p.g[4] = bad;
      auto broken = run(s, p);
      EXPECT_TRUE(broken.report.status == Status::invalid_problem || broken.report.status == Status::numerical_failure);
      EXPECT_TRUE(broken.lambda.allFinite());
      p = test::random_contacts(2, 3, 0.5, law);
      p.G.dense[7] = bad;
      broken = run(s, p);
      EXPECT_TRUE(broken.report.status == Status::invalid_problem || broken.report.status == Status::numerical_failure);
      EXPECT_TRUE(broken.lambda.allFinite());
      EXPECT_FALSE(broken.report.own.accepted());
      p = test::random_contacts(2, 3, 0.5, law);
      Vec guess = Vec::Constant(p.rows(), bad);
      p = fit(s, p);
      OptionMap options = kPatient;
      if (s.regularises) options["regularisation"] = std::string("none");
      EXPECT_EQ(make_solver(s.name, options)->solve(p, guess).status, Status::converged);
      EXPECT_TRUE(guess.allFinite());
    }
  });
}

// The 40-problem set on which solvers that judge themselves accept errors of 0.9: accepted means accepted.
TEST(EverySolver, NeverJudgesItself) {
  for_each_solver([](const SolverInfo& s, FrictionLaw law) {
    int solved = 0;
    for (const double ratio : {1.0, 1e2, 1e4})
      for (const double mu : {0.0, 0.001, 0.05, 0.6})
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
          const ContactProblem p = fit(s, reference::random_six(seed, ratio, mu, law));
          const auto [lambda, report] = run(s, p, {{"max_iterations", 2000}});
          expect_honest(p, lambda, report);
          solved += report.status == Status::converged;
        }
    EXPECT_GE(solved, 24);
  });
}

}  // namespace
}  // namespace stiction
