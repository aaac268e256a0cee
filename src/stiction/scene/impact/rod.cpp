// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/impact/rod.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {

Scene rod(const Rod& p) {
  check_parameters(p);
  check_parameters(p, "height", p.height, p.radius + 0.5 * p.length * std::abs(std::sin(p.angle)), 1e3);
  Scene scene;
  scene.dt = 0.0025, scene.duration = 0.65;
  scene.world.gravity = {0.0, 0.0, -p.gravity};
  scene.world.add_ground(surface(p.mu));
  BodyOptions body;
  body.name = "rod";
  body.position = {0.0, 0.0, p.height};
  body.rotation =
      Eigen::AngleAxisd(0.5 * std::numbers::pi - p.angle, Vec3::UnitY());  // its axis z to (cos θ, 0, sin θ)
  body.angular_velocity = {0.0, -p.spin, 0.0};
  // about the axis: that of a solid cylinder, but no more than a body of this inertia can have
  const double axial = std::min(0.5 * p.mass * p.radius * p.radius, p.inertia);
  body.inertia = Vec3(p.inertia, p.inertia, axial).asDiagonal();
  scene.world.add_body(make_capsule(p.radius, p.length), p.mass, body);
  return scene;
}

double rod_first_contact(const Rod& p) {
  const auto gap = [&](double t) {
    return p.height - 0.5 * p.gravity * t * t - 0.5 * p.length * std::abs(std::sin(p.angle + p.spin * t)) - p.radius;
  };
  double hi = 0.0;
  while (gap(hi) > 0.0) hi += 1e-4;
  double lo = std::max(0.0, hi - 1e-4);
  for (int i = 0; i < 60; ++i) (gap(0.5 * (lo + hi)) > 0.0 ? lo : hi) = 0.5 * (lo + hi);
  return hi;
}

}  // namespace stiction
