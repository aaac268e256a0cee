// SPDX-License-Identifier: BSD-2-Clause
// A contact is known before it closes. Oracle: the speeds of points of bodies, and dt times them.
#include <gtest/gtest.h>
#include <stiction/dynamics/kernels/integrate.h>

#include <algorithm>
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
  for (int i = 0; i < 70; ++i) builder.add_body(make_sphere(0.1), 1.0, at({1.0 * i, 0, 0}));
  builder.add_body(make_sphere(0.1), 1.0, at({0, 1.15, 0}, {0, -100, 0}));
  ContactRig rig(builder.compile());
  ASSERT_FALSE(rig.plan.swept.empty());
  bool seen = false;
  for (const Contact& c : rig.look(kStep, kMargin)) seen = seen || (c.a == 0 && c.b == 70);
  EXPECT_TRUE(seen);
}

// Bodies that move together are no nearer to each other for it; points that move apart do not close.
TEST(LookAhead, OnlyApproachCounts) {
  const auto seen = [](const Vec3& first, const Vec3& second) {
    WorldBuilder builder;
    builder.gravity.setZero();
    builder.add_body(make_sphere(0.5), 1.0, at({0, 0, 0}, first));
    builder.add_body(make_sphere(0.5), 1.0, at({1.04, 0, 0}, second));
    return ContactRig(builder.compile()).look(kStep, kMargin).size();
  };
  EXPECT_EQ(seen({5, 0, 0}, {0, 0, 0}), 1u);
  EXPECT_EQ(seen({5, 0, 0}, {4.9, 0, 0}), 0u);
  EXPECT_EQ(seen({0, 0, 0}, {5, 0, 0}), 0u);
  EXPECT_EQ(seen({0, 5, 0}, {0, 0, 0}), 0u);  // beside it
}

// A law that acts on points which slide along each other needs them all.
TEST(LookAhead, AnyDirectionCountsIfTheLawNeedsIt) {
  WorldBuilder builder;
  builder.add_ground();
  builder.add_body(make_sphere(0.5), 1.0, at({0, 0, 0.54}, {5, 0, 0}));
  ContactRig rig(builder.compile());
  EXPECT_EQ(rig.look(kStep, kMargin).size(), 0u);
  rig.plan.any_direction = true;
  EXPECT_EQ(rig.look(kStep, kMargin).size(), 1u);
}

TEST(OutranLookAhead, NotAtTheSpeedThatWasAllowedFor) {
  ContactRig rig = falling_ball(0.03, 2.0);  // way .02 m
  rig.look(kStep, kMargin);
  EXPECT_FALSE(rig.outran(rig.v, kStep, kMargin));
  EXPECT_FALSE(rig.outran(1.1 * rig.v, kStep, kMargin));
  EXPECT_TRUE(rig.outran(1.6 * rig.v, kStep, kMargin));
  EXPECT_FALSE(rig.outran(-3.0 * rig.v, kStep, kMargin));  // upwards
}

TEST(OutranLookAhead, TheMarginIsAlwaysAllowed) {
  ContactRig rig = falling_ball(0.1005, 0.0);
  rig.look(kStep, 0.1);
  EXPECT_FALSE(rig.outran(Vec::Unit(6, 2) * -9.9, kStep, 0.1));
  EXPECT_TRUE(rig.outran(Vec::Unit(6, 2) * -10.1, kStep, 0.1));
}

// Where nothing is near, no speed outruns the look.
TEST(OutranLookAhead, NothingIsThere) {
  ContactRig rig = falling_ball(1.0, 2.0);
  rig.look(kStep, kMargin);
  EXPECT_FALSE(rig.outran(20.0 * rig.v, kStep, kMargin));
  EXPECT_TRUE(rig.outran(51.0 * rig.v, kStep, kMargin));
}

// The answer does not depend on what was looked at before: a rig that has seen the world move says the same as a new one.
TEST(OutranLookAhead, WhatIsRememberedDecidesNothing) {
  std::mt19937_64 rng(7);
  std::normal_distribution<double> normal;
  ContactRig old(test::busy_world());
  int said = 0;
  for (int round = 0; round < 400; ++round) {
    const int nv = old.world->nv;
    for (int i = 0; i < nv; ++i) old.v[i] = 0.3 * normal(rng);
    Vec after = old.v;
    for (double& x : after) x += 0.1 * (round % 6) * normal(rng);
    reset_look_ahead(*old.world, old.work);
    old.look(kStep, kMargin);
    ContactRig fresh(test::busy_world());
    fresh.q = old.q, fresh.v = old.v;
    reset_look_ahead(*fresh.world, fresh.work);
    fresh.look(kStep, kMargin);
    const bool answer = old.outran(after, kStep, kMargin);
    EXPECT_EQ(answer, fresh.outran(after, kStep, kMargin)) << round;
    said += answer;
    Vec moved = old.v;
    integrate(old.layout, kStep, old.q.data(), moved.data());
    if (round % 20 == 19) old.q = old.world->q0;
  }
  EXPECT_GT(said, 20);
  EXPECT_LT(said, 380);
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
  EXPECT_DOUBLE_EQ(rig.work.ahead.demand[0], 0.6);
  EXPECT_EQ(rig.look(kStep, kMargin).size(), 1u);
  EXPECT_FALSE(rig.outran(after, kStep, kMargin));
  reset_look_ahead(*rig.world, rig.work);
  EXPECT_EQ(rig.look(kStep, kMargin).size(), 0u);
}

// A quadruped with random velocities before and after the solve. Oracle: all points within half a metre; those that close in the
// step with the velocities after it must have been seen, or it is said that they were not.
TEST(OutranLookAhead, NothingClosesUnseen) {
  std::mt19937_64 rng(5);
  std::normal_distribution<double> normal;
  int outran = 0, unseen = 0, closing = 0;
  const int rounds = 400;
  ContactRig rig(test::busy_world()), all(test::busy_world());
  for (int round = 0; round < rounds; ++round) {
    const int nv = rig.world->nv;
    for (int i = 0; i < nv; ++i) rig.v[i] = 0.3 * (round % 3) * normal(rng);
    Vec after = rig.v;
    for (double& x : after) x += 0.15 * (round % 5) * normal(rng);
    reset_look_ahead(*rig.world, rig.work);
    rig.look(kStep, kMargin);
    const bool said = rig.outran(after, kStep, kMargin);
    outran += said;
    all.v = after;
    for (const Contact& c : all.look(kStep, 0.5)) {
      const std::vector<GeomMotion>& motion = all.work.ahead.motion;
      const Vec3 u = relative_velocity(motion[c.key.geom_a], motion[c.key.geom_b], c.point);
      if (c.gap + kStep * c.normal.dot(u) >= 0.0) continue;
      ++closing;
      const bool seen = std::any_of(rig.contacts.begin(), rig.contacts.end(), [&](const Contact& x) {
        return x.key.geom_a == c.key.geom_a && x.key.geom_b == c.key.geom_b;
      });
      if (!seen) {
        ++unseen;
        EXPECT_TRUE(said) << "round " << round;
      }
    }
  }
  EXPECT_GT(closing, 50);
  EXPECT_GT(unseen, 10);  // both answers occur
  EXPECT_LT(outran, rounds);
}

}  // namespace
}  // namespace stiction
