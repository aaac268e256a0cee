// SPDX-License-Identifier: BSD-2-Clause
// The numbers of one MJCF joint or <inertial>. MuJoCo measures a joint from its reference position, at which the body is where the
// file says; ours are measured from their frame, which is therefore turned or shifted back by ref.
#include <stiction/base/invalid_input.h>
#include <stiction/base/principal_axes.h>
#include <stiction/model/mjcf/mjcf_softness.h>
#include <stiction/model/world/checks.h>

#include <algorithm>

namespace stiction {
namespace {

// The first number of an attribute: newer files may give polynomials.
double first_value(const Xml& joint, const char* name, const std::string& place) {
  const auto v = attribute(joint, name);
  if (!v) return 0.0;
  const std::size_t begin = std::min(v->find_first_not_of(" \t"), v->size());
  const double x = to_number(v->substr(begin, v->find_first_of(" \t", begin) - begin), place + " " + name);
  check_not_negative(place + " " + name, x);
  return x;
}

// Room for the next velocities and what is known of them.
void extend(MjcfModel& model, JointKind kind, const Xml& joint, const std::string& place, Body& body) {
  RobotModel& r = model.robot;
  const JointSizes n = sizes(kind);
  body.joint = kind;
  body.q = r.nq, body.v = r.nv;
  r.nq += n.nq, r.nv += n.nv;
  r.q0.conservativeResize(r.nq);
  const std::pair<Vec*, double> values[] = {{&r.lower, -kInfinity},
                                            {&r.upper, kInfinity},
                                            {&r.joint_damping, first_value(joint, "damping", place)},
                                            {&r.dry_friction, first_value(joint, "frictionloss", place)},
                                            {&r.armature, first_value(joint, "armature", place)},
                                            {&r.effort_limit, kInfinity},
                                            {&r.actuation_lower, -kInfinity},
                                            {&r.actuation_upper, kInfinity},
                                            {&r.stiffness, first_value(joint, "stiffness", place)}};
  for (const auto& [vector, x] : values) {
    vector->conservativeResize(r.nv);
    vector->tail(n.nv).setConstant(x);
  }
  const auto size = static_cast<std::size_t>(r.nv);
  r.softness.limits.resize(size, read_softness(joint, "solreflimit", "solimplimit", place));
  r.softness.friction.resize(size, read_softness(joint, "solreffriction", "solimpfriction", place));
  model.reference.conservativeResize(r.nq), r.spring_q.conservativeResize(r.nq);
  if (const auto given = attribute(joint, "springdamper")) {
    const Vec x = to_vector(*given, 2, place + " springdamper");
    if (x[0] > 0.0 && x[1] > 0.0) model.spring_dampers.push_back({static_cast<BodyId>(r.bodies.size()), x[0], x[1]});
  }
  for (const char* name : {"damping", "stiffness"})
    if (to_numbers(attribute(joint, name).value_or("0"), place + " " + name).size() > 1)
      r.warnings.push_back(place + ": left out: the higher powers of its " + name);
  if (attribute(joint, "actuatorgravcomp").value_or("false") == "true")
    r.warnings.push_back(place + ": left out: actuatorgravcomp; its gravity compensation counts as a passive force");
}

bool limited(const MjcfDocument& document, const Xml& element, const char* flag, const char* range) {
  const std::string given = attribute(element, flag).value_or("auto");
  return given == "true" || (given == "auto" && document.compiler().autolimits && attribute(element, range));
}

}  // namespace

void append_mjcf_free(const MjcfDocument&, const Xml& joint, const std::string& place, MjcfModel& model, Body& body) {
  extend(model, JointKind::free, joint, place, body);
  model.robot.q0.tail<7>() << body.placement.translation, Quat(body.placement.rotation).normalized().coeffs();
  model.reference.tail<7>() = model.robot.q0.tail<7>(), model.robot.spring_q.tail<7>() = model.robot.q0.tail<7>();
  body.placement = Pose{};
}

void append_mjcf_joint(const MjcfDocument& document, const Xml& joint, const std::string& type,
                       const std::string& place, MjcfModel& model, Body& body) {
  RobotModel& r = model.robot;
  if (type == "ball") {
    extend(model, JointKind::spherical, joint, place, body);
    r.q0.tail<4>() << 0.0, 0.0, 0.0, 1.0;
    model.reference.tail<4>() = r.spring_q.tail<4>() = r.q0.tail<4>();
    if (limited(document, joint, "limited", "range"))
      r.warnings.push_back(place + ": left out: the range of a ball joint");
    return;
  }
  if (type != "hinge" && type != "slide")
    throw InvalidInput(place + " is of the type '" + type + "', expected hinge, slide, ball or free");
  const bool turns = type == "hinge";
  const auto radians = [&](double x) { return turns ? document.angle(x) : x; };
  const double ref = radians(to_number(attribute(joint, "ref").value_or("0"), place + " ref")), back = -ref;
  extend(model, turns ? JointKind::revolute : JointKind::prismatic, joint, place, body);
  body.placement = body.placement * joint_pose(body.joint, body.axis, &back);
  if (limited(document, joint, "limited", "range")) {
    const Vec range = to_vector(required(joint, "range", place), 2, place + " range");
    if (!(range[0] <= range[1]))
      throw InvalidInput(place + " has the lower limit " + text(range[0]) + ", expected at most the upper limit " +
                         text(range[1]));
    r.lower[body.v] = radians(range[0]), r.upper[body.v] = radians(range[1]);
  }
  if (limited(document, joint, "actuatorfrclimited", "actuatorfrcrange")) {
    const Vec range = to_vector(required(joint, "actuatorfrcrange", place), 2, place + " actuatorfrcrange");
    r.effort_limit[body.v] = range.cwiseAbs().maxCoeff();
    r.actuation_lower[body.v] = range[0], r.actuation_upper[body.v] = range[1];
  }
  model.reference[body.q] = ref;
  r.spring_q[body.q] = radians(to_number(attribute(joint, "springref").value_or("0"), place + " springref"));
  r.q0[body.q] = std::clamp(ref, r.lower[body.v], r.upper[body.v]);
}

Inertia read_mjcf_inertial(const MjcfDocument& document, const Xml& element, const std::string& place) {
  Inertia out;
  out.mass = to_number(required(element, "mass", place + " <inertial>"), place + " mass");
  check_not_negative(place + " mass", out.mass);
  const Pose pose = document.pose(element, place + " <inertial>");
  out.com = pose.translation;
  Mat3 m = Mat3::Zero();
  if (const auto diagonal = attribute(element, "diaginertia")) {
    m.diagonal() = to_vector(*diagonal, 3, place + " diaginertia");
  } else if (const auto full = attribute(element, "fullinertia")) {
    const Vec x = to_vector(*full, 6, place + " fullinertia");
    m << x[0], x[3], x[4], x[3], x[1], x[5], x[4], x[5], x[2];
  } else {
    return out;
  }
  if (m.isZero(0.0)) return out;         // of a body that is welded to another one
  check_inertia(place + " inertia", m);  // what no solid body has is reported with the moving body
  out.about_com = pose.rotation * m * pose.rotation.transpose();
  return out;
}

void bound_mjcf_inertia(const MjcfCompiler& compiler, Inertia& inertia) {
  inertia.mass = std::max(inertia.mass, compiler.least_mass);
  if (!(compiler.least_inertia > 0.0) && !compiler.balance_inertia) return;
  const PrincipalAxes principal = principal_axes(inertia.about_com);
  Vec3 moments = principal.moments.cwiseMax(compiler.least_inertia);
  if (compiler.balance_inertia && moments[0] + moments[1] < moments[2]) moments.setConstant(moments.mean());
  inertia.about_com = principal.axes * moments.asDiagonal() * principal.axes.transpose();
}

}  // namespace stiction
