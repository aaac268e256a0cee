// SPDX-License-Identifier: BSD-2-Clause
// Polish: never worse, and exact from results that a method stopped early leaves behind.
#include <gtest/gtest.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/pivot/polish.h>

#include "solver/newton_problems.h"
#include "solver/solver_support.h"

namespace stiction {
namespace {

using test::run;

// Forces and accelerations: the scale in which the comparative study prints its residuals.
double paper_scale(const ContactProblem& p, const Residual& r) {
  return std::max({r.primal, r.dual / *p.dt, r.complementarity / *p.dt});
}

const OptionMap kLoose = {
    {"tolerance", 1e-2}, {"force_tolerance", 1e-2}, {"velocity_tolerance", 1e-5}, {"power_tolerance", 1e-5}};

// Oracle: the table of the sliding cube under the convex law; residual ≤ 1e-8 from one of 1e2.
TEST(Polish, ConvexSlidingCube) {
  const ContactProblem p = reference::rp1({FrictionLaw::convex});
  Vec lambda = run("admm", p, kLoose).lambda;
  EXPECT_GT(paper_scale(p, evaluate(p, lambda)), 1e-1);
  const Report r = polish(p, lambda);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LE(paper_scale(p, evaluate(p, lambda)), 1e-8);
  EXPECT_NEAR(test::total_force(p, lambda, 0, 4).z(), 656.3808, 1e-3);
}

TEST(Polish, CoulombSlidingCube) {
  const ContactProblem p = reference::rp1();
  for (const char* solver : {"admm", "nsgs"})
    for (const int stop : {1, 2, 3, 5}) {
      Vec lambda = run(solver, p, {{"max_iterations", stop}}).lambda;
      const Report r = polish(p, lambda);
      EXPECT_EQ(r.status, Status::converged) << solver << " stopped after " << stop;
      EXPECT_LE(paper_scale(p, evaluate(p, lambda)), 1e-8) << solver << " stopped after " << stop;
    }
}

// Sliding directions that the first pass does not know have to be found.
TEST(Polish, RandomContacts) {
  for (unsigned seed = 0; seed < 5; ++seed)
    for (const auto law : {FrictionLaw::convex, FrictionLaw::coulomb, FrictionLaw::pyramid}) {
      const ContactProblem p = test::random_contacts(seed, 4, 0.5, {law});
      Vec lambda = run(law == FrictionLaw::pyramid ? "pgs" : "admm", p, {{"max_iterations", 10}}).lambda;
      EXPECT_FALSE(evaluate(p, lambda).accepted());
      EXPECT_EQ(polish(p, lambda).status, Status::converged) << seed << " " << name(law);
    }
}

// Oracle: the judge before and after. All kinds of blocks, redundant contacts, guesses from good to useless.
TEST(Polish, NeverWorse) {
  int accepted = 0, all = 0;
  Polisher polisher;
  for (unsigned seed = 0; seed < 40; ++seed)
    for (const auto law : {FrictionLaw::convex, FrictionLaw::coulomb, FrictionLaw::pyramid}) {
      ContactProblem p =
          test::random_mix(seed, 1 + static_cast<int>(seed % 3), 1 + static_cast<int>(seed % 6), seed % 2, 1e-3);
      p.law.kind = law;
      const int stop = 1 + static_cast<int>(seed % 30);
      Vec lambda = run(law == FrictionLaw::pyramid ? "pgs" : "admm", p, {{"max_iterations", stop}}).lambda;
      const double before = evaluate(p, lambda).ratio;
      const Report r = polisher.polish(p, lambda);
      EXPECT_LE(evaluate(p, lambda).ratio, before) << seed << " " << name(law);
      EXPECT_EQ(r.own.ratio, evaluate(p, lambda).ratio);
      accepted += r.status == Status::converged, ++all;
    }
  EXPECT_GE(accepted, all * 7 / 10);
}

TEST(Polish, RefusesWhatItDoesNotKnow) {
  const ContactProblem p = reference::rp1({FrictionLaw::raisim});
  Vec lambda = Vec::Constant(12, 0.5);
  EXPECT_EQ(polish(p, lambda).status, Status::invalid_problem);
  EXPECT_EQ(lambda, Vec::Constant(12, 0.5));
}

}  // namespace
}  // namespace stiction
