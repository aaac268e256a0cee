// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/friction/rolling.h>

#include <cmath>
#include <string>

namespace stiction {
namespace {

constexpr double kBoxMass = 10.0, kBallMass = 1.0, kBallRadius = 0.5, kFloorMu = 0.4, kBallMu = 0.8;
constexpr int kSide = 5;  // balls per side

}  // namespace

Scene rolling(const Rolling& p) {
  check_parameters(p);
  Scene scene;
  scene.duration = 4.0;
  WorldBuilder& world = scene.world;
  for (const char* material : {"floor", "box", "ball"}) world.add_material(material, {});
  world.set_material_pair("floor", "box", surface(kFloorMu));
  world.set_material_pair("box", "ball", surface(kBallMu));
  world.add_ground({}, "floor");

  BodyOptions box;
  box.name = "box";
  box.material = "box";
  box.position = {0.0, 0.0, 0.5};
  world.add_body(make_box({20.0, 20.0, 1.0}), kBoxMass, box);
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j) {
      BodyOptions ball;
      ball.name = "ball" + std::to_string(kSide * i + j);
      ball.material = "ball";
      ball.position = {2.0 * i - 4.0, 2.0 * j - 4.0, 1.5};
      world.add_body(make_sphere(kBallRadius), kBallMass, ball);
    }
  scene.drive = [push = Vec3(p.force * rolling_direction(p))](Simulator& simulator, double) {
    simulator.apply_wrench(kRollingBox, push, Vec3::Zero());
  };
  return scene;
}

Vec3 rolling_direction(const Rolling& p) { return {std::cos(p.angle), std::sin(p.angle), 0.0}; }

double rolling_box_acceleration(const Rolling& p) {
  constexpr double balls = kSide * kSide * kBallMass;
  return (p.force - kFloorMu * (kBoxMass + balls) * kGravity) / (kBoxMass + 2.0 / 7.0 * balls);
}

double rolling_ball_acceleration(const Rolling& p) { return 2.0 / 7.0 * rolling_box_acceleration(p); }

}  // namespace stiction
