// SPDX-License-Identifier: BSD-2-Clause
// SDF: the wheels of Pinocchio come without its SDF parser, so the model is rewritten as URDF and read as such.
//   SDF places links in the model, X_ML, and joints in their child link, X_LJ; URDF links sit in their joint:
//     U(link) = X_ML X_LJ  of the joint that carries it (X_ML for the root),  origin(joint) = U(parent)⁻¹ U(child),
//   and what a link holds is moved by U(link)⁻¹ X_ML. A joint whose child already has one closes a loop: ball → point,
//   fixed → weld, revolute → two points on its axis.
// Read: one model (of a file or of its first world), poses relative to the enclosing element, revolute, continuous,
// prismatic, ball and fixed joints with limits, damping and friction, models within models (sdf_nested.cpp). relative_to is refused.
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/urdf/sdf_nested.h>
#include <stiction/model/urdf/urdf.h>
#include <stiction/model/world/checks.h>
#include <stiction/model/world/draft.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <set>

namespace stiction {
namespace {

std::optional<std::string> value(const Xml& element, const char* tag) {
  const Xml* found = child(element, tag);
  return found ? std::optional(found->data()) : std::nullopt;
}

Xml origin(const Pose& pose) {
  Xml out;
  out.set("xyz", sdf_numbers(pose.translation));
  out.set("rpy", sdf_numbers(to_roll_pitch_yaw(pose.rotation)));
  return out;
}

Xml attributes(const Xml& element, std::initializer_list<const char*> names) {
  Xml out;
  for (const char* name : names)
    if (const auto v = value(element, name)) out.set(name, *v);
  return out;
}

Xml inertial(const Xml& in, const Pose& placement, const std::string& place) {
  Xml out;
  out.push_back({"origin", origin(placement * read_sdf_pose(in, place + " <inertial>"))});
  Xml mass, inertia;
  mass.set("value", value(in, "mass").value_or("1"));
  out.push_back({"mass", mass});
  const Xml* given = child(in, "inertia");
  for (const char* name : {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"})
    inertia.set(name, (given ? value(*given, name) : std::nullopt).value_or(name[1] == name[2] ? "1" : "0"));
  out.push_back({"inertia", inertia});
  return out;
}

Xml geometry(const Xml& in, const std::string& place) {
  Xml out;
  for (const auto& [kind, element] : in) {
    if (kind == "box" || kind == "sphere" || kind == "cylinder" || kind == "capsule") {
      out.push_back({kind, attributes(element, {"size", "radius", "length"})});
    } else if (kind == "mesh") {
      Xml mesh = attributes(element, {"scale"});
      mesh.set("filename", value(element, "uri").value_or(""));
      out.push_back({kind, mesh});
    } else {
      throw InvalidInput(place + " is a <" + kind + ">, expected box, sphere, cylinder, capsule or mesh");
    }
  }
  return out;
}

class Reader {
 public:
  Reader(const Xml& model, const std::string& file, RobotOptions& options)
      : model_(model), file_(file), options_(options) {
    const std::string flag = value(model, "static").value_or("0");
    static_ = flag == "true" || flag == "1";
    if (static_) options_.fixed = true;
  }

  Xml to_urdf() {
    for (const Xml* link : children(model_, "link")) {
      const std::string name = required(*link, "name", file_ + ": a link");
      frame_[name] = link_pose_[name] = read_sdf_pose(*link, file_ + ": link '" + name + "'");
    }
    for (const Xml* joint : children(model_, "joint")) sort_joint(*joint);
    Xml robot;
    robot.set("name", attribute(model_, "name").value_or("robot"));
    if (link_pose_.contains("world")) robot.add_child("link", {}).set("name", "world");
    for (const Xml* link : children(model_, "link")) robot.push_back({"link", urdf_link(*link)});
    for (const Xml* joint : tree_joints_) robot.push_back({"joint", urdf_joint(*joint)});
    Xml document;
    document.push_back({"robot", robot});
    return document;
  }

  // Root of the model in the world, and the loops.
  void finish(RobotModel& robot) const {
    std::map<std::string, const Frame*> frames;
    for (const Frame& f : robot.frames) frames.emplace(f.name, &f);
    for (const Xml* joint : loop_joints_) add_loop(*joint, frames, robot);
    for (const auto& [name, pose] : link_pose_)
      if (!carried_.contains(name)) place(read_sdf_pose(model_, file_ + ": model") * pose, robot);
  }

 private:
  std::string name_of(const Xml& joint) const { return required(joint, "name", file_ + ": a joint"); }
  std::string place_of(const Xml& joint) const { return file_ + ": joint '" + name_of(joint) + "'"; }
  std::string side(const Xml& joint, const char* which) const {
    const std::string link = value(joint, which).value_or("");
    if (link == "world" || link_pose_.contains(link)) return link;
    std::vector<std::string> names;
    for (const auto& [name, pose] : link_pose_) names.push_back(name);
    throw InvalidInput(place_of(joint) + " <" + which + ">: " + unknown_name("link", link, names));
  }

  void sort_joint(const Xml& joint) {
    const std::string on = side(joint, "parent"), link = side(joint, "child");
    if (on == link) throw InvalidInput(place_of(joint) + " joins link '" + link + "' to itself");
    if (on == "world") {  // a link of its own, fixed where it is
      link_pose_["world"] = frame_["world"] = Pose{};
      options_.fixed = true;
    }
    if (!carried_.insert(link).second) {
      loop_joints_.push_back(&joint);
      return;
    }
    tree_joints_.push_back(&joint);
    frame_[link] = link_pose_.at(link) * read_sdf_pose(joint, place_of(joint));
  }

  Xml urdf_link(const Xml& link) const {
    const std::string name = required(link, "name", file_);
    const std::string where = file_ + ": link '" + name + "'";
    const Pose shift = frame_.at(name).inverse() * link_pose_.at(name);
    Xml out;
    out.set("name", name);
    if (const Xml* in = child(link, "inertial")) out.push_back({"inertial", inertial(*in, shift, where)});
    for (const Xml* collision : children(link, "collision")) {
      Xml part;
      const Xml* shape = child(*collision, "geometry");
      if (!shape) throw InvalidInput(where + " <collision> has no <geometry>");
      part.set("name", attribute(*collision, "name").value_or(name));
      part.push_back({"origin", origin(shift * read_sdf_pose(*collision, where + " <collision>"))});
      part.push_back({"geometry", geometry(*shape, where + " <collision>")});
      out.push_back({"collision", part});
    }
    return out;
  }

  Vec3 axis_of(const Xml& axis, const Xml& joint) const {
    const Vec3 a = to_vector(value(axis, "xyz").value_or("0 0 1"), 3, place_of(joint) + " <axis>");
    if (value(axis, "use_parent_model_frame").value_or("0") == "0") return a;
    return frame_.at(side(joint, "child")).rotation.transpose() * a;
  }

  Xml urdf_joint(const Xml& joint) const {
    const std::string type = required(joint, "type", place_of(joint));
    Xml out, parent, link;
    out.set("name", name_of(joint));
    out.set("type", static_ ? "fixed" : type == "ball" ? "spherical" : type);
    parent.set("link", side(joint, "parent"));
    link.set("link", side(joint, "child"));
    out.push_back({"parent", parent});
    out.push_back({"child", link});
    out.push_back({"origin", origin(frame_.at(side(joint, "parent")).inverse() * frame_.at(side(joint, "child")))});
    const Xml* axis = child(joint, "axis");
    if (!axis) return out;
    Xml direction, limit;
    direction.set("xyz", sdf_numbers(axis_of(*axis, joint)));
    out.push_back({"axis", direction});
    if (const Xml* dynamics = child(*axis, "dynamics")) {
      const Xml values = attributes(*dynamics, {"damping", "friction"});
      if (!values.empty()) out.push_back({"dynamics", values});
    }
    const Xml* given = child(*axis, "limit");
    for (const auto& [name, otherwise] : {std::pair{"lower", "-1e16"}, {"upper", "1e16"}}) {
      const auto v = given ? value(*given, name) : std::nullopt;
      const bool finite = v && std::abs(to_number(*v, place_of(joint) + " " + name)) < 1e16;
      limit.set(name, finite ? *v : otherwise);
    }
    for (const char* name : {"effort", "velocity"}) {  // negative: none
      const auto v = given ? value(*given, name) : std::nullopt;
      const bool bounded = v && to_number(*v, place_of(joint) + " " + name) > 0.0;
      limit.set(name, bounded ? *v : "0");
    }
    out.push_back({"limit", limit});
    if (const Xml* mimic = child(*axis, "mimic")) out.push_back({"mimic", urdf_mimic(*mimic, place_of(joint))});
    return out;
  }

  // SDF: multiplier (q − reference) + offset.
  static Xml urdf_mimic(const Xml& mimic, const std::string& place) {
    const auto number = [&](const char* name, double otherwise) {
      const auto v = value(mimic, name);
      return v ? to_number(*v, place + " <mimic> " + name) : otherwise;
    };
    const double multiplier = number("multiplier", 1.0);
    Xml out;
    out.set("joint", required(mimic, "joint", place + " <mimic>"));
    out.set("multiplier", text(multiplier));
    out.set("offset", text(number("offset", 0.0) - multiplier * number("reference", 0.0)));
    return out;
  }

  void add_loop(const Xml& joint, const std::map<std::string, const Frame*>& frames, RobotModel& robot) const {
    const std::string type = required(joint, "type", place_of(joint));
    const std::string on = side(joint, "parent"), link = side(joint, "child");
    const Pose at = link_pose_.at(link) * read_sdf_pose(joint, place_of(joint));
    Loop loop;
    loop.name = name_of(joint);
    loop.kind = type == "fixed" ? Loop::weld : Loop::point;
    loop.a = frames.at(on)->body, loop.b = frames.at(link)->body;
    const auto push = [&](const Pose& point) {
      loop.frame_a = frames.at(on)->placement * frame_.at(on).inverse() * point;
      loop.frame_b = frames.at(link)->placement * frame_.at(link).inverse() * point;
      robot.loops.push_back(loop);
    };
    if (type == "ball" || type == "fixed") return push(at);
    if (type != "revolute" && type != "continuous")
      throw InvalidInput(place_of(joint) + " closes a loop by a " + type +
                         " joint; only ball, fixed and revolute joints can");
    const Xml* axis = child(joint, "axis");
    const Vec3 a = (axis ? axis_of(*axis, joint) : Vec3::UnitZ()).normalized();
    for (const double s : {-0.05, 0.05}) push(at * Pose{Mat3::Identity(), s * a});
  }

  static void place(const Pose& pose, RobotModel& robot) {
    for (Body& b : robot.bodies)
      if (b.parent == kWorldBody) b.placement = pose * b.placement;
    for (Geom& g : robot.geoms)
      if (g.body == kWorldBody) g.placement = pose * g.placement;
    for (Frame& f : robot.frames)
      if (f.body == kWorldBody) f.placement = pose * f.placement;
  }

  const Xml& model_;
  const std::string& file_;
  RobotOptions& options_;
  bool static_ = false;
  std::map<std::string, Pose> link_pose_, frame_;
  std::set<std::string> carried_;
  std::vector<const Xml*> tree_joints_, loop_joints_;
};

}  // namespace

RobotModel load_sdf(const std::string& path, const RobotOptions& given) {
  const std::string file = std::filesystem::path(path).filename().string();
  const Xml document = parse_xml(read_text_file(path, "SDF"), file);
  const Xml* sdf = &xml_root(document, "sdf", file);
  if (const Xml* world = child(*sdf, "world")) sdf = world;
  const auto models = children(*sdf, "model");
  if (models.size() != 1) throw InvalidInput(file + " has " + std::to_string(models.size()) + " models, expected one");
  RobotOptions options = given;
  const Xml model = flat_sdf_model(*models[0], file);
  Reader reader(model, file, options);
  const Xml urdf = reader.to_urdf();
  RobotModel robot = load_urdf_tree(urdf, file, std::filesystem::path(path).parent_path().string(), options);
  reader.finish(robot);
  return robot;
}

}  // namespace stiction
