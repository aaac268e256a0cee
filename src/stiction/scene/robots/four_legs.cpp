// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/robots/four_legs.h>

namespace stiction {

Scene four_legs(const FourLegs& p) {
  check_parameters(p);
  Scene scene;
  scene.world.add_ground(surface(p.mu));
  BodyOptions box;
  box.name = "box";
  box.position = {0.0, 0.0, p.leg + p.drop};
  box.velocity = {p.speed, 0.0, 0.0};
  const BodyId body = scene.world.add_body(make_box({p.length, p.width, 0.5 * p.leg}), p.mass, box);
  for (const double x : {-p.length / 2.0, p.length / 2.0})
    for (const double y : {-p.width / 2.0, p.width / 2.0})
      scene.world.add_contact_point(body, Vec3(x, y, -p.leg), false, std::nullopt, std::nullopt);
  return scene;
}

}  // namespace stiction
