// SPDX-License-Identifier: BSD-2-Clause
// What an MJCF file says about pairs of its bodies and geoms.
//   connect:  the anchor (in body 1) and the point of body 2 that meets it at the start stay together;
//   weld:     body 2 keeps its pose in body 1, that of the start unless relpose says another one;
//   contact:  two geoms collide if the contype of one meets the conaffinity of the other. Friction is that of the geom with the
//             higher priority, else the larger of the two; none if the larger condim is 1.
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf/mjcf.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
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

double friction(const MjcfSurface& a, const MjcfSurface& b) {
  if (a.priority != b.priority) {
    const MjcfSurface& winner = a.priority > b.priority ? a : b;
    return winner.condim == 1 ? 0.0 : winner.friction;
  }
  return std::max(a.condim, b.condim) == 1 ? 0.0 : std::max(a.friction, b.friction);
}

// One material per kind of surface, and a pair of materials where the kinds meet.
void add_surfaces(MjcfModel& model) {
  std::vector<MjcfSurface> kinds = model.surfaces;
  std::sort(kinds.begin(), kinds.end());
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  RobotModel& robot = model.robot;
  for (const MjcfSurface& s : kinds) {
    std::string name = "friction " + text(s.friction);
    if (s.condim != 3) name += " condim " + std::to_string(s.condim);
    if (s.priority != 0) name += " priority " + std::to_string(s.priority);
    robot.materials.push_back({name, {}});
    robot.materials.back().values.mu = s.friction;
  }
  for (const MjcfSurface& s : model.surfaces)
    robot.material_of.push_back(static_cast<int>(std::lower_bound(kinds.begin(), kinds.end(), s) - kinds.begin()));
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (std::size_t j = i; j < kinds.size(); ++j)
      robot.material_pairs.push_back({static_cast<int>(i), static_cast<int>(j), friction(kinds[i], kinds[j])});
}

}  // namespace

void add_mjcf_contacts(const MjcfDocument& document, MjcfModel& model) {
  const auto& masks = model.masks;
  for (std::size_t i = 0; i < masks.size(); ++i)
    for (std::size_t j = i + 1; j < masks.size(); ++j)
      if ((masks[i].first & masks[j].second) == 0 && (masks[j].first & masks[i].second) == 0)
        model.robot.excluded_geoms.emplace_back(static_cast<int>(i), static_cast<int>(j));
  const Links links(model.robot, document.file());
  for (const Xml* contact : children(document.mujoco(), "contact"))
    for (const Xml* exclude : children(*contact, "exclude"))
      model.robot.excluded_bodies.emplace_back(
          links.find(required(*exclude, "body1", document.file() + ": <exclude>"), "<exclude>").body,
          links.find(required(*exclude, "body2", document.file() + ": <exclude>"), "<exclude>").body);
  add_surfaces(model);
}

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
