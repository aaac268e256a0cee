// SPDX-License-Identifier: BSD-2-Clause
// Orders of the sweep and blocks at rest.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/sweep/nsgs.h>

#include <numeric>

#include "solver/contact_graphs.h"
#include "solver/solver_support.h"

namespace stiction {
namespace {

using test::run;

OptionMap ordered(const char* order, OptionMap more = {}) {
  more["order"] = std::string(order);
  return more;
}

std::string refusal(const OptionMap& options) {
  try {
    make_solver("nsgs", options);
  } catch (const InvalidInput& e) {
    return e.what();
  }
  return "";
}

// Oracle: the natural sweep of the problem numbered backwards.
TEST(OrderedSweep, ReversedIsTheProblemNumberedBackwards) {
  const ContactProblem p = test::random_contacts(5, 6, 0.6);
  std::vector<int> order(6), rows;
  std::iota(order.rbegin(), order.rend(), 0);
  const ContactProblem q = test::permuted(p, order, rows);
  for (const int sweeps : {1, 3}) {
    const OptionMap few = {{"anderson", 0}, {"max_iterations", sweeps}, {"tolerance", 1e-14}};
    const auto a = run("nsgs", p, ordered("reversed", few)), b = run("nsgs", q, few);
    for (std::size_t k = 0; k < rows.size(); ++k)
      EXPECT_NEAR(a.lambda[rows[k]], b.lambda[static_cast<Eigen::Index>(k)], 1e-13 * b.lambda.norm());
  }
}

// Oracle: full rank, so that the velocity is unique; every order has to find it.
TEST(OrderedSweep, EveryOrderFindsTheSameMotion) {
  const ContactProblem p = test::random_contacts(7, 8, 0.5);
  const Vec u = test::velocity(p, run("nsgs", p, {{"tolerance", 1e-12}}).lambda);
  for (const char* order : {"natural", "reversed", "shuffled", "reshuffled", "coloured"})
    for (const int freeze : {0, 5})
      for (const int window : {0, 5}) {
        const auto [lambda, report] =
            run("nsgs", p, ordered(order, {{"freeze", freeze}, {"anderson", window}, {"tolerance", 1e-12}}));
        EXPECT_EQ(report.status, Status::converged) << order << " freeze " << freeze;
        EXPECT_LE((test::velocity(p, lambda) - u).norm(), 1e-9) << order << " freeze " << freeze;
      }
}

// A seed names an order for good: the numbers of base/random.h are the same on every machine.
TEST(OrderedSweep, SeedsRepeatAndDiffer) {
  const ContactProblem p = test::random_contacts(3, 12, 0.6);
  for (const char* order : {"shuffled", "reshuffled"}) {
    const OptionMap few = {{"anderson", 0}, {"max_iterations", 2}, {"tolerance", 1e-14}};
    OptionMap seeded = few;
    seeded["seed"] = 4;
    const auto a = run("nsgs", p, ordered(order, few)), b = run("nsgs", p, ordered(order, seeded));
    EXPECT_EQ(a.lambda, run("nsgs", p, ordered(order, few)).lambda);
    EXPECT_NE(a.lambda, b.lambda);
    const auto solver = make_solver("nsgs", ordered(order, seeded));  // a used solver draws the same numbers again
    for (int k = 0; k < 3; ++k) {
      Vec lambda = Vec::Zero(p.rows());
      solver->solve(p, lambda);
      EXPECT_EQ(lambda, b.lambda) << order;
    }
  }
}

// Sweeps with the exact update, by hand; `visits` counts the blocks they come to.
struct ByHand {
  const ContactProblem& p;
  LocalBlocks local;
  OrderedSweep sweep;
  Vec lambda;
  std::vector<double> velocity;
  std::vector<int> visited;

  ByHand(const ContactProblem& problem, const SweepPlan& plan)
      : p(problem), lambda(Vec::Zero(problem.rows())), velocity(test::at(problem.G.body.velocities), 0.0) {
    local.prepare(p, true);
    sweep.begin(p, plan);
  }
  Change run() {
    visited.clear();
    const auto update = [this](const Block&, int i, double* u, double* x) {
      visited.push_back(i);
      local.solve_contact(i, u, x);
    };
    return sweep.run(p, lambda.data(), velocity.data(), update);
  }
};

TEST(OrderedSweep, EverySweepVisitsEveryBlockOnce) {
  const ContactProblem p = test::box_wall(3, 3, 0.6, 1e-2);
  std::vector<int> all(p.blocks.size()), last;
  std::iota(all.begin(), all.end(), 0);
  for (const SweepOrder order :
       {SweepOrder::reversed, SweepOrder::shuffled, SweepOrder::reshuffled, SweepOrder::coloured}) {
    SweepPlan plan;
    plan.order = order;
    ByHand hand(p, plan);
    for (int k = 0; k < 4; ++k) {
      hand.run();
      if (k > 0) {
        EXPECT_EQ(hand.visited == last, order != SweepOrder::reshuffled);
      }
      last = hand.visited;
      EXPECT_NE(hand.visited, all);
      std::sort(hand.visited.begin(), hand.visited.end());
      EXPECT_EQ(hand.visited, all);
    }
  }
}

// Four cubes side by side, of which one is struck: the other three are settled by their first visits and rest.
TEST(OrderedSweep, SettledBlocksRestAndComeBack) {
  std::vector<test::BoxBody> boxes;
  for (int k = 0; k < 4; ++k) boxes.push_back({Vec3(3.0 * k, 0, 0.5), Vec3::Ones(), 1.0, test::falling(1e-6)});
  boxes[2].velocity << 1.0, 0.5, -2.0, 3.0, 2.0, 1.0;
  const ContactProblem p = test::box_pile(boxes, 0.6, 1e-2);
  SweepPlan plan;
  plan.freeze = 3;
  ByHand hand(p, plan);
  hand.run();
  EXPECT_EQ(hand.visited.size(), 16u);  // nothing is known of the sweep before
  hand.run();
  EXPECT_EQ(hand.visited.size(), 16u);
  for (int k = 0; k < 3; ++k) {
    hand.run();
    EXPECT_GE(hand.visited.size(), 1u);
    for (const int i : hand.visited) EXPECT_EQ(i / 4, 2) << "a contact of a cube at rest";
  }
  hand.run();
  EXPECT_GE(hand.visited.size(), 12u);
}

// All settled: a sweep is never empty.
TEST(OrderedSweep, SomebodyIsAlwaysVisited) {
  const ContactProblem p = test::random_contacts(1, 4, 0.5);
  SweepPlan plan;
  plan.freeze = 1000;
  ByHand hand(p, plan);
  for (int k = 0; k < 300; ++k) {
    hand.run();
    ASSERT_FALSE(hand.visited.empty()) << k;
  }
}

TEST(OrderedSweep, OptionsThatWouldDoNothingAreRefused) {
  EXPECT_EQ(refusal(ordered("sideways")),
            "nsgs.order is 'sideways', expected 'natural', 'reversed', 'shuffled', 'reshuffled' or 'coloured'");
  EXPECT_EQ(refusal({{"seed", 3}}), "nsgs.seed is 3, expected 0 unless order is 'shuffled' or 'reshuffled'");
  EXPECT_EQ(refusal({{"threads", 2}}), "nsgs.threads is 2, expected 1 unless order is 'coloured'");
  EXPECT_EQ(refusal({{"colouring", std::string("largest_first")}}),
            "nsgs.colouring is 'largest_first', expected it only beside order = 'coloured'");
  EXPECT_NE(refusal(ordered("coloured", {{"threads", 0}})), "");
  EXPECT_NE(refusal(ordered("coloured", {{"threads", 257}})), "");
  EXPECT_NE(refusal(ordered("shuffled", {{"seed", -1}})), "");
  EXPECT_NE(refusal({{"freeze", -1}}), "");
  EXPECT_EQ(refusal(ordered("coloured", {{"threads", 2}, {"colouring", std::string("largest_first")}})), "");
  EXPECT_EQ(refusal(ordered("shuffled", {{"seed", 7}, {"freeze", 3}})), "");
}

}  // namespace
}  // namespace stiction
