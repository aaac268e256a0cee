// SPDX-License-Identifier: BSD-2-Clause
// Pinocchio numbers joints depth first and carries one body per joint, links on fixed joints merged: so do we. A
// composite joint becomes a chain of bodies whose inner ones are massless; q and v keep their order.
#include <stiction/base/invalid_input.h>
#include <stiction/model/checks.h>
#include <stiction/model/pinocchio_convert.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

namespace pin = pinocchio;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

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
  Converter(const pin::Model& model, const std::string& file, PartName part_name, const void* context)
      : model_(model), file_(file), part_name_(part_name), context_(context) {
    RobotModel& r = out_.robot;
    r.name = model.name.empty() ? "robot" : model.name;
    r.nq = model.nq, r.nv = model.nv;
    r.q0 = Vec::Zero(r.nq);
    r.lower = Vec::Constant(r.nv, -kInfinity), r.upper = Vec::Constant(r.nv, kInfinity);
    r.joint_damping = model.damping;
    r.dry_friction = model.upperDryFrictionLimit;
    r.armature = model.armature;
    r.effort_limit = model.upperEffortLimit;
    out_.body_of_joint.assign(1, kWorldBody);
  }

  ConvertedModel run() {
    link_of_joint_.assign(at(model_.njoints), "");
    for (const auto& frame : model_.frames)
      if (frame.type == pin::BODY && link_of_joint_[frame.parentJoint].empty())
        link_of_joint_[frame.parentJoint] = frame.name;
    for (std::size_t j = 1; j < at(model_.njoints); ++j) add_joint(j);
    add_frames();
    for (std::size_t j = 1; j < at(model_.njoints); ++j) root_links(j);
    check_numbers();
    check_masses();
    return std::move(out_);
  }

 private:
  void add_joint(std::size_t j) {
    const pin::JointModel& joint = model_.joints[j];
    const BodyId parent = out_.body_of_joint[model_.parents[j]];
    const Pose placement = to_pose(model_.jointPlacements[j]);
    const std::string& name = model_.names[j];
    const std::string& link = link_of_joint_[j].empty() ? name : link_of_joint_[j];
    if (const auto* composite = boost::get<pin::JointModelComposite>(&joint.toVariant())) {
      BodyId on = parent;
      for (std::size_t k = 0; k < composite->joints.size(); ++k) {
        const Pose step = to_pose(composite->jointPlacements[k]);
        const std::string part = part_name_(context_, name, link, k);
        const bool last = k + 1 == composite->joints.size();
        on =
            add_body(composite->joints[k], part, last ? link : link + "/" + part, on, k == 0 ? placement * step : step);
      }
    } else {
      add_body(joint, name, link, parent, placement);
    }
    const pin::Inertia& inertia = model_.inertias[j];
    Body& body = out_.robot.bodies.back();
    body.inertia = {inertia.mass(), inertia.lever(), inertia.inertia().matrix()};
    if (body.inertia.mass == 0.0) body.inertia.com.setZero();
    out_.body_of_joint.push_back(static_cast<BodyId>(out_.robot.bodies.size()) - 1);
  }

  BodyId add_body(const pin::JointModel& joint, const std::string& name, const std::string& link, BodyId parent,
                  const Pose& placement) {
    RobotModel& r = out_.robot;
    const std::string place = file_ + ": joint '" + name + "'";
    const Kind kind = kind_of(joint, place);
    if (kind.kind == JointKind::free && parent != kWorldBody)
      throw InvalidInput(place + " is a free joint inside a robot; only root joints may be free");
    Body body;
    body.name = link;
    body.parent = parent;
    body.joint = kind.kind;
    body.axis = kind.axis.normalized();
    body.placement = placement;
    body.q = next_q_, body.v = next_v_;
    const JointSizes n = sizes(kind.kind);
    next_q_ += n.nq, next_v_ += n.nv;
    neutral(kind.kind, r.q0.segment(body.q, n.nq));
    if (kind.kind == JointKind::revolute || kind.kind == JointKind::prismatic) set_limits(body, place);
    r.bodies.push_back(std::move(body));
    r.joint_names.push_back(name);
    return static_cast<BodyId>(r.bodies.size()) - 1;
  }

  void set_limits(const Body& body, const std::string& place) {
    RobotModel& r = out_.robot;
    const double lower = model_.lowerPositionLimit[body.q], upper = model_.upperPositionLimit[body.q];
    if (!(lower <= upper))
      throw InvalidInput(place + " has the lower limit " + text(lower) + ", expected at most the upper limit " +
                         text(upper));
    // Beyond 1e20 a number only says "none".
    r.lower[body.v] = lower <= -1e20 ? -kInfinity : lower;
    r.upper[body.v] = upper >= 1e20 ? kInfinity : upper;
    r.q0[body.q] = std::clamp(0.0, r.lower[body.v], r.upper[body.v]);
  }

  void add_frames() {
    frame_index_.assign(model_.frames.size(), -1);
    for (const bool links : {true, false})  // links first: they win where a fixed joint has the same name
      for (std::size_t f = 1; f < model_.frames.size(); ++f) {
        const auto& frame = model_.frames[f];
        if ((frame.type == pin::BODY) != links || frame.type == pin::JOINT) continue;
        frame_index_[f] = static_cast<int>(out_.robot.frames.size());
        out_.robot.frames.push_back({frame.name, out_.body_of_joint[frame.parentJoint], to_pose(frame.placement)});
      }
  }

  // Which link carries a root joint (−1: the world itself).
  void root_links(std::size_t j) {
    out_.robot.root_link.resize(out_.robot.bodies.size(), -1);
    if (model_.parents[j] != 0) return;
    for (std::size_t f = 1; f < model_.frames.size(); ++f) {
      const auto& frame = model_.frames[f];
      if (frame.type != pin::JOINT || frame.parentJoint != j) continue;
      BodyId root = out_.body_of_joint[j];
      while (out_.robot.bodies[at(root)].parent != kWorldBody) root = out_.robot.bodies[at(root)].parent;
      out_.robot.root_link[at(root)] = frame_index_[frame.parentFrame];
      return;
    }
  }

  void check_numbers() {
    RobotModel& r = out_.robot;
    for (const Body& b : r.bodies)
      for (int i = b.v; i < b.v + sizes(b.joint).nv; ++i) {
        const std::string place = file_ + ": joint of link '" + b.name + "' ";
        check_not_negative(place + "damping", r.joint_damping[i]);
        check_not_negative(place + "friction", r.dry_friction[i]);
        check_not_negative(place + "armature", r.armature[i]);
        // An effort limit of 0 would be a joint that no motor may move; files that write it mean "not given".
        if (!(r.effort_limit[i] > 0.0 && r.effort_limit[i] < 1e20)) r.effort_limit[i] = kInfinity;
        if (b.joint == JointKind::free) r.effort_limit[i] = kInfinity;
      }
  }

  // Every joint must move some mass, or the mass matrix is singular.
  void check_masses() {
    RobotModel& r = out_.robot;
    std::vector<double> carried(r.bodies.size(), 0.0);
    for (std::size_t i = r.bodies.size(); i-- > 0;) {
      const Body& b = r.bodies[i];
      const std::string place = file_ + ": link '" + b.name + "'";
      check_not_negative(place + " mass", b.inertia.mass);
      check_finite(place + " centre of mass", b.inertia.com);
      carried[i] += b.inertia.mass;
      const int nv = sizes(b.joint).nv;
      if (!(carried[i] > 0.0 || r.armature.segment(b.v, nv).minCoeff() > 0.0))
        throw InvalidInput(
            place +
            " moves but has no mass, and nothing that hangs on it has; give it an inertial element or fix its joint");
      if (b.parent != kWorldBody) carried[at(b.parent)] += carried[i];
      if (b.inertia.mass == 0.0 && b.inertia.about_com.isZero(0.0)) continue;
      check_body_inertia(b, place);
    }
  }

  void check_body_inertia(const Body& b, const std::string& place) {
    const bool leaf = std::none_of(out_.robot.bodies.begin(), out_.robot.bodies.end(), [&](const Body& c) {
      return c.parent != kWorldBody && &out_.robot.bodies[at(c.parent)] == &b;
    });
    // Mass without extent is a point: fine inside a chain, singular where a joint turns it about its own centre.
    if (b.inertia.about_com.isZero(0.0) &&
        !(leaf && b.joint != JointKind::prismatic && b.joint != JointKind::translation)) {
      out_.robot.warnings.push_back(place + " has mass but no inertia: it is treated as a point mass");
      return;
    }
    if (const std::string w = check_inertia(place + " inertia", b.inertia.about_com); !w.empty())
      out_.robot.warnings.push_back(w);
  }

  const pin::Model& model_;
  const std::string& file_;
  PartName part_name_;
  const void* context_;
  ConvertedModel out_;
  std::vector<std::string> link_of_joint_;
  std::vector<int> frame_index_;
  int next_q_ = 0, next_v_ = 0;
};

}  // namespace

Pose to_pose(const pinocchio::SE3& m) { return {m.rotation(), m.translation()}; }

ConvertedModel convert(const pinocchio::Model& model, const std::string& file, PartName part_name,
                       const void* context) {
  return Converter(model, file, part_name, context).run();
}

}  // namespace stiction
