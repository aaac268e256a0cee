// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/impact/ball_bounce.h>

namespace stiction {

Scene ball_bounce(const BallBounce& p) {
  check_parameters(p);
  Scene scene;
  scene.duration = 5.0;
  scene.world.add_ground(surface(std::nullopt, p.restitution));
  BodyOptions ball;
  ball.name = "ball";
  ball.position = {0.0, 0.0, p.radius + p.height};
  scene.world.add_body(make_sphere(p.radius), p.mass, ball);
  return scene;
}

}  // namespace stiction
