// SPDX-License-Identifier: BSD-2-Clause
// Oracle: a brick on an incline sticks iff tan θ ≤ μ, else it slides with a = g (sin θ − μ cos θ).
#include <stiction/scene/friction/brick_on_slope.h>

#include "support/play.h"

namespace stiction::test {
namespace {

double creep(const Scene& scene, int steps) {
  Play play(scene);
  const Vec3 start = play.position(0);
  double largest = 0.0;
  for (int i = 0; i < steps; ++i) {
    play.step();
    if (i % 100 == 99 || i == steps - 1) largest = worst(largest, (play.position(0) - start).norm());
  }
  EXPECT_EQ(play.unaccepted, 0);
  return largest;
}

TEST(BrickOnSlope, DoesNotCreep) { EXPECT_LE(creep(brick_on_slope({}), 30000), 1e-9); }  // a minute at 2 ms

TEST(BrickOnSlope, DoesNotCreepInAnHourFull) {
  if (!full_run()) GTEST_SKIP() << "STICTION_FULL=1 runs it";
  EXPECT_LE(creep(brick_on_slope({}), 1800000), 1e-9);
}

TEST(BrickOnSlope, SticksUpToTheFrictionAngle) {
  for (const double share : {0.99, 1.01}) {
    const BrickOnSlope p{.angle = std::atan(0.5) * share};
    Play play(brick_on_slope(p));
    play.run(500);
    const double speed = brick_downhill(p).dot(play.velocity(0));
    if (share < 1.0) {
      EXPECT_LE(std::abs(speed), 1e-9);
    }
    EXPECT_NEAR(speed, brick_acceleration(p) * 1.0, 1e-8) << share;
  }
}

TEST(BrickOnSlope, SlidesWithTheClosedForm) {
  for (const double angle : {0.6, 1.0}) {
    const BrickOnSlope p{.angle = angle, .mu = 0.3};
    Play play(brick_on_slope(p));
    const Vec3 start = play.position(0);
    play.run(500);
    EXPECT_NEAR(brick_downhill(p).dot(play.velocity(0)), brick_acceleration(p) * 1.0, 1e-8) << angle;
    const double exact = brick_acceleration(p) * 2e-3 * 2e-3 * 500.0 * 501.0 / 2.0;
    EXPECT_NEAR(brick_downhill(p).dot(play.position(0) - start), exact, 1e-6) << angle;
  }
}

}  // namespace
}  // namespace stiction::test
