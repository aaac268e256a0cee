// SPDX-License-Identifier: BSD-2-Clause
// problems() are those of the stepper itself. Oracle: another solver's solution of them against the contact forces of the step
// that follows. Contacts are such that their forces are unique.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/world/world_builder.h>
#include <stiction/sim/simulator.h>

#include <algorithm>

#include "solver/solver_support.h"

namespace stiction::test {
namespace {

struct Case {
  const char *name, *law, *stepper, *solver;
  OptionMap stepper_options = {};
};

const std::vector<Case> kCases = {
    {"semi_implicit", "coulomb", "semi_implicit", "nsgs"},
    {"moreau", "coulomb", "moreau", "nsgs"},
    {"moreau, two rounds", "coulomb", "moreau", "nsgs", {{"rounds", 2}}},
    {"linear", "coulomb", "stewart_trinkle", "nsgs"},
    {"nonlinear", "coulomb", "stewart_trinkle", "nsgs", {{"version", std::string("nonlinear")}}},
    {"anitescu_potra", "coulomb", "stewart_trinkle", "nsgs", {{"version", std::string("anitescu_potra")}}},
    {"polygon", "pyramid", "stewart_trinkle", "lemke"},
};

Simulator make(const WorldBuilder& world, const Case& c) {
  Settings s;
  s.law = c.law, s.stepper = c.stepper, s.stepper_options = c.stepper_options, s.dt = 2e-3;
  return Simulator(world.compile(), s);
}

// Normal force and size of the friction force of every contact that carries one, in the order of size.
using Forces = std::vector<std::pair<double, double>>;

Forces forces_of(const std::vector<ContactProblem>& problems, const std::string& solver) {
  Forces out;
  for (const ContactProblem& p : problems) {
    OptionMap options{{"max_iterations", 100000}};
    if (solver == "nsgs") options["tolerance"] = 1e-12;
    const Vec lambda = run(solver, p, options).lambda;
    for (const Block& b : p.blocks)
      if (b.kind == BlockKind::coulomb && lambda[b.row + 2] > 0.0)
        out.emplace_back(lambda[b.row + 2] / *p.dt, lambda.segment<2>(b.row).norm() / *p.dt);
  }
  std::sort(out.begin(), out.end());
  return out;
}

Forces forces_of(const std::vector<ContactView>& contacts) {
  Forces out;
  for (const ContactView& c : contacts) {
    const double normal = c.normal.dot(c.force);
    if (normal > 0.0) out.emplace_back(normal, (c.force - normal * c.normal).norm());
  }
  std::sort(out.begin(), out.end());
  return out;
}

void compare(Simulator& sim, const Case& c, int steps, std::size_t contacts) {
  std::size_t most = 0;
  for (int i = 0; i < steps; ++i) {
    const std::uint64_t before = sim.hash();
    const Forces expected = forces_of(sim.problems(Vec()), c.solver);
    ASSERT_EQ(sim.hash(), before) << c.name;
    sim.step();
    const Forces found = forces_of(sim.contacts());
    ASSERT_EQ(found.size(), expected.size()) << c.name << " step " << i;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const double scale = 1.0 + expected[k].first;
      ASSERT_NEAR(found[k].first, expected[k].first, 2e-4 * scale) << c.name << " step " << i;
      ASSERT_NEAR(found[k].second, expected[k].second, 2e-4 * scale) << c.name << " step " << i;
    }
    most = std::max(most, found.size());
  }
  EXPECT_GE(most, contacts) << c.name;
}

BodyOptions ball_at(const Vec3& position, const Vec3& velocity) {
  BodyOptions ball;
  ball.position = position, ball.velocity = velocity;
  return ball;
}

// Balls that fall, slide and roll, one on top of another.
TEST(Problems, AreThoseOfTheStepper) {
  for (const Case& c : kCases) {
    WorldBuilder world;
    world.add_ground();
    world.add_body(make_sphere(0.1), 1.0, ball_at({0.0, 0.0, 0.1}, {1.0, 0.5, 0.0}));
    world.add_body(make_sphere(0.1), 2.0, ball_at({1.0, 0.0, 0.104}, {-0.5, 0.0, -1.0}));
    world.add_body(make_sphere(0.1), 1.0, ball_at({2.0, 0.0, 0.1}, Vec3::Zero()));
    world.add_body(make_sphere(0.1), 3.0, ball_at({2.0, 0.0, 0.302}, {0.0, 0.0, -0.5}));
    Simulator sim = make(world, c);
    compare(sim, c, 12, 4);
  }
}

// Two balls at rest that touch are hit by a third: their contact is closed by the impulse of the other and rebounds as well.
TEST(Problems, HoldTheReboundsThatImpulsesCause) {
  WorldBuilder world;
  world.gravity.setZero();
  MaterialValues bouncy;
  bouncy.mu = 0.5, bouncy.restitution = 0.5;
  BodyOptions ball;
  ball.values = bouncy;
  for (const double x : {0.0, 0.2, 0.4005}) {
    ball.position = {x, 0.0, 0.0};
    ball.velocity = {x > 0.3 ? -1.0 : 0.0, 0.0, 0.0};
    world.add_body(make_sphere(0.1), 1.0, ball);
  }
  const Case& c = kCases[0];
  Simulator sim = make(world, c);
  compare(sim, c, 2, 2);
}

TEST(Problems, AreRefusedWhereThereAreNone) {
  WorldBuilder world;
  world.add_ground();
  world.add_body(make_sphere(0.1), 1.0, ball_at({0.0, 0.0, 0.1}, Vec3::Zero()));
  for (const Case& c : {Case{"", "anchored", "exponential", ""}, Case{"", "relaxed", "rk_gill", ""},
                        Case{"", "compliant", "moreau", ""},
                        Case{"", "pyramid", "stewart_trinkle", "", {{"directions", std::string("1 0 0; -1 0 0")}}}})
    EXPECT_THROW(make(world, c).problems(Vec()), InvalidInput) << c.stepper;
}

// Oracle: the address of the plan of pairs, which is quadratic in shapes to make.
TEST(Clone, SharesWhatNeverChanges) {
  WorldBuilder world;
  world.add_ground();
  for (int i = 0; i < 200; ++i) world.add_body(make_sphere(0.1), 1.0, ball_at({0.3 * i, 0.0, 0.1}, {0.0, 0.0, -0.1}));
  Simulator sim = make(world, kCases[0]);
  sim.step(3);
  Simulator copy = sim.clone();
  EXPECT_EQ(copy.shared_model(), sim.shared_model());
  EXPECT_EQ(copy.shared_world(), sim.shared_world());
  EXPECT_EQ(copy.hash(), sim.hash());
  sim.step(3), copy.step(3);
  EXPECT_EQ(copy.hash(), sim.hash());
}

}  // namespace
}  // namespace stiction::test
