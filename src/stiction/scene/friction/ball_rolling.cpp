// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/friction/ball_rolling.h>

#include <cmath>

namespace stiction {

Scene ball_rolling(const BallRolling& p) {
  check_parameters(p);
  Scene scene;
  scene.duration = 0.5;
  scene.world.add_ground(surface(p.mu));
  BodyOptions ball;
  ball.name = "ball";
  ball.position = {0.0, 0.0, p.radius};
  ball.velocity = {p.speed, 0.0, 0.0};
  ball.angular_velocity = {0.0, p.spin, 0.0};
  scene.world.add_body(make_sphere(p.radius), p.mass, ball);
  return scene;
}

double ball_rolling_speed(const BallRolling& p) { return (5.0 * p.speed + 2.0 * p.radius * p.spin) / 7.0; }

double ball_rolling_time(const BallRolling& p) {
  return 2.0 * std::abs(p.speed - p.radius * p.spin) / (7.0 * p.mu * kGravity);
}

}  // namespace stiction
