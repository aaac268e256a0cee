// SPDX-License-Identifier: BSD-2-Clause
// Sweeps by colours: the same bits for any number of threads, and the sweep that one thread makes in that order.
#include <gtest/gtest.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/sweep/nsgs.h>

#include "solver/contact_graphs.h"
#include "solver/solver_support.h"
#include "support/heap_count.h"

namespace stiction {
namespace {

using test::run;

OptionMap coloured(int threads, int sweeps, const char* colouring = "first_fit") {
  return {{"order", std::string("coloured")},
          {"colouring", std::string(colouring)},
          {"threads", threads},
          {"anderson", 0},
          {"stall_window", 0},
          {"max_iterations", sweeps},
          {"tolerance", 1e-14}};
}

bool same_bits(const Vec& a, const Vec& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

// Target: a wall of 4488 contacts, 100 sweeps.
TEST(ColouredSweep, BitsDoNotDependOnTheNumberOfThreads) {
  const ContactProblem wall = test::box_wall(20, 30, 0.6, 1e-2);
  for (const ContactProblem& p : {wall, test::with_blocks_of_g(wall)}) {
    const auto one = run("nsgs", p, coloured(1, 100));
    EXPECT_EQ(one.report.iterations, 100);
    EXPECT_GT(one.lambda.norm(), 0.0);
    for (const int threads : {2, 4, 8}) {
      const auto many = run("nsgs", p, coloured(threads, 100));
      EXPECT_TRUE(same_bits(one.lambda, many.lambda)) << threads << " threads";
      EXPECT_EQ(one.report.own.ratio, many.report.own.ratio) << threads << " threads";
    }
  }
}

// The same with every kind of block, acceleration, relaxation and blocks at rest, up to the end of the solve.
TEST(ColouredSweep, BitsDoNotDependOnThreadsWithEveryKindOfBlock) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    ContactProblem p = test::random_mix(seed, 40, 120, true, 1e-3);
    if (seed % 2) p.compliance.assign(p.rows(), 1e-3);
    for (const ContactProblem& q : {p, test::with_blocks_of_g(p), test::as_dense(p)}) {
      OptionMap options = coloured(1, 200, "largest_first");
      options["anderson"] = 5, options["over_relaxation"] = 0.9, options["freeze"] = 3;
      const auto one = run("nsgs", q, options);
      for (const int threads : {2, 3, 8}) {
        options["threads"] = threads;
        const auto many = run("nsgs", q, options);
        EXPECT_TRUE(same_bits(one.lambda, many.lambda)) << "seed " << seed << ", " << threads << " threads";
        EXPECT_EQ(one.report.iterations, many.report.iterations);
      }
    }
  }
}

// Oracle: the natural sweep of the problem whose blocks are numbered by colour.
TEST(ColouredSweep, IsTheSweepInTheOrderOfTheColours) {
  for (const char* colouring : {"first_fit", "largest_first"}) {
    const ContactProblem p = test::box_wall(3, 4, 0.6, 1e-2);
    Colouring c;
    c.update(p.G, colouring[0] == 'l');
    std::vector<int> rows;
    const ContactProblem sorted = test::as_block_sparse(test::permuted(p, c.order(), rows));  // no packed sweep
    for (const int sweeps : {1, 2, 7}) {
      const auto a = run("nsgs", p, coloured(1, sweeps, colouring)),
                 b = run("nsgs", sorted,
                         {{"anderson", 0}, {"stall_window", 0}, {"max_iterations", sweeps}, {"tolerance", 1e-14}});
      for (std::size_t k = 0; k < rows.size(); ++k)
        EXPECT_NEAR(a.lambda[rows[k]], b.lambda[static_cast<Eigen::Index>(k)], 1e-12 * b.lambda.norm()) << sweeps;
    }
  }
}

// What another problem left in the workspace does not show, and nothing is allocated for a size seen before.
TEST(ColouredSweep, WorkspaceLeavesNoTrace) {
  const ContactProblem p = test::box_wall(4, 6, 0.6, 1e-2), other = test::box_wall(6, 5, 0.6, 1e-2);
  const auto solver = make_solver("nsgs", coloured(2, 30));
  Vec first = Vec::Zero(p.rows()), again = first, rest = Vec::Zero(other.rows());
  solver->solve(p, first);
  solver->solve(other, rest);
  solver->solve(p, again);
  EXPECT_TRUE(same_bits(first, again));
  const test::HeapCount heap;
  again.setZero();
  solver->solve(p, again);
  EXPECT_EQ(heap.count(), 0);
}

}  // namespace
}  // namespace stiction
