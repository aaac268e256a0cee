// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/impact/elastic_balls.h>

namespace stiction {

void ElasticBalls::check() const {
  require_option(side >= 1 && side <= 100, kName, "side", side, "a number from 1 to 100");
  require_positive(kName, "radius", radius);
  require_positive(kName, "mass", mass);
  require_within(kName, "spacing", spacing, 2.0 * radius, 1e3);
  require_within(kName, "height", height, radius, 1e3);
  require_within(kName, "restitution", restitution, 0.0, 1.0);
}

Scene elastic_balls(const ElasticBalls& p) {
  p.check();
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

SceneInfo elastic_balls_info() {
  return describe_scene<ElasticBalls, elastic_balls>(
      "a grid of balls rebounds from a smooth floor without loss",
      "energy n^2 m g h is constant; stepper moreau keeps it to round-off, others to the order of their step");
}

double elastic_balls_energy(const ElasticBalls& p) { return p.side * p.side * p.mass * kGravity * p.height; }

}  // namespace stiction
