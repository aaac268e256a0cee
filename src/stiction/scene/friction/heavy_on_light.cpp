// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/friction/corner_cube.h>
#include <stiction/scene/friction/heavy_on_light.h>

#include <cmath>

namespace stiction {

double HeavyOnLight::bottom() const { return 1.0 / std::sqrt(ratio); }
double HeavyOnLight::top() const { return std::sqrt(ratio); }

Scene heavy_on_light(const HeavyOnLight& p) {
  check_parameters(p);
  Scene scene;
  scene.world.add_material("floor", {});
  scene.world.add_material("cube", {});
  scene.world.set_material_pair("floor", "cube", surface(0.9));
  scene.world.set_material_pair("cube", "cube", surface(0.95));
  scene.world.add_ground({}, "floor");

  const double half = p.boxes ? kCubeSide / 2.0 : kCubeRest;  // from the centre to where it touches
  const auto add = [&](const char* name, double mass, double height) {
    BodyOptions options;
    options.name = name;
    options.material = "cube";
    options.position = {0.0, 0.0, height};
    if (p.boxes)
      scene.world.add_body(make_box(Vec3::Constant(kCubeSide)), mass, options);
    else
      add_corner_cube(scene.world, mass, options);
  };
  add("bottom", p.bottom(), half);
  add("top", p.top(), 3.0 * half);
  return scene;
}

double heavy_on_light_floor_force(const HeavyOnLight& p) { return (p.bottom() + p.top()) * kGravity; }

}  // namespace stiction
