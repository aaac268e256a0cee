// SPDX-License-Identifier: BSD-2-Clause
// A contact is known before it closes. Oracle: the speeds of points of bodies, and dt times them.
#include <gtest/gtest.h>

#include <random>

#include "dynamics/contact/contact_rig.h"
#include "support/busy_world.h"

namespace stiction {
namespace {

using test::at, test::ContactRig;

constexpr double kStep = 1e-2, kMargin = 1e-4;

ContactRig falling_ball(double gap, double speed) {
  WorldBuilder builder;
  builder.add_ground();
  builder.add_body(make_sphere(0.5), 1.0, at({0, 0, 0.5 + gap}, {0, 0, -speed}));
  return ContactRig(builder.compile());
}

TEST(LookAhead, AFastBodyIsSeenInTime) {
  for (const double speed : {0.5, 5.0, 50.0}) {
    EXPECT_EQ(falling_ball(0.99 * kStep * speed, speed).look(kStep, kMargin).size(), 1u) << speed;
    EXPECT_EQ(falling_ball(2.0 * kStep * speed, speed).look(kStep, kMargin).size(), 0u) << speed;
  }
}

TEST(LookAhead, GravityCounts) {
  const double fall = kStep * kStep * 9.81;  // way of one step from rest
  EXPECT_EQ(falling_ball(0.99 * fall, 0.0).look(kStep, kMargin).size(), 1u);
  EXPECT_EQ(falling_ball(1.01 * fall, 0.0).look(kStep, kMargin).size(), 0u);
}

TEST(LookAhead, MarginIsTheLeast) {
  EXPECT_EQ(falling_ball(0.099, 0.0).look(kStep, 0.1).size(), 1u);
  EXPECT_EQ(falling_ball(0.101, 0.0).look(kStep, 0.1).size(), 0u);
}

// A rod that stands still but turns: its tips are fast.
TEST(LookAhead, SpinCounts) {
  WorldBuilder builder;
  builder.add_ground();
  BodyOptions rod = at({0, 0, 0.15});
  rod.angular_velocity = {0, 20.0, 0};
  builder.add_body(make_box({2.0, 0.1, 0.1}), 1.0, rod);  // tips move by 0.2 m in a step
  EXPECT_GE(ContactRig(builder.compile()).look(kStep, kMargin).size(), 2u);
}

TEST(LookAhead, SpeedsOfBothBodiesAddUp) {
  WorldBuilder builder;
  builder.gravity.setZero();
  builder.add_body(make_sphere(0.5), 1.0, at({0, 0, 0}, {5, 0, 0}));
  builder.add_body(make_sphere(0.5), 1.0,
                   at({1.095, 0, 0}, {-5, 0, 0}));  // they meet within a step; neither gets there alone
  EXPECT_EQ(ContactRig(builder.compile()).look(kStep, kMargin).size(), 1u);
}

// Through the broad phase as well: a fast ball far outside the others' boxes.
TEST(LookAhead, BroadPhaseSeesFastBodies) {
  WorldBuilder builder;
  for (int i = 0; i < 20; ++i) builder.add_body(make_sphere(0.1), 1.0, at({1.0 * i, 0, 0}));
  builder.add_body(make_sphere(0.1), 1.0, at({0, 1.15, 0}, {0, -100, 0}));
  ContactRig rig(builder.compile());
  ASSERT_FALSE(rig.plan.swept.empty());
  bool seen = false;
  for (const Contact& c : rig.look(kStep, kMargin)) seen = seen || (c.a == 0 && c.b == 20);
  EXPECT_TRUE(seen);
}

TEST(OutranLookAhead, NotAtTheSpeedThatWasAllowedFor) {
  ContactRig rig = falling_ball(1.0, 2.0);
  rig.look(kStep, kMargin);
  EXPECT_FALSE(rig.outran(rig.v, kStep, kMargin));
  EXPECT_FALSE(rig.outran(1.4 * rig.v, kStep, kMargin));
  EXPECT_TRUE(rig.outran(1.6 * rig.v, kStep, kMargin));
}

TEST(OutranLookAhead, TheMarginIsAlwaysAllowed) {
  ContactRig rig = falling_ball(1.0, 0.0);
  rig.look(kStep, 0.1);
  EXPECT_FALSE(rig.outran(Vec::Unit(6, 0) * 4.9, kStep, 0.1));  // half the margin in a step
  EXPECT_TRUE(rig.outran(Vec::Unit(6, 0) * 5.1, kStep, 0.1));
}

// A ball at rest is hit: the second look allows for its new speed and sees what is in its way.
TEST(OutranLookAhead, SecondLookSeesWhatTheFirstCouldNot) {
  WorldBuilder builder;
  builder.gravity.setZero();
  builder.add_body(make_sphere(0.5), 1.0, at({0, 0, 0}));
  builder.add_body(make_sphere(0.5), 1.0, at({1.3, 0, 0}));
  ContactRig rig(builder.compile());
  EXPECT_EQ(rig.look(kStep, kMargin).size(), 0u);
  const Vec after = 40.0 * Vec::Unit(12, 0);
  ASSERT_TRUE(rig.outran(after, kStep, kMargin));
  EXPECT_DOUBLE_EQ(rig.work.demand[0], 60.0);
  EXPECT_EQ(rig.look(kStep, kMargin).size(), 1u);
  EXPECT_FALSE(rig.outran(after, kStep, kMargin));
  reset_look_ahead(*rig.world, rig.work);
  EXPECT_EQ(rig.look(kStep, kMargin).size(), 0u);
}

// A quadruped with random velocities after the solve: whenever the fastest point of a geom is beyond what was allowed, it is said.
TEST(OutranLookAhead, AgreesWithTheSpeedsOfBodies) {
  ContactRig rig(test::busy_world());
  rig.v.setZero();
  rig.look(kStep, kMargin);
  std::mt19937_64 rng(5);
  std::normal_distribution<double> normal;
  int fast = 0, rounds = 200;
  for (int round = 0; round < rounds; ++round) {
    Vec after(rig.world->nv);
    for (double& x : after) x = 0.02 * (1 + round % 4) * normal(rng);
    Kinematics moving;
    moving.resize(*rig.world, rig.layout);
    forward_kinematics(*rig.world, rig.layout, rig.q.data(), after.data(), moving);
    bool wanted = false;
    for (std::size_t i = 0; i < rig.world->geoms.size(); ++i) {
      const Geom& g = rig.world->geoms[i];
      if (g.body == kWorldBody || !rig.plan.needed[i]) continue;
      const BodyData& b = moving.bodies[g.body];
      const Vec3 centre = b.R * g.placement.translation + b.p;
      const double speed = (b.v + b.w.cross(centre)).norm() + b.w.norm() * reach(g.shape);
      wanted = wanted || speed > std::max(kStep * 9.81, 0.5 * kMargin / kStep);
    }
    EXPECT_EQ(rig.outran(after, kStep, kMargin), wanted);
    fast += wanted ? 1 : 0;
  }
  EXPECT_GT(fast, rounds / 10);  // both answers occur
  EXPECT_LT(fast, rounds);
}

}  // namespace
}  // namespace stiction
