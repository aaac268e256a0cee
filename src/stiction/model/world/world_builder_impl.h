// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/world/checks.h>
#include <stiction/model/world/draft.h>

namespace stiction {

struct WorldBuilder::Impl : Draft {
  std::string owner(const char* what, const std::string& given) const {
    return given.empty() ? std::string(what) : std::string(what) + " '" + given + "'";
  }
  const Robot& robot(int index) const {
    check_index("robot", index, static_cast<int>(world.robots.size()));
    return world.robots[index];
  }
  // Body that a named joint of a robot carries.
  BodyId joint(int index, const std::string& name) const {
    const Robot& r = robot(index);
    for (std::size_t i = 0; i < r.joint_names.size(); ++i)
      if (r.joint_names[i] == name) return r.first_body + static_cast<int>(i);
    throw InvalidInput("robot '" + r.name + "': " + unknown_name("joint", name, r.joint_names));
  }
  int add(RobotModel model, const RobotOptions& options);
};

inline void check_body(const World& world, const std::string& field, BodyId body, bool world_allowed) {
  if (body == kWorldBody && world_allowed) return;
  check_index(field, body, static_cast<int>(world.bodies.size()));
}

inline Pose checked_pose(const std::string& owner, const Vec3& position, const Quat& rotation) {
  check_finite(owner + ".position", position);
  return {checked_rotation(owner + ".rotation", rotation).toRotationMatrix(), position};
}

class Hash;
void add_drives(Hash& hash, const World& world);  // actuators, springs and tendons: their part of the fingerprint

}  // namespace stiction
