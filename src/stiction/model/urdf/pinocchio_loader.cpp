// SPDX-License-Identifier: BSD-2-Clause
// URDF: Pinocchio builds the tree, we read the geometry (urdf_geometry.cpp) and check what its parser lets pass
// (urdf_check.cpp). Effort limits that are absent or 0 mean unlimited.
//
// Pinocchio numbers joints depth first and carries one body per joint, links on fixed joints merged: so do we. A
// composite joint becomes a chain of bodies whose inner ones are massless; q and v keep their order.
// The one file that includes Pinocchio: its headers take longer to parse than all that is done with them.
#include <stiction/base/invalid_input.h>
#include <stiction/model/urdf/urdf.h>
#include <stiction/model/world/checks.h>
#include <stiction/model/world/draft.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <pinocchio/multibody.hpp>
#include <pinocchio/parsers/urdf.hpp>
#include <set>

namespace stiction {
namespace {

namespace pin = pinocchio;

Pose to_pose(const pin::SE3& m) { return {m.rotation(), m.translation()}; }

struct ConvertOptions {
  std::set<std::string> spherical;  // free joints that are to be balls
  // Name of the k-th part of the composite `joint` that carries link `body`.
  std::function<std::string(const std::string& joint, const std::string& body, std::size_t k)> part_name;
};

struct Kind {
  JointKind kind;
  Vec3 axis;
};

// JointModelRX, JointModelRUBY, JointModelPZ: the last letter is the axis.
std::optional<Kind> aligned(const std::string& name) {
  const std::string_view family = std::string_view(name).substr(0, name.size() - 1);
  const std::size_t axis = std::string_view("XYZ").find(name.back());
  if (axis == std::string_view::npos) return std::nullopt;
  const Vec3 a = Vec3::Unit(static_cast<Eigen::Index>(axis));
  if (family == "JointModelR") return Kind{JointKind::revolute, a};
  if (family == "JointModelRUB") return Kind{JointKind::continuous, a};
  if (family == "JointModelP") return Kind{JointKind::prismatic, a};
  return std::nullopt;
}

Kind kind_of(const pin::JointModel& joint, const std::string& place) {
  const std::string name = joint.shortname();
  const auto& v = joint.toVariant();
  if (name == "JointModelFreeFlyer") return {JointKind::free, Vec3::UnitZ()};
  if (name == "JointModelSpherical") return {JointKind::spherical, Vec3::UnitZ()};
  if (name == "JointModelTranslation") return {JointKind::translation, Vec3::UnitZ()};
  if (name == "JointModelPlanar") return {JointKind::planar, Vec3::UnitZ()};
  if (const auto* j = boost::get<pin::JointModelRevoluteUnaligned>(&v)) return {JointKind::revolute, j->axis};
  if (const auto* j = boost::get<pin::JointModelRevoluteUnboundedUnaligned>(&v))
    return {JointKind::continuous, j->axis};
  if (const auto* j = boost::get<pin::JointModelPrismaticUnaligned>(&v)) return {JointKind::prismatic, j->axis};
  if (const auto k = aligned(name)) return *k;
  throw InvalidInput(
      place + " is of the kind " + name +
      ", which is not supported; use revolute, continuous, prismatic, spherical, planar, translation or free joints");
}

void neutral(JointKind kind, Eigen::Ref<Vec> q) {
  q.setZero();
  if (kind == JointKind::free) q[6] = 1.0;
  if (kind == JointKind::spherical) q[3] = 1.0;
  if (kind == JointKind::continuous) q[0] = 1.0;
  if (kind == JointKind::planar) q[2] = 1.0;
}

class Converter {
 public:
  Converter(const pin::Model& model, const std::string& file, const ConvertOptions& options)
      : model_(model), file_(file), options_(options), body_of_joint_(1, kWorldBody) {
    out_.name = model.name.empty() ? "robot" : model.name;
  }

  RobotModel run() {
    link_of_joint_.assign(model_.njoints, "");
    for (const auto& frame : model_.frames)
      if (frame.type == pin::BODY && link_of_joint_[frame.parentJoint].empty())
        link_of_joint_[frame.parentJoint] = frame.name;
    for (int j = 1; j < model_.njoints; ++j) add_joint(j);
    add_frames();
    check_masses(out_, file_);
    return std::move(out_);
  }

 private:
  void add_joint(std::size_t j) {
    const pin::JointModel& joint = model_.joints[j];
    const BodyId parent = body_of_joint_[model_.parents[j]];
    const Pose placement = to_pose(model_.jointPlacements[j]);
    const std::string& name = model_.names[j];
    const std::string& link = link_of_joint_[j].empty() ? name : link_of_joint_[j];
    if (const auto* composite = boost::get<pin::JointModelComposite>(&joint.toVariant())) {
      BodyId on = parent;
      for (std::size_t k = 0; k < composite->joints.size(); ++k) {
        const Pose step = to_pose(composite->jointPlacements[k]);
        const std::string part = options_.part_name(name, link, k);
        const bool last = k + 1 == composite->joints.size();
        on =
            add_body(composite->joints[k], part, last ? link : link + "/" + part, on, k == 0 ? placement * step : step);
      }
    } else {
      add_body(joint, name, link, parent, placement);
    }
    const pin::Inertia& inertia = model_.inertias[j];
    Body& body = out_.bodies.back();
    body.inertia = {inertia.mass(), inertia.lever(), inertia.inertia().matrix()};
    if (body.inertia.mass == 0.0) body.inertia.com.setZero();
    body_of_joint_.push_back(static_cast<BodyId>(out_.bodies.size()) - 1);
  }

  BodyId add_body(const pin::JointModel& joint, const std::string& name, const std::string& link, BodyId parent,
                  const Pose& placement) {
    RobotModel& r = out_;
    const std::string place = file_ + ": joint '" + name + "'";
    Kind kind = kind_of(joint, place);
    const bool ball = kind.kind == JointKind::free && options_.spherical.contains(name);
    if (ball) kind.kind = JointKind::spherical;
    if (kind.kind == JointKind::free && parent != kWorldBody)
      throw InvalidInput(place + " is a free joint inside a robot; only root joints may be free");
    Body body;
    body.name = link;
    body.parent = parent;
    body.joint = kind.kind;
    body.axis = kind.axis.normalized();
    body.placement = placement;
    const JointSizes n = sizes(kind.kind);
    body.q = r.nq, body.v = r.nv;
    r.nq += n.nq, r.nv += n.nv;
    r.q0.conservativeResize(r.nq);
    neutral(kind.kind, r.q0.segment(body.q, n.nq));
    append_values(joint.idx_v() + (ball ? 3 : 0), n.nv, place);
    if (kind.kind == JointKind::revolute || kind.kind == JointKind::prismatic) set_limits(body, joint.idx_q(), place);
    r.bodies.push_back(std::move(body));
    r.joint_names.push_back(name);
    return static_cast<BodyId>(r.bodies.size()) - 1;
  }

  // Velocities v … v + nv of Pinocchio.
  void append_values(int v, int nv, const std::string& place) {
    RobotModel& r = out_;
    for (Vec* x : {&r.lower, &r.upper, &r.joint_damping, &r.dry_friction, &r.armature, &r.effort_limit})
      x->conservativeResize(r.nv);
    for (int from = v, to = r.nv - nv; to < r.nv; ++from, ++to) {
      r.lower[to] = -kInfinity, r.upper[to] = kInfinity;
      r.joint_damping[to] = model_.damping[from];
      r.dry_friction[to] = model_.upperDryFrictionLimit[from];
      r.armature[to] = model_.armature[from];
      // An effort limit of 0 would be a joint that no motor may move; files that write it mean "not given".
      const double effort = model_.upperEffortLimit[from];
      r.effort_limit[to] = effort > 0.0 && effort < 1e10 ? effort : kInfinity;
      check_not_negative(place + " damping", r.joint_damping[to]);
      check_not_negative(place + " friction", r.dry_friction[to]);
      check_not_negative(place + " armature", r.armature[to]);
    }
  }

  void set_limits(const Body& body, int q, const std::string& place) {
    RobotModel& r = out_;
    const double lower = model_.lowerPositionLimit[q], upper = model_.upperPositionLimit[q];
    if (!(lower <= upper))
      throw InvalidInput(place + " has the lower limit " + text(lower) + ", expected at most the upper limit " +
                         text(upper));
    // Beyond 1e10 a number only says "none".
    r.lower[body.v] = lower <= -1e10 ? -kInfinity : lower;
    r.upper[body.v] = upper >= 1e10 ? kInfinity : upper;
    r.q0[body.q] = std::clamp(0.0, r.lower[body.v], r.upper[body.v]);
  }

  void add_frames() {
    for (const bool links : {true, false})  // links first: they win where a fixed joint has the same name
      for (std::size_t f = 1; f < model_.frames.size(); ++f) {
        const auto& frame = model_.frames[f];
        if ((frame.type == pin::BODY) != links || frame.type == pin::JOINT) continue;
        out_.frames.push_back({frame.name, body_of_joint_[frame.parentJoint], to_pose(frame.placement)});
      }
  }

  const pin::Model& model_;
  const std::string& file_;
  const ConvertOptions& options_;
  RobotModel out_;
  std::vector<BodyId> body_of_joint_;  // joint of Pinocchio → body
  std::vector<std::string> link_of_joint_;
};

pinocchio::Model parse(const std::string& xml, const std::string& file, bool fixed) {
  pinocchio::Model model;
  try {
    if (fixed)
      pinocchio::urdf::buildModelFromXML(xml, model);
    else
      pinocchio::urdf::buildModelFromXML(xml, pinocchio::JointModelFreeFlyer(), model);
  } catch (const std::exception& e) {
    throw InvalidInput(file + " was refused by the URDF parser: " + e.what());
  }
  return model;
}

}  // namespace

RobotModel load_urdf_tree(const Xml& document, const std::string& file, const std::string& directory,
                          const RobotOptions& options) {
  const Xml& robot_xml = xml_root(document, "robot", file);
  std::vector<std::string> warnings = check_urdf(robot_xml, file);
  const pinocchio::Model model = parse(dynamics_only(document), file, options.fixed);
  ConvertOptions how;
  how.spherical = spherical_joints(robot_xml);
  how.part_name = [](const std::string& joint, const std::string&, std::size_t k) {
    return joint + "_" + std::to_string(k);
  };
  RobotModel robot = Converter(model, file, how).run();
  robot.warnings.insert(robot.warnings.begin(), warnings.begin(), warnings.end());
  add_mimic_joints(robot_xml, file, robot);
  add_collision_geometry(robot_xml, file, directory, options.package_dirs, robot);
  return robot;
}

RobotModel load_urdf(const std::string& path, const RobotOptions& options) {
  const std::string file = std::filesystem::path(path).filename().string();
  const Xml document = parse_xml(read_text_file(path, "URDF"), file);
  return load_urdf_tree(document, file, std::filesystem::path(path).parent_path().string(), options);
}

RobotModel load_urdf_text(const std::string& xml, const RobotOptions& options) {
  return load_urdf_tree(parse_xml(xml, "URDF text"), "URDF text", "", options);
}

}  // namespace stiction
