// SPDX-License-Identifier: BSD-2-Clause
// Oracle: a standing robot's feet carry its weight and do not slip; pushed, it slides on its feet and stands again.
#include <stiction/scene/robots/anymal_stand.h>
#include <stiction/scene/robots/starleth_push.h>
#include <stiction/scene/robots/starleth_stand.h>

#include "support/play.h"

namespace stiction::test {
namespace {

double weight(const World& world) {
  double mass = 0.0;
  for (const Body& body : world.bodies) mass += body.inertia.mass;
  return mass * world.gravity.norm();
}

double carried(const Simulator& sim) {
  double sum = 0.0;
  for (const ContactView& c : sim.contacts()) sum += c.force.z();
  return sum;
}

// Largest horizontal distance of the contact points from where they were.
double foot_travel(const std::vector<ContactView>& before, const std::vector<ContactView>& now) {
  if (before.size() != now.size()) return std::nan("");
  double largest = 0.0;
  for (std::size_t i = 0; i < now.size(); ++i)
    largest = worst(largest, (now[i].point - before[i].point).head<2>().norm());
  return largest;
}

TEST(Standing, StarlethHasItsMassAndHeight) {
  const auto world = starleth_stand({}).world.compile();
  EXPECT_NEAR(weight(*world), kStarlethMass * 9.81, 1e-9);
  EXPECT_NEAR(kStarlethMass, 26.82, 1e-9);
  EXPECT_NEAR(starleth_height(0.4), 0.474, 5e-4);
  EXPECT_NEAR(starleth_height(0.75), 0.406, 5e-4);
  EXPECT_NEAR(starleth_height(1.0), 0.341, 5e-4);
}

// Placed by its closed form, all four feet touch the floor at the start.
TEST(Standing, StarlethStartsOnItsFeet) {
  Play play(starleth_stand({}));
  play.step();
  ASSERT_EQ(play.sim.contacts().size(), 4u);
  for (const ContactView& c : play.sim.contacts()) EXPECT_LE(std::abs(c.gap), 1e-12);
}

TEST(Standing, StarlethFeetCarryTheWeightWithoutSlip) {
  Play play(starleth_stand({}));
  play.run(5000);
  const std::vector<ContactView> before = play.sim.contacts();
  play.run(1000);
  EXPECT_EQ(play.sim.contacts().size(), 4u);
  EXPECT_NEAR(carried(play.sim), weight(play.sim.world()), 1e-6 * weight(play.sim.world()));
  EXPECT_LE(foot_travel(before, play.sim.contacts()), 1e-9);
  EXPECT_LE(play.sim.state().v.norm(), 1e-8);
  EXPECT_EQ(play.unaccepted, 0);
}

TEST(Standing, AnymalFeetCarryTheWeightWithoutSlip) {
  Play play(anymal_stand({}));
  play.run(10000);  // 50 s
  const std::vector<ContactView> before = play.sim.contacts();
  play.run(2000);
  EXPECT_EQ(play.sim.contacts().size(), 4u);
  EXPECT_NEAR(carried(play.sim), weight(play.sim.world()), 1e-6 * weight(play.sim.world()));
  EXPECT_LE(foot_travel(before, play.sim.contacts()), 1e-8);
  EXPECT_EQ(play.unaccepted, 0);
}

TEST(Standing, AnymalMovingIsAcceptedAtEveryStep) {
  Play play(anymal_stand({.targets = "moving"}));
  play.run(4000);
  EXPECT_TRUE(play.finite());
  EXPECT_GE(play.position(0).z(), 0.4);
  EXPECT_EQ(play.unaccepted, 0);
}

TEST(Standing, AnymalFallenStaysFiniteAndReportsWhatItCouldNotSolve) {
  Play play(anymal_stand({.targets = "fallen"}));
  const int steps = 4000;
  play.run(steps);
  EXPECT_TRUE(play.finite());
  EXPECT_LE(play.unaccepted, steps / 500) << "0.2 %";
  std::printf("  anymal fallen: %d of %d steps not accepted\n", play.unaccepted, steps);
}

// The feet slide at least a millimetre (the scene is about slip), less than a step, and the robot stands still again.
TEST(Standing, StarlethPushedSlidesAndStandsAgain) {
  for (const char* law : {"coulomb", "convex", "pyramid"}) {
    Play play(starleth_push({}), settings_for(law, 1e-3));
    play.run(400);
    const std::vector<ContactView> before = play.sim.contacts();
    double slip = 0.0;
    for (int n = 400; n < 2000; ++n) {
      play.step();
      double fastest = 0.0;
      for (const ContactView& c : play.sim.contacts())
        if (c.mode == ContactMode::slip) fastest = worst(fastest, c.slip);
      slip += 1e-3 * fastest;
    }
    EXPECT_GE(slip, 1e-3) << law;
    EXPECT_LE(slip, 0.2) << law;
    EXPECT_EQ(play.sim.contacts().size(), 4u) << law;
    EXPECT_GE(play.position(0).z(), 0.3) << law;
    EXPECT_LE(play.sim.state().v.norm(), 0.05) << law;
    EXPECT_EQ(play.unaccepted, 0) << law;
    std::printf("  starleth pushed, %s: slip %.4f m, trunk at (%.4f, %.4f, %.4f)\n", law, slip, play.position(0).x(),
                play.position(0).y(), play.position(0).z());
  }
}

}  // namespace
}  // namespace stiction::test
