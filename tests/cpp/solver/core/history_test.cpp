// SPDX-License-Identifier: BSD-2-Clause
// Histories: complete, true, and of no influence on what is computed.
#include <gtest/gtest.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include "solver/solver_support.h"

namespace stiction {
namespace {

TEST(History, EverySolverWritesOneAndIsNotChangedByIt) {
  for (const SolverInfo& s : solver_catalog())
    for (const FrictionLaw::Kind law : s.laws) {
      SCOPED_TRACE(s.name + " " + name(law));
      for (const ContactProblem& p : {reference::rp1({law}), test::random_contacts(3, 5, 0.6, {law})}) {
        const auto solver = make_solver(s.name);
        Vec plain = Vec::Zero(p.rows()), recorded = plain;
        const Report without = solver->solve(p, plain);
        History history;
        history.start();
        solver->record(&history);
        const Report with = solver->solve(p, recorded);
        EXPECT_EQ(plain, recorded);
        EXPECT_EQ(without.iterations, with.iterations);
        EXPECT_EQ(without.status, with.status);
        const auto& samples = history.samples();
        ASSERT_FALSE(samples.empty());
        EXPECT_EQ(samples.back().iteration, with.iterations);
        double best = HUGE_VAL;
        for (std::size_t k = 0; k < samples.size(); ++k) {
          best = std::min(best, samples[k].own.ratio);
          if (k == 0) continue;
          EXPECT_GE(samples[k].iteration, samples[k - 1].iteration);
          EXPECT_GE(samples[k].seconds, samples[k - 1].seconds);
        }
        if (with.status == Status::converged) {
          EXPECT_LE(best, 1.0);
        }
        solver->record(nullptr);
        const std::size_t count = samples.size();
        plain.setZero();
        solver->solve(p, plain);
        EXPECT_EQ(history.samples().size(), count);
      }
    }
}

}  // namespace
}  // namespace stiction
