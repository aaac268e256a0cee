// SPDX-License-Identifier: BSD-2-Clause
// <option>: gravity, time step and the flags that switch parts of the physics off. And <keyframe>.
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf/mjcf.h>
#include <stiction/model/world/checks.h>

namespace stiction {
namespace {

void read_flag(const std::string& name, bool on, MjcfOptions& o) {
  const std::pair<const char*, bool*> known[] = {
      {"contact", &o.contact},     {"limit", &o.limit},          {"frictionloss", &o.frictionloss},
      {"equality", &o.equality},   {"spring", &o.spring},        {"damper", &o.damper},
      {"actuation", &o.actuation}, {"clampctrl", &o.clamp_ctrl}, {"filterparent", &o.filter_parent},
      {"sensor", &o.sensor}};
  for (const auto& [key, value] : known)
    if (name == key) *value = on;
  if (name == "passive" && !on) o.spring = o.damper = false;
  if (name == "constraint" && !on) o.contact = o.limit = o.frictionloss = o.equality = false;
  if (name == "gravity" && !on) o.gravity = Vec3::Zero();
}

Vec numbers(const Xml& element, const char* name, const std::string& place) {
  const std::vector<double> out = to_numbers(attribute(element, name).value_or(""), place + " " + name);
  return Eigen::Map<const Vec>(out.data(), static_cast<Eigen::Index>(out.size()));
}

// qpos and qvel: free (position, quaternion w x y z; linear velocity in world axes, angular in the body's), ball (quaternion;
// angular velocity in the body's axes), hinge, slide.
void to_ours(const RobotModel& robot, bool q_given, Keyframe& key) {
  const auto turn = [&key](int at) {
    const double w = key.q[at];
    key.q.segment<3>(at) = Vec3(key.q.segment<3>(at + 1));
    key.q[at + 3] = w;
    if (key.q.segment<4>(at).norm() > 0.0) key.q.segment<4>(at).normalize();
  };
  for (const Body& b : robot.bodies) {
    if (b.joint == JointKind::spherical && q_given) turn(b.q);
    if (b.joint != JointKind::free) continue;
    if (q_given) turn(b.q + 3);
    const Quat rotation(key.q[b.q + 6], key.q[b.q + 3], key.q[b.q + 4], key.q[b.q + 5]);
    key.v.segment<3>(b.v) = rotation.conjugate() * Vec3(key.v.segment<3>(b.v));
  }
}

}  // namespace

void MjcfDocument::read_options() {
  for (const Xml* option : children(mujoco_, "option")) {
    const std::string place = option->place() + ": <option>";
    if (attribute(*option, "gravity")) options_.gravity = vec3_attribute(*option, "gravity", Vec3::Zero(), place);
    options_.magnetic = vec3_attribute(*option, "magnetic", options_.magnetic, place);
    if (const auto cone = attribute(*option, "cone")) options_.pyramidal_cone = *cone != "elliptic";
    if (const auto ratio = attribute(*option, "impratio")) {
      options_.impratio = to_number(*ratio, place + " impratio");
      check_positive(place + " impratio", options_.impratio);
    }
    if (const auto dt = attribute(*option, "timestep")) {
      options_.timestep = to_number(*dt, place + " timestep");
      check_positive(place + " timestep", *options_.timestep);
    }
  }
  for (const Xml* option : children(mujoco_, "option"))
    for (const Xml* flags : children(*option, "flag"))
      for (const auto& [name, value] : flags->attributes()) {
        if (value != "enable" && value != "disable")
          throw InvalidInput(flags->place() + ": <flag> " + name + " is '" + value + "', expected enable or disable");
        read_flag(name, value == "enable", options_);
      }
}

void apply_mjcf_options(const MjcfDocument& document, MjcfModel& model) {
  const MjcfOptions& o = document.options();
  RobotModel& robot = model.robot;
  if (!o.limit) robot.lower.setConstant(-kInfinity), robot.upper.setConstant(kInfinity);
  if (!o.frictionloss) robot.dry_friction.setZero();
  robot.parents_collide = !o.filter_parent;
  robot.gravity = o.gravity;
  robot.timestep = o.timestep.value_or(0.0);
}

void add_mjcf_keyframes(const MjcfDocument& document, RobotModel& robot) {
  for (const Xml* section : children(document.mujoco(), "keyframe"))
    for (const Xml* element : children(*section, "key")) {
      const std::string usual = "key_" + std::to_string(robot.keyframes.size());
      Keyframe key{attribute(*element, "name").value_or(usual), 0.0, {}, {}, {}, {}};
      const std::string place = element->place() + ": keyframe '" + key.name + "'";
      key.time = to_number(attribute(*element, "time").value_or("0"), place + " time");
      key.q = numbers(*element, "qpos", place), key.v = numbers(*element, "qvel", place);
      key.act = numbers(*element, "act", place), key.ctrl = numbers(*element, "ctrl", place);
      const bool q_given = key.q.size() > 0;
      if (!q_given) key.q = robot.q0;
      if (key.v.size() == 0) key.v = Vec::Zero(robot.nv);
      if (key.q.size() != robot.nq || key.v.size() != robot.nv) {
        robot.warnings.push_back(place + " is left out: it has " + std::to_string(key.q.size()) + " qpos and " +
                                 std::to_string(key.v.size()) + " qvel, expected " + std::to_string(robot.nq) +
                                 " and " + std::to_string(robot.nv));
        continue;
      }
      to_ours(robot, q_given, key);
      robot.keyframes.push_back(std::move(key));
    }
}

}  // namespace stiction
