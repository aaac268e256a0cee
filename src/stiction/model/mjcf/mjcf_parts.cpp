// SPDX-License-Identifier: BSD-2-Clause
// What an MJCF file says about pairs of its bodies.
//   connect:  the anchor (in body 1) and the point of body 2 that meets it at the start stay together;
//   weld:     body 2 keeps its pose in body 1, that of the start unless relpose says another one.
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf/mjcf.h>
#include <stiction/model/world/checks.h>

#include <map>

namespace stiction {
namespace {

// Links by name; "world" is the worldbody.
class Links {
 public:
  Links(const RobotModel& robot, const std::string& file) : robot_(robot), file_(file) {
    for (const Frame& f : robot.frames)
      if (by_name_.emplace(f.name, f).second) names_.push_back(f.name);
    by_name_.emplace("world", Frame{"world", kWorldBody, {}});
  }
  const Frame& find(const std::string& name, const std::string& place) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) throw InvalidInput(file_ + ": " + place + ": " + unknown_name("body", name, names_));
    return found->second;
  }
  Pose start(const Frame& link) const {
    Pose pose = link.placement;
    for (BodyId id = link.body; id != kWorldBody; id = robot_.bodies[id].parent) {
      const Body& b = robot_.bodies[id];
      pose = b.placement * joint_pose(b.joint, b.axis, robot_.q0.data() + b.q) * pose;
    }
    return pose;
  }

 private:
  const RobotModel& robot_;
  const std::string& file_;
  std::map<std::string, Frame> by_name_;
  std::vector<std::string> names_;
};

// relpose = position and quaternion (w, x, y, z); a zero quaternion means "as at the start".
std::optional<Pose> relative_pose(const Xml& weld, const std::string& place) {
  const auto value = attribute(weld, "relpose");
  if (!value) return std::nullopt;
  const Vec x = to_vector(*value, 7, place + " relpose");
  const Quat q(x[3], x[4], x[5], x[6]);
  if (!(q.norm() > 0.0)) return std::nullopt;
  return Pose{q.normalized().toRotationMatrix(), x.head<3>()};
}

Loop read_loop(const Xml& element, bool weld, const Links& links, const std::string& place) {
  const Frame a = links.find(required(element, "body1", place), place);
  const Frame b = links.find(attribute(element, "body2").value_or("world"), place);
  const Pose b_in_a = links.start(a).inverse() * links.start(b);
  const Pose anchor{Mat3::Identity(), vec3_attribute(element, "anchor", Vec3::Zero(), place)};
  Loop loop;
  loop.name = attribute(element, "name").value_or(weld ? "weld" : "connect");
  loop.kind = weld ? Loop::weld : Loop::point;
  loop.a = a.body, loop.b = b.body;
  if (weld) {  // the anchor of a weld is a point of body 2
    loop.frame_b = b.placement * anchor;
    loop.frame_a = a.placement * relative_pose(element, place).value_or(b_in_a) * anchor;
  } else {
    loop.frame_a = a.placement * anchor;
    loop.frame_b = b.placement * Pose{Mat3::Identity(), b_in_a.inverse() * anchor.translation};
  }
  return loop;
}

}  // namespace

void add_mjcf_loops(const MjcfDocument& document, RobotModel& robot) {
  const std::string& file = document.file();
  const Links links(robot, file);
  for (const Xml* equality : children(document.mujoco(), "equality"))
    for (const auto& [kind, element] : *equality) {
      if ((kind != "connect" && kind != "weld") || attribute(element, "active").value_or("true") == "false") continue;
      if (!attribute(element, "body1")) {
        robot.warnings.push_back(file + ": left out: <" + kind + "> between sites");
        continue;
      }
      robot.loops.push_back(read_loop(element, kind == "weld", links, "<" + kind + ">"));
    }
}

}  // namespace stiction
