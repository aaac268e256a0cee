// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/impact/ball_bounce.h>

#include <cmath>

namespace stiction {

void BallBounce::check() const {
  require_not_negative(kName, "height", height);
  require_within(kName, "restitution", restitution, 0.0, 1.0);
  require_positive(kName, "radius", radius);
  require_positive(kName, "mass", mass);
}

Scene ball_bounce(const BallBounce& p) {
  p.check();
  Scene scene;
  scene.duration = 5.0;
  scene.world.add_ground(surface(std::nullopt, p.restitution));
  BodyOptions ball;
  ball.name = "ball";
  ball.position = {0.0, 0.0, p.radius + p.height};
  scene.world.add_body(make_sphere(p.radius), p.mass, ball);
  return scene;
}

SceneInfo ball_bounce_info() {
  return describe_scene<BallBounce, ball_bounce>("a ball is dropped on the floor and rebounds",
                                                 "the n-th rebound has speed e^n sqrt(2 g h) up to g dt per impact");
}

double ball_bounce_speed(const BallBounce& p, int bounce) {
  return std::pow(p.restitution, bounce) * std::sqrt(2.0 * kGravity * p.height);
}

double ball_bounce_height(const BallBounce& p, int bounce) { return std::pow(p.restitution, 2 * bounce) * p.height; }

}  // namespace stiction
