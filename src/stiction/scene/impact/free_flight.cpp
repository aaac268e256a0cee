// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/impact/free_flight.h>

namespace stiction {
namespace {

const Vec3 kStart(0.0, 0.0, 1.0);
const Vec3 kFall(0.0, 0.0, -kGravity);

}  // namespace

void FreeFlight::check() const {
  require_finite(kName, "speed", speed);
  require_finite(kName, "spin", spin);
  require_positive(kName, "radius", radius);
  require_positive(kName, "mass", mass);
}

Scene free_flight(const FreeFlight& p) {
  p.check();
  Scene scene;
  BodyOptions ball;
  ball.name = "ball";
  ball.position = kStart;
  ball.velocity = {p.speed, 0.0, 0.0};
  ball.angular_velocity = free_flight_spin(p);
  scene.world.add_body(make_sphere(p.radius), p.mass, ball);
  return scene;
}

SceneInfo free_flight_info() {
  return describe_scene<FreeFlight, free_flight>("a spinning ball in free flight",
                                                 "v = v0 + g t exactly, spin constant; positions exact up to the step");
}

Vec3 free_flight_position(const FreeFlight& p, double dt, int n) {
  return kStart + n * dt * Vec3(p.speed, 0.0, 0.0) + dt * dt * (0.5 * n * (n + 1.0)) * kFall;
}

Vec3 free_flight_velocity(const FreeFlight& p, double dt, int n) { return Vec3(p.speed, 0.0, 0.0) + n * dt * kFall; }

Vec3 free_flight_spin(const FreeFlight& p) { return p.spin * Vec3(1.0, 2.0, 3.0).normalized(); }

}  // namespace stiction
