// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/robots/four_legs.h>

namespace stiction {

void FourLegs::check() const {
  require_positive(kName, "mass", mass);
  require_positive(kName, "length", length);
  require_positive(kName, "width", width);
  require_positive(kName, "leg", leg);
  require_not_negative(kName, "mu", mu);
  require_finite(kName, "speed", speed);
  require_not_negative(kName, "drop", drop);
}

Scene four_legs(const FourLegs& p) {
  p.check();
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

SceneInfo four_legs_info() {
  return describe_scene<FourLegs, four_legs>(
      "a box stands or slides on four legs",
      "the legs carry the weight, each a quarter; sliding stops after v0^2/(2 mu g)");
}

}  // namespace stiction
