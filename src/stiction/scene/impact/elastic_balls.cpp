// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/impact/elastic_balls.h>

namespace stiction {

Scene elastic_balls(const ElasticBalls& p) {
  check_parameters(p);
  check_parameters(p, "spacing", p.spacing, 2.0 * p.radius, 1e3);
  check_parameters(p, "height", p.height, p.radius, 1e3);
  Scene scene;
  scene.dt = 0.01, scene.duration = 20.0;
  scene.world.add_ground(surface(0.0, p.restitution));
  for (int i = 0; i < p.side * p.side; ++i) {
    BodyOptions ball;
    ball.name = "ball" + std::to_string(i);
    ball.position = {p.spacing * (i % p.side), p.spacing * (i / p.side), p.height};
    ball.values = surface(0.0, p.restitution);
    scene.world.add_body(make_sphere(p.radius), p.mass, ball);
  }
  return scene;
}

double elastic_balls_energy(const ElasticBalls& p) { return p.side * p.side * p.mass * kGravity * p.height; }

}  // namespace stiction
