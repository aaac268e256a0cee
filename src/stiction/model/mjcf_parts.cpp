// SPDX-License-Identifier: BSD-2-Clause
// An MJCF file holds several trees; each is parsed as a file of its own and joined to the others here.
//   connect: the anchor (in body 1) and the point of body 2 that meets it at the start stay together;
//   weld:    body 2 keeps its pose in body 1, that of the start unless relpose says another one.
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf.h>

#include <map>

namespace stiction {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void extend(Vec& x, const Vec& tail) {
  const Eigen::Index n = x.size();
  x.conservativeResize(n + tail.size());
  x.tail(tail.size()) = tail;
}

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
    for (BodyId id = link.body; id != kWorldBody; id = robot_.bodies[at(id)].parent) {
      const Body& b = robot_.bodies[at(id)];
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

std::vector<Xml> split_mjcf(const Xml& document, const std::string& file) {
  Xml frame = document;
  Xml& mujoco = frame.get_child("mujoco");
  for (const char* section : {"keyframe", "equality", "contact", "actuator", "sensor", "tendon", "custom", "visual"})
    mujoco.erase(section);
  const Xml world = mujoco.get_child("worldbody");
  mujoco.get_child("worldbody").erase("body");
  std::vector<Xml> parts;
  for (const Xml* body : children(world, "body")) {
    parts.push_back(frame);
    parts.back().get_child("mujoco.worldbody").push_back({"body", *body});
  }
  if (parts.empty()) throw InvalidInput(file + " has no <body> in its <worldbody>");
  return parts;
}

void join(const MjcfPart& part, MjcfPart& whole) {
  const RobotModel& p = part.robot;
  RobotModel& w = whole.robot;
  const int body0 = static_cast<int>(w.bodies.size()), link0 = static_cast<int>(w.frames.size());
  const auto shift = [body0](BodyId b) { return b == kWorldBody ? b : b + body0; };
  for (Body b : p.bodies) {
    b.parent = shift(b.parent);
    b.q += w.nq, b.v += w.nv;
    w.bodies.push_back(std::move(b));
  }
  for (const int link : p.root_link) w.root_link.push_back(link < 0 ? link : link + link0);
  for (Frame f : p.frames) {
    f.body = shift(f.body);
    w.frames.push_back(std::move(f));
  }
  for (std::size_t i = 0; i < p.geoms.size(); ++i) {
    w.geoms.push_back(p.geoms[i]);
    w.geoms.back().body = shift(p.geoms[i].body);
    w.origins.push_back(p.origins[i]);
    if (w.origins.back().link >= 0) w.origins.back().link += link0;
    w.surfaces.push_back(p.surfaces[i]);
  }
  whole.masks.insert(whole.masks.end(), part.masks.begin(), part.masks.end());
  w.joint_names.insert(w.joint_names.end(), p.joint_names.begin(), p.joint_names.end());
  w.warnings.insert(w.warnings.end(), p.warnings.begin(), p.warnings.end());
  w.nq += p.nq, w.nv += p.nv;
  using Member = Vec RobotModel::*;
  for (const Member m : {&RobotModel::q0, &RobotModel::lower, &RobotModel::upper, &RobotModel::joint_damping,
                         &RobotModel::dry_friction, &RobotModel::armature, &RobotModel::effort_limit})
    extend(w.*m, p.*m);
}

void add_mjcf_filters(const Xml& mujoco, const std::string& file, MjcfPart& whole) {
  // Two geoms of a file collide if the contype of one meets the conaffinity of the other.
  const auto& masks = whole.masks;
  for (std::size_t i = 0; i < masks.size(); ++i)
    for (std::size_t j = i + 1; j < masks.size(); ++j)
      if ((masks[i].first & masks[j].second) == 0 && (masks[j].first & masks[i].second) == 0)
        whole.robot.excluded_geoms.emplace_back(static_cast<int>(i), static_cast<int>(j));
  const Links links(whole.robot, file);
  for (const Xml* contact : children(mujoco, "contact"))
    for (const Xml* exclude : children(*contact, "exclude"))
      whole.robot.excluded_bodies.emplace_back(
          links.find(required(*exclude, "body1", file + ": <exclude>"), "<exclude>").body,
          links.find(required(*exclude, "body2", file + ": <exclude>"), "<exclude>").body);
}

void add_mjcf_loops(const Xml& mujoco, const std::string& file, RobotModel& robot) {
  const Links links(robot, file);
  for (const Xml* equality : children(mujoco, "equality"))
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
