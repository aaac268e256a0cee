// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/impact/break_shot.h>

#include <cmath>
#include <string>

namespace stiction {

Scene break_shot(const BreakShot& p) {
  check_parameters(p);
  Scene scene;
  scene.dt = 1e-3, scene.duration = 0.2;
  scene.world.add_material("ball", surface(p.mu_balls, p.restitution));
  scene.world.add_material("cloth", surface(p.mu));
  scene.world.set_material_pair("ball", "cloth", surface(p.mu, 0.0));
  scene.world.add_ground({}, "cloth");
  const double pitch = 2.0 * p.radius + p.gap;
  const auto add = [&](double x, double y, double speed) {
    BodyOptions ball;
    ball.name = "ball" + std::to_string(scene.world.draft().bodies.size());
    ball.material = "ball";
    ball.position = {x, y, p.radius}, ball.velocity = {speed, 0.0, 0.0};
    ball.angular_velocity = {0.0, speed / p.radius, 0.0};  // rolls
    scene.world.add_body(make_sphere(p.radius), p.mass, ball);
  };
  add(-0.3, 0.0, p.speed);
  for (int row = 0; row < 5; ++row)
    for (int i = 0; i <= row; ++i) add(row * pitch * std::sqrt(0.75), (i - 0.5 * row) * pitch, 0.0);
  return scene;
}

}  // namespace stiction
