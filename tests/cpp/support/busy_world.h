// SPDX-License-Identifier: BSD-2-Clause
// StarlETH that falls on its feet beside a ball and a box that slide: contacts open and close, robots and free bodies move.
#pragma once

#include <stiction/model/world/world_builder.h>

#include <memory>
#include <string>

namespace stiction::test {

inline std::shared_ptr<const World> busy_world(double height = 0.6) {
  WorldBuilder builder;
  builder.add_ground();
  RobotOptions robot;
  robot.position = Vec3(0, 0, height);
  builder.add_urdf(std::string(STICTION_SOURCE_DIR) + "/models/starleth.urdf", robot);
  BodyOptions body;
  body.position = Vec3(1.0, 0, 0.11), body.velocity = Vec3(0.5, 0, 0);
  builder.add_body(make_sphere(0.1), 1.0, body);
  body.position = Vec3(1.3, 0, 0.16), body.velocity = Vec3(-0.5, 0.2, 0);
  builder.add_body(make_box({0.3, 0.3, 0.3}), 2.0, body);
  return builder.compile();
}

}  // namespace stiction::test
