// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/friction/brick_on_slope.h>

#include <cmath>

namespace stiction {

Scene brick_on_slope(const BrickOnSlope& p) {
  check_parameters(p);
  Scene scene;
  scene.dt = 2e-3;
  const Quat tilt(Eigen::AngleAxisd(p.angle, Vec3::UnitY()));  // turns x downhill
  BodyOptions slope;
  slope.name = "slope";
  slope.rotation = tilt;
  slope.values.mu = p.mu;
  scene.world.add_static(make_half_space(), slope);

  const Vec3 edges(0.2, 0.1, 0.04);
  BodyOptions brick;
  brick.name = "brick";
  brick.rotation = tilt;
  brick.position = tilt * Vec3(0.0, 0.0, edges.z() / 2.0);
  scene.world.add_body(make_box(edges), p.mass, brick);
  return scene;
}

double brick_acceleration(const BrickOnSlope& p) {
  return std::max(0.0, kGravity * (std::sin(p.angle) - p.mu * std::cos(p.angle)));
}

Vec3 brick_downhill(const BrickOnSlope& p) { return {std::cos(p.angle), 0.0, -std::sin(p.angle)}; }

}  // namespace stiction
