// SPDX-License-Identifier: BSD-2-Clause
// Oracles: constant accelerations of a pushed box with rolling balls; angular momentum about the floor of a ball that
// slides to rolling; a parabola for a spinning ball in free flight.
#include <stiction/scene/friction/ball_rolling.h>
#include <stiction/scene/friction/rolling.h>
#include <stiction/scene/impact/free_flight.h>

#include "support/play.h"

namespace stiction::test {
namespace {

// Mean over steps of |v_box − v*|² + |v_ball0 − v*_ball|² along the push.
double squared_error(const Rolling& p, const OptionMap& solver_options) {
  Play play(rolling(p), settings_for("coulomb", 1e-3, {}, "auto", solver_options));
  const Vec3 d = rolling_direction(p);
  const int steps = 4000;
  double sum = 0.0;
  for (int n = 1; n <= steps; ++n) {
    play.step();
    const double box = d.dot(play.velocity(kRollingBox)) - n * 1e-3 * rolling_box_acceleration(p);
    const double ball = d.dot(play.velocity(kRollingBall)) - n * 1e-3 * rolling_ball_acceleration(p);
    sum += box * box + ball * ball;
  }
  EXPECT_EQ(play.unaccepted, 0);
  return sum / steps;
}

const std::vector<double> kDirections{std::numbers::pi / 3.0, std::numbers::pi / 2.0};

TEST(Rolling, AccelerationsAreThePublishedNumbers) {
  EXPECT_NEAR(rolling_box_acceleration({}), 0.7385, 5e-5);
  EXPECT_NEAR(rolling_ball_acceleration({}), 0.2110, 5e-5);
}

TEST(Rolling, ExactByDefault) {
  for (const double angle : kDirections) EXPECT_LE(squared_error({.angle = angle}, {}), 1e-12) << angle;
}

TEST(Rolling, ExactToRoundOffAtTightTolerance) {
  for (const double angle : kDirections)
    EXPECT_LE(squared_error({.angle = angle}, {{"tolerance", 1e-12}}), 1e-18) << angle;
}

TEST(BallRolling, EndsAtFiveSevenths) {
  for (const double spin : {0.0, 40.0, -10.0}) {
    const BallRolling p{.spin = spin};
    Play play(ball_rolling(p));
    play.run(static_cast<int>(std::ceil(ball_rolling_time(p) / 1e-3)) + 100);
    EXPECT_NEAR(play.velocity(0).x(), ball_rolling_speed(p), 1e-10) << spin;
    EXPECT_NEAR(p.radius * play.spin(0).y(), ball_rolling_speed(p), 1e-10) << spin;
    EXPECT_LE(std::abs(play.velocity(0).y()), 1e-10) << spin;
  }
}

TEST(FreeFlight, ParabolaWhateverTheSpin) {
  const SpinningBallFlight p;
  Play play(free_flight(p));
  for (int n = 1; n <= 1000; ++n) {
    play.step();
    ASSERT_LE((play.position(0) - free_flight_position(p, 1e-3, n)).norm(), 1e-12) << n;
    ASSERT_LE((play.velocity(0) - free_flight_velocity(p, 1e-3, n)).norm(), 1e-12) << n;
    ASSERT_LE((play.spin(0) - free_flight_spin(p)).norm(), 1e-12 * p.spin) << n;
  }
}

}  // namespace
}  // namespace stiction::test
