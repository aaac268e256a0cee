// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/friction/corner_cube.h>
#include <stiction/scene/friction/cube_slide.h>

#include <cmath>

namespace stiction {
namespace {

// Σ_{n ≥ 1} dt max(0, speed − n·loss) with loss per step.
double sliding_distance(double speed, double loss, double dt) {
  const double n = std::floor(speed / loss);
  return dt * (n * speed - loss * n * (n + 1.0) / 2.0);
}

}  // namespace

Scene cube_slide(const CubeSlide& p) {
  check_parameters(p);
  Scene scene;
  scene.duration = 0.3;
  scene.world.add_ground(surface(p.mu));
  BodyOptions cube;
  cube.name = "cube";
  cube.position = {0.0, 0.0, kCubeRest};
  cube.velocity = p.speed * Vec3(std::cos(p.angle), std::sin(p.angle), 0.0);
  add_corner_cube(scene.world, p.mass, cube);
  return scene;
}

double cube_slide_speed(const CubeSlide& p, double dt, int n) {
  return std::max(0.0, p.speed - n * p.mu * kGravity * dt);
}

double cube_slide_travel(const CubeSlide& p, double dt) { return sliding_distance(p.speed, p.mu * kGravity * dt, dt); }

Vec2 cube_slide_pyramid_travel(const CubeSlide& p, double dt) {
  const double loss = p.mu * kGravity * dt, x = p.speed * std::cos(p.angle), y = p.speed * std::sin(p.angle);
  return {std::copysign(sliding_distance(std::abs(x), loss, dt), x),
          std::copysign(sliding_distance(std::abs(y), loss, dt), y)};
}

}  // namespace stiction
