// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/friction/corner_cube.h>

namespace stiction {

BodyId add_corner_cube(WorldBuilder& world, double mass, const BodyOptions& options) {
  BodyOptions centre = options;
  centre.inertia = Mat3::Identity() * (mass * kCubeSide * kCubeSide / 6.0);
  const BodyId cube = world.add_body(make_point(), mass, centre);  // the centre itself never touches anything

  BodyOptions corner;
  corner.material = options.material;
  corner.values = options.values;
  for (const double z : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5})
      for (const double x : {-0.5, 0.5})
        world.add_geom(cube, make_sphere(kCornerRadius), {Mat3::Identity(), kCubeSide * Vec3(x, y, z)}, corner);
  return cube;
}

}  // namespace stiction
