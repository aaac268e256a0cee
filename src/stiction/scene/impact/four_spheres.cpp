// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/impact/four_spheres.h>

#include <string>

namespace stiction {

void FourSpheres::check() const {
  for (const auto& [field, value] :
       {std::pair{"radius", radius}, std::pair{"mass", mass}, std::pair{"gravity", gravity}})
    require_positive(kName, field, value);
  require_not_negative(kName, "mu", mu);
  require_not_negative(kName, "gap", gap);
  require_within(kName, "height", height, radius, 1e3);
  require_finite(kName, "speed", speed);
  require_finite(kName, "aside", aside);
}

Scene four_spheres(const FourSpheres& p) {
  p.check();
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

SceneInfo four_spheres_info() {
  return describe_scene<FourSpheres, four_spheres>(
      "Stewart and Trinkle's spheres: one lands, rolls and runs into a line of three",
      "before the collision 5/7 of the initial velocity; contacts close in [.5825, .58375] s");
}

}  // namespace stiction
