// SPDX-License-Identifier: BSD-2-Clause
// Oracle: Newton's law v⁺ = −e v⁻ at every impact faster than the threshold.             contact-models 14, test 26
#include <stiction/scene/impact/ball_bounce.h>

#include "support/play.h"

namespace stiction::test {
namespace {

struct Impact {
  double before, after, energy;  // normal velocities [m/s], energy after [J]
};

// Impacts are steps in which the velocity jumps upwards.
std::vector<Impact> impacts(const BallBounce& p, double seconds) {
  Play play(ball_bounce(p));
  std::vector<Impact> out;
  const int steps = static_cast<int>(std::lround(seconds / 1e-3));
  double before = 0.0;
  for (int n = 0; n < steps; ++n) {
    play.step();
    const double after = play.velocity(0).z();
    if (before < -0.01 && after > before + 1e-6) out.push_back({before, after, play.sim.energy().total()});
    before = after;
  }
  EXPECT_EQ(play.unaccepted, 0);
  return out;
}

TEST(Restitution, ElasticBallKeepsItsEnergyForAHundredBounces) {
  const BallBounce p;
  const std::vector<Impact> list = impacts(p, 92.0);
  ASSERT_GE(list.size(), 100u);
  const double start = p.mass * 9.81 * (p.height + p.radius), rest = p.mass * 9.81 * p.radius;
  for (const Impact& i : list) {
    EXPECT_NEAR(i.energy - rest, list.front().energy - rest, 1e-6 * (list.front().energy - rest));
    EXPECT_NEAR(i.energy - rest, start - rest, 5e-3 * (start - rest));
  }
}

TEST(Restitution, HalfTheSpeedAtEveryImpact) {
  const std::vector<Impact> list = impacts({.restitution = 0.5}, 3.0);
  ASSERT_GE(list.size(), 7u);  // 4.43 m/s halves seven times before it falls below 0.02 m/s
  for (const Impact& i : list)
    if (-i.before > 0.02) {
      EXPECT_NEAR(i.after / -i.before, 0.5, 1e-6) << i.before;
    }
}

TEST(Restitution, PlasticBallStays) {
  Play play(ball_bounce({.restitution = 0.0}));
  double highest = -1.0;
  for (int n = 0; n < 1000; ++n) {
    play.step();
    if (n * 1e-3 > 0.5) highest = worst(highest, play.velocity(0).z());
  }
  EXPECT_LE(highest, 1e-9);
  EXPECT_NEAR(play.position(0).z(), 0.1, 2e-6);
}

// A ball that would not reach the floor in this step is driven into it by another ball.
Scene driven_ball(double e, double gap, double speed) {
  Scene scene;
  for (const char* m : {"floor", "ball"}) scene.world.add_material(m, {});
  MaterialValues bouncy, plastic;
  bouncy.restitution = e;
  plastic.restitution = 0.0;
  scene.world.set_material_pair("floor", "ball", bouncy);
  scene.world.set_material_pair("ball", "ball", plastic);
  scene.world.add_ground({}, "floor");
  BodyOptions lower, upper;
  lower.material = upper.material = "ball";
  lower.position = {0.0, 0.0, 0.1 + gap};
  lower.velocity = {0.0, 0.0, -speed};
  upper.position = lower.position + Vec3(0.0, 0.0, 0.2);
  upper.velocity = {0.0, 0.0, -5.0};
  scene.world.add_body(make_sphere(0.1), 1.0, lower);
  scene.world.add_body(make_sphere(0.1), 5.0, upper);
  return scene;
}

// The floor must still give back e times the speed with which the ball came, and the plastic pair stays together.
TEST(Restitution, HoldsWhenAnotherContactClosesThePair) {
  for (const double e : {1.0, 0.5}) {
    Play play(driven_ball(e, 0.9e-3, 0.5));
    play.step();
    EXPECT_NEAR(play.velocity(0).z(), e * 0.5, 1e-8) << e;
    EXPECT_NEAR(play.velocity(1).z(), e * 0.5, 1e-8) << e;
    EXPECT_EQ(play.unaccepted, 0);
  }
  Play play(driven_ball(0.0, 0.9e-3, 0.5));
  play.step();
  EXPECT_NEAR(play.velocity(0).z(), -(0.9e-3 - 1e-6) / 1e-3, 1e-8);  // look-ahead: just reaches the dead band
}

// The same from farther away than the ball moves by itself: the look-ahead must see what a hit can bring.
TEST(Restitution, HoldsWhenAHitClosesAPairFarAway) {
  for (const double e : {1.0, 0.5}) {
    Play play(driven_ball(e, 1.5e-3, 1.0));
    play.step();
    EXPECT_NEAR(play.velocity(0).z(), e * 1.0, 1e-8) << e;
    EXPECT_GE(play.position(0).z(), 0.1 - 1e-6);
  }
  Play play(driven_ball(0.0, 1.5e-3, 1.0));
  play.step();
  EXPECT_GE(play.position(0).z(), 0.1 - 1e-6);
}

}  // namespace
}  // namespace stiction::test
