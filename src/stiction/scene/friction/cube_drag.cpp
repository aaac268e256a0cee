// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/friction/corner_cube.h>
#include <stiction/scene/friction/cube_drag.h>

namespace stiction {

Scene cube_drag(const CubeDrag& p) {
  check_parameters(p);
  Scene scene;
  scene.world.add_ground(surface(p.mu));
  BodyOptions options;
  options.name = "cube";
  options.position = {0.0, 0.0, kCubeRest};
  const BodyId cube = add_corner_cube(scene.world, p.mass, options);
  scene.drive = [cube, rate = p.rate](Simulator& simulator, double t) {
    simulator.apply_wrench(cube, Vec3(rate * t, 0.0, 0.0), Vec3::Zero());
  };
  return scene;
}

double cube_drag_slip_time(const CubeDrag& p) { return p.mu * p.mass * kGravity / p.rate; }

DragMotion cube_drag_motion(const CubeDrag& p, double t) {
  const double start = cube_drag_slip_time(p), s = t - start;
  if (s <= 0.0) return {0.0, 0.0};
  // k t − μ m g = k s, since k t_s = μ m g
  return {p.rate * s * s * s / (6.0 * p.mass), p.rate * s * s / (2.0 * p.mass)};
}

DragMotion cube_drag_steps(const CubeDrag& p, double dt, int n) {
  DragMotion m{0.0, 0.0};
  for (int i = 0; i < n; ++i) {
    const double net = p.rate * (i * dt) - p.mu * p.mass * kGravity;
    m.velocity = std::max(0.0, m.velocity + dt * net / p.mass);
    m.position += dt * m.velocity;
  }
  return m;
}

}  // namespace stiction
