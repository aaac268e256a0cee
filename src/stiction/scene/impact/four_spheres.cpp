// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/impact/four_spheres.h>

#include <string>

namespace stiction {

Scene four_spheres(const FourSpheres& p) {
  check_parameters(p);
  check_parameters(p, "height", p.height, p.radius, 1e3);
  Scene scene;
  scene.dt = 0.00125, scene.duration = 1.0;
  scene.world.gravity = {0.0, 0.0, -p.gravity};
  scene.world.add_ground(surface(p.mu));
  for (int i = 0; i < 4; ++i) {
    BodyOptions ball;
    ball.name = "ball" + std::to_string(i + 1);
    ball.values = surface(p.mu);
    ball.position = {1.0 + (i - 1) * (2.0 * p.radius + p.gap), 0.0, p.radius};
    if (i == 0) ball.position = {0.0, 0.0, p.height}, ball.velocity = {p.speed, p.aside, 0.0};
    scene.world.add_body(make_sphere(p.radius), p.mass, ball);
  }
  return scene;
}

}  // namespace stiction
