// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/impact/free_flight.h>

namespace stiction {
namespace {

const Vec3 kStart(0.0, 0.0, 1.0);
const Vec3 kFall(0.0, 0.0, -kGravity);

}  // namespace

Scene free_flight(const SpinningBallFlight& p) {
  check_parameters(p);
  Scene scene;
  BodyOptions ball;
  ball.name = "ball";
  ball.position = kStart;
  ball.velocity = {p.speed, 0.0, 0.0};
  ball.angular_velocity = free_flight_spin(p);
  scene.world.add_body(make_sphere(p.radius), p.mass, ball);
  return scene;
}

Vec3 free_flight_position(const SpinningBallFlight& p, double dt, int n) {
  return kStart + n * dt * Vec3(p.speed, 0.0, 0.0) + dt * dt * (0.5 * n * (n + 1.0)) * kFall;
}

Vec3 free_flight_velocity(const SpinningBallFlight& p, double dt, int n) {
  return Vec3(p.speed, 0.0, 0.0) + n * dt * kFall;
}

Vec3 free_flight_spin(const SpinningBallFlight& p) { return p.spin * Vec3(1.0, 2.0, 3.0).normalized(); }

}  // namespace stiction
