// SPDX-License-Identifier: BSD-2-Clause
// Joints, and what acts in them. MJCF has free, ball, hinge and slide, one number each for damping, stiffness, friction and armature.
//   continuous   a hinge without a range: q is an angle
//   translation  three slides;  planar: two slides and a hinge, whose velocities lie in the axes of the parent
#include <stiction/model/mjcf_writer/mjcf_text.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kNoLimit = 1e10;  // where one side of a range is open

// The number that all velocities of the joint share.
double one_number(MjcfText& text, BodyId body, const Vec& values, const char* what) {
  const Body& b = text.world.bodies[static_cast<std::size_t>(body)];
  const auto part = values.segment(b.v, sizes(b.joint).nv);
  if ((part.array() != part[0]).any())
    text.tell(std::string("only the first of several numbers is written: ") + what, joint_label(text, body));
  return part[0];
}

void set_range(MjcfText& text, BodyId body, int v, Xml& joint) {
  double lower = text.world.lower[v], upper = text.world.upper[v];
  if (!std::isfinite(lower) && !std::isfinite(upper)) return;
  if (lower == upper) {
    text.tell("the range is widened by 1e-9, since MuJoCo refuses one of no width", joint_label(text, body));
    upper += 1e-9;
  }
  joint.set("limited", "true");
  joint.set("range", mjcf_numbers(Vec2(std::max(lower, -kNoLimit), std::min(upper, kNoLimit))));
  if (!text.world.softness.empty())
    set_softness(joint, text.world.softness.limits[static_cast<std::size_t>(v)], "solreflimit", "solimplimit");
}

void set_effort(MjcfText& text, BodyId body, int v, Xml& joint) {
  const World& w = text.world;
  double lower = w.actuation_lower[v], upper = w.actuation_upper[v];
  const double effort = w.effort_limit[v];
  const bool bounded = std::isfinite(lower) || std::isfinite(upper);
  if (!bounded && !std::isfinite(effort)) return;
  if (!bounded) {
    lower = -effort, upper = effort;
    text.tell(
        "the effort limit is written as actuatorfrcrange, which bounds actuators and not torques that are applied",
        joint_label(text, body));
  }
  if (!(lower < upper)) return text.tell("left out: an effort limit of 0", joint_label(text, body));
  joint.set("actuatorfrclimited", "true");
  joint.set("actuatorfrcrange", mjcf_numbers(Vec2(std::max(lower, -kNoLimit), std::min(upper, kNoLimit))));
}

// Damping, spring, friction, rotor of velocity v (or of all of the joint).
void set_forces(MjcfText& text, BodyId body, Xml& joint) {
  const World& w = text.world;
  set_number(joint, "damping", one_number(text, body, w.joint_damping, "damping"), 0.0);
  set_number(joint, "stiffness", one_number(text, body, w.stiffness, "stiffness"), 0.0);
  set_number(joint, "frictionloss", one_number(text, body, w.dry_friction, "dry friction"), 0.0);
  set_number(joint, "armature", one_number(text, body, w.armature, "armature"), 0.0);
  const int v = w.bodies[static_cast<std::size_t>(body)].v;
  if (!w.softness.empty() && w.dry_friction[v] > 0.0)
    set_softness(joint, w.softness.friction[static_cast<std::size_t>(v)], "solreffriction", "solimpfriction");
}

void set_number_of_velocity(const World& w, int v, Xml& joint) {
  set_number(joint, "damping", w.joint_damping[v], 0.0);
  set_number(joint, "stiffness", w.stiffness[v], 0.0);
  set_number(joint, "frictionloss", w.dry_friction[v], 0.0);
  set_number(joint, "armature", w.armature[v], 0.0);
}

Xml named_joint(const std::string& name, const char* type) {
  Xml joint;
  joint.set("name", name);
  joint.set("type", type);
  return joint;
}

void write_single(MjcfText& text, BodyId body, BodyId carrier, const Pose& to_carrier) {
  const Body& b = text.world.bodies[static_cast<std::size_t>(body)];
  const bool slides = b.joint == JointKind::prismatic;
  Xml joint = named_joint(text.joint_names[static_cast<std::size_t>(body)], slides ? "slide" : "hinge");
  if (!to_carrier.translation.isZero(0.0)) joint.set("pos", mjcf_numbers(to_carrier.translation));
  joint.set("axis", mjcf_numbers(to_carrier.rotation * b.axis));
  set_number(joint, "ref", text.start_of(body), 0.0);
  const double spring = b.joint == JointKind::continuous
                            ? std::atan2(text.world.spring_q[b.q + 1], text.world.spring_q[b.q])
                            : text.world.spring_q[b.q];
  if (text.world.stiffness[b.v] != 0.0) set_number(joint, "springref", spring, 0.0);
  set_range(text, body, b.v, joint);
  set_effort(text, body, b.v, joint);
  set_forces(text, body, joint);
  if (b.joint == JointKind::continuous)
    text.tell("q is an angle in the file and (cos, sin) here: continuous joints", joint_label(text, body));
  text.parts_of(carrier).own.push_back({"joint", std::move(joint)});
}

// Slides along x and y (and z), and a hinge about z.
void write_several(MjcfText& text, BodyId body) {
  const World& w = text.world;
  const Body& b = w.bodies[static_cast<std::size_t>(body)];
  const bool planar = b.joint == JointKind::planar;
  const std::string& name = text.joint_names[static_cast<std::size_t>(body)];
  for (int i = 0; i < 3; ++i) {
    const bool turns = planar && i == 2;
    Xml joint =
        named_joint(text.name("joint", name + "_" + (turns ? "turn" : std::string(1, static_cast<char>('x' + i)))),
                    turns ? "hinge" : "slide");
    joint.set("axis", mjcf_numbers(Vec3(Vec3::Unit(i))));
    set_number_of_velocity(w, b.v + i, joint);
    text.parts_of(body).own.push_back({"joint", std::move(joint)});
  }
  text.tell(planar ? "written as two slides and a hinge, whose velocities lie in other axes: planar joints"
                   : "written as three slides: translations",
            name);
  if (planar && w.joint_damping[b.v] != w.joint_damping[b.v + 1])
    text.tell("damping along x and y differs and acts in axes of the body here, in those of its parent there", name);
}

void tell_start(MjcfText& text, BodyId body, const Vec& at_rest) {
  const Body& b = text.world.bodies[static_cast<std::size_t>(body)];
  if (text.world.q0.segment(b.q, sizes(b.joint).nq) != at_rest)
    text.tell("the start of the joint is only in the keyframe 'start'", joint_label(text, body));
}

void tell_spring(MjcfText& text, BodyId body, const Vec& usual) {
  const Body& b = text.world.bodies[static_cast<std::size_t>(body)];
  const int nv = sizes(b.joint).nv, nq = sizes(b.joint).nq;
  if (!text.world.stiffness.segment(b.v, nv).isZero(0.0) && text.world.spring_q.segment(b.q, nq) != usual)
    text.tell("left out: where the spring is unloaded", joint_label(text, body));
}

}  // namespace

void write_mjcf_joints(MjcfText& text, BodyId body, BodyId carrier, const Pose& to_carrier) {
  const World& w = text.world;
  const Body& b = w.bodies[static_cast<std::size_t>(body)];
  const int robot = w.trees[static_cast<std::size_t>(b.tree)].robot;
  const std::string wanted =
      robot < 0
          ? b.name + "_free"
          : w.robots[static_cast<std::size_t>(robot)]
                .joint_names[static_cast<std::size_t>(body - w.robots[static_cast<std::size_t>(robot)].first_body)];
  std::string& name = text.joint_names[static_cast<std::size_t>(body)];
  const bool three = b.joint == JointKind::translation || b.joint == JointKind::planar;
  name = three ? wanted : text.name("joint", wanted, text.owner_of(body));
  Vec rest(4);
  switch (b.joint) {
    case JointKind::free: {
      Xml joint = named_joint(name, "free");
      set_forces(text, body, joint);
      tell_spring(text, body, w.q0.segment<7>(b.q));
      text.parts_of(body).own.push_back({"joint", std::move(joint)});
      return;
    }
    case JointKind::spherical: {
      rest << 0.0, 0.0, 0.0, 1.0;
      Xml joint = named_joint(name, "ball");
      set_forces(text, body, joint);
      tell_spring(text, body, rest), tell_start(text, body, rest);
      text.parts_of(body).own.push_back({"joint", std::move(joint)});
      return;
    }
    case JointKind::planar:
      rest << 0.0, 0.0, 1.0, 0.0;
      tell_start(text, body, rest), tell_spring(text, body, rest);
      return write_several(text, body);
    case JointKind::translation:
      tell_start(text, body, Vec::Zero(3)), tell_spring(text, body, Vec::Zero(3));
      return write_several(text, body);
    default:
      return write_single(text, body, carrier, to_carrier);
  }
}

}  // namespace stiction
