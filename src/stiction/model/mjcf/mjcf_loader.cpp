// SPDX-License-Identifier: BSD-2-Clause
// MJCF, read without Pinocchio (whose parser 4.1 leaves out trees, ball joint values, includes and more). The file says itself
// what is free: bodies without joints are static. Its trees and static parts may collide with one another (RobotModel::scene).
// Start: qpos0, clamped into the limits. What has no counterpart here is named in a warning.
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf/mjcf.h>
#include <stiction/model/world/draft.h>

#include <filesystem>

namespace stiction {
namespace {

// <custom><text name="compiled_by" data="…"/></custom>: who wrote the file out of another one (python/stiction/mujoco_file.py).
void tell_compiler(const MjcfDocument& document, RobotModel& robot) {
  for (const Xml* custom : children(document.mujoco(), "custom"))
    for (const Xml* element : children(*custom, "text"))
      if (attribute(*element, "name") == "compiled_by")
        robot.warnings.push_back(document.file() + " was compiled by " + attribute(*element, "data").value_or("") +
                                 "; lines are those of what it wrote");
}

}  // namespace

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
  tell_compiler(document, robot);
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
