// SPDX-License-Identifier: BSD-2-Clause
// MJCF, read without Pinocchio (whose parser 4.1 leaves out trees, ball joint values, includes and more). The file says itself
// what is free: bodies without joints are static. Its trees and static parts may collide with one another (RobotModel::scene).
// Start: qpos0, clamped into the limits. What has no counterpart here is named in a warning.
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf/mjcf.h>
#include <stiction/model/world/draft.h>

#include <filesystem>

namespace stiction {

RobotModel load_mjcf(const std::string& path, const RobotOptions& options) {
  const MjcfDocument document(path);
  MjcfModel model = read_mjcf_bodies(document);
  RobotModel& robot = model.robot;
  robot.scene = true;
  robot.name = attribute(document.mujoco(), "model").value_or(std::filesystem::path(path).stem().string());
  if (options.fixed)
    for (const Body& b : robot.bodies)
      if (b.joint == JointKind::free)
        throw InvalidInput(document.file() + ": body '" + b.name +
                           "' has a free joint, but fixed=True was asked for; take the free joint out of the file");
  apply_mjcf_options(document, model);
  add_mjcf_contacts(document, model);
  add_mjcf_keyframes(document, robot);
  add_mjcf_tendons(document, model);
  add_mjcf_equalities(document, model);
  add_mjcf_rotors(document, model);
  add_mjcf_passive(document, model);
  add_mjcf_actuators(document, model);
  add_mjcf_sensors(document, model);
  add_mjcf_softness(model);
  add_mjcf_left_out(document, model);
  tell_mjcf_unread(document, robot);
  return std::move(model.robot);
}

}  // namespace stiction
