// SPDX-License-Identifier: BSD-2-Clause
// <mimic joint="…" multiplier="…" offset="…"/>: the joint is at multiplier · (position of the other one) + offset, held by a row.
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/urdf/urdf.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

double position_at_start(const RobotModel& robot, const Body& body) {
  const double* q = robot.q0.data() + body.q;
  return body.joint == JointKind::continuous ? std::atan2(q[1], q[0]) : q[0];
}

void start_at(RobotModel& robot, const Body& body, double position) {
  if (body.joint == JointKind::continuous)
    robot.q0.segment<2>(body.q) << std::cos(position), std::sin(position);
  else
    robot.q0[body.q] = std::clamp(position, robot.lower[body.v], robot.upper[body.v]);
}

double number_or(const Xml& element, const char* name, double otherwise, const std::string& place) {
  const auto v = attribute(element, name);
  return v ? to_number(*v, place + " <mimic> " + name) : otherwise;
}

// The body that a joint of one velocity carries; kWorldBody if the joint is fixed or has several.
BodyId mimic_body(const RobotModel& robot, const std::string& joint) {
  const auto found = std::find(robot.joint_names.begin(), robot.joint_names.end(), joint);
  if (found == robot.joint_names.end()) return kWorldBody;
  const auto body = static_cast<BodyId>(found - robot.joint_names.begin());
  return sizes(robot.bodies[body].joint).nv == 1 ? body : kWorldBody;
}

}  // namespace

void add_mimic_joints(const Xml& xml, const std::string& file, RobotModel& robot) {
  std::vector<std::string> names;
  for (const Xml* joint : children(xml, "joint")) names.push_back(attribute(*joint, "name").value_or(""));
  for (const Xml* joint : children(xml, "joint")) {
    const Xml* mimic = child(*joint, "mimic");
    if (!mimic) continue;
    const std::string name = attribute(*joint, "name").value_or(""), place = file + ": joint '" + name + "'";
    const std::string other = required(*mimic, "joint", place + " <mimic>");
    if (std::find(names.begin(), names.end(), other) == names.end()) {
      robot.warnings.push_back(place + ": <mimic> is left out: " + unknown_name("joint", other, names));
      continue;
    }
    Coupling c;
    c.name = name;
    c.a = mimic_body(robot, name), c.b = mimic_body(robot, other);
    c.coefficients = {number_or(*mimic, "offset", 0.0, place), number_or(*mimic, "multiplier", 1.0, place)};
    if (c.a == kWorldBody || c.b == kWorldBody || c.a == c.b) {
      robot.warnings.push_back(place + ": <mimic> is left out, both joints must have one degree of freedom");
      continue;
    }
    start_at(robot, robot.bodies[c.a],
             c.coefficients[0] + c.coefficients[1] * position_at_start(robot, robot.bodies[c.b]));
    robot.couplings.push_back(std::move(c));
  }
}

}  // namespace stiction
