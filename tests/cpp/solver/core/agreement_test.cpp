// SPDX-License-Identifier: BSD-2-Clause
// Solvers against one another and against the choice of units: contact-models 14, tests 5, 31 and 36.
#include <gtest/gtest.h>
#include <stiction/problem/judge.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include <cstdio>
#include <map>

#include "solver/solver_support.h"
#include "support/heap_count.h"

namespace stiction {
namespace {

using test::run;

// Oracle: a convex problem of full rank has one λ; under the other laws the velocity is unique for moderate μ, and where
// it is not, several solutions are counted, not failed: every λ compared here has been accepted by the judge.
TEST(Agreement, AllSolversOfALawFindTheSameMotion) {
  std::map<FrictionLaw::Kind, int> several, compared;
  const unsigned seeds = test::kCountsAllocations ? 1000 : 50;  // sanitizers are slow
  for (unsigned seed = 0; seed < seeds; ++seed)
    for (const FrictionLaw::Kind law :
         {FrictionLaw::coulomb, FrictionLaw::convex, FrictionLaw::pyramid, FrictionLaw::raisim}) {
      const ContactProblem p =
          test::random_contacts(seed, 1 + static_cast<int>(seed % 6), 0.1 * (1.0 + seed % 7), {law});
      Vec reference;
      for (const SolverInfo& s : solver_catalog()) {
        if (!test::solves(s, law) || s.regularises) continue;
        const auto [lambda, report] = run(s.name, p, {{"tolerance", 1e-11}, {"max_iterations", 5000}});
        if (report.status != Status::converged) continue;
        const Vec x = law == FrictionLaw::convex ? lambda : test::velocity(p, lambda);
        if (reference.size() == 0) {
          reference = x;
          continue;
        }
        ++compared[law];
        const double distance = (x - reference).norm() / std::max(reference.norm(), p.g.vec().norm());
        if (law == FrictionLaw::convex) {
          EXPECT_LE(distance, 1e-6) << s.name << " " << seed;
        }
        several[law] += distance > 1e-6;
      }
    }
  for (const auto& [law, n] : compared) {
    std::printf("  %-8s %d comparisons, %d with another solution\n", name(law), n, several[law]);
    EXPECT_GE(n, static_cast<int>(seeds) / 2) << name(law);
    EXPECT_LE(several[law], n / 50) << name(law);
  }
}

// Forces in newtons do not depend on dt: g ∝ dt.
TEST(Agreement, ForcesDoNotDependOnTheStep) {
  for (const char* solver : {"auto", "admm", "staggered"}) {
    const ContactProblem stack = reference::rp2(), pulled = reference::rp3();
    const Vec a = run(solver, stack).lambda / 1e-3, b = run(solver, pulled).lambda / 1e-3;
    for (const double dt : {1e-4, 1e-2}) {
      SCOPED_TRACE(std::string(solver) + " dt " + std::to_string(dt));
      const Vec c = run(solver, reference::rp2({}, dt)).lambda / dt,
                d = run(solver, reference::rp3({}, dt)).lambda / dt;
      const auto total = [](const Vec& f) {
        Vec3 sum = Vec3::Zero();
        for (int i = 0; i < 4; ++i) sum += f.segment<3>(3 * i);
        return sum;
      };
      EXPECT_LE((total(c) - total(a)).norm(), 1e-6 * total(a).norm());
      EXPECT_LE((total(d) - total(b)).norm(), 1e-6 * total(b).norm());
    }
  }
}

// An error of x newtons is reported as x newtons at every dt.
TEST(Agreement, JudgeSpeaksInNewtons) {
  for (const double dt : {1e-4, 1e-3, 1e-2}) {
    const ContactProblem p = reference::rp3({}, dt);
    Vec lambda = run("admm", p).lambda;
    lambda[2] = -0.25 * dt;  // 0.25 N outside of the cone, tangents zero
    lambda[0] = lambda[1] = 0.0;
    EXPECT_NEAR(evaluate(p, lambda).primal, 0.25, 1e-9) << dt;
  }
}

// Rows are (T1, T2, N) in every solver: three axes with three masses and three speeds, all sticking, are stopped by
// λ = −g/G row by row; any permutation shows.
TEST(Agreement, ComponentOrder) {
  const Vec3 diagonal(2.0, 3.0, 5.0), g(0.002, -0.006, -0.05);
  const Vec3 expected = -g.cwiseQuotient(diagonal);
  for (const SolverInfo& s : solver_catalog())
    for (const FrictionLaw::Kind law : s.laws) {
      ContactProblem p = ContactProblem::from_dense(diagonal.asDiagonal(), g, Vec::Constant(1, 0.9), {law}, 1e-3);
      OptionMap options = {{"tolerance", 1e-12}};
      Vec3 wanted = expected;
      if (s.regularises) {
        p.compliance.assign(3, 0.1);
        options["regularisation"] = std::string("none");
        wanted = -g.cwiseQuotient(diagonal + Vec3::Constant(0.1));
      }
      const auto [lambda, report] = run(s.name, p, options);
      EXPECT_EQ(report.status, Status::converged) << s.name << " " << name(law);
      EXPECT_LE((lambda - wanted).norm(), 1e-9) << s.name << " " << name(law) << ": " << lambda.transpose();
    }
}

}  // namespace
}  // namespace stiction
