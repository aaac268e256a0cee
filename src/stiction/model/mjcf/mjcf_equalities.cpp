// SPDX-License-Identifier: BSD-2-Clause
// <equality>, all of it held exactly:
//   connect   the anchor (in body 1) and the point of body 2 that meets it at the reference position stay together; or two sites do
//   weld      body 2 keeps its pose in body 1, that of the reference position unless relpose says another one; or two sites coincide
//   joint     q₁ = polynomial in q₂, both from their reference positions; or a constant
//   tendon    the same of the lengths of tendons (mjcf_tendons.cpp)
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf/mjcf_actuator_values.h>
#include <stiction/model/mjcf/mjcf_reference.h>
#include <stiction/model/mjcf/mjcf_softness.h>

#include <algorithm>

namespace stiction {
namespace {

// relpose = position and quaternion (w, x, y, z); a zero quaternion means "as at the start".
std::optional<Pose> relative_pose(const Xml& weld, const std::string& place) {
  const auto value = attribute(weld, "relpose");
  if (!value) return std::nullopt;
  const Vec x = to_vector(*value, 7, place + " relpose");
  const Quat q(x[3], x[4], x[5], x[6]);
  if (!(q.norm() > 0.0)) return std::nullopt;
  return Pose{q.normalized().toRotationMatrix(), x.head<3>()};
}

// Which link a frame or a site is on; −1: a static one.
int link_of(const MjcfModel& model, const Frame& frame) {
  const auto& frames = model.robot.frames;
  if (frame.body == kWorldBody) return -1;
  const auto found = std::find_if(frames.begin(), frames.end(), [&](const Frame& f) { return f.name == frame.name; });
  if (found != frames.end() && found->body == frame.body) return static_cast<int>(found - frames.begin());
  const auto first = std::find_if(frames.begin(), frames.end(), [&](const Frame& f) { return f.body == frame.body; });
  return static_cast<int>(first - frames.begin());
}

// The angular rows of MuJoCo's weld are half the rotation vector, times torquescale.
MjcfModel::LoopEnds loop_ends(const Xml& element, const MjcfModel& model, const std::string& place) {
  const bool sites = attribute(element, "site1").has_value();
  const auto link = [&](const char* site, const char* body) {
    return link_of(model, sites ? find_mjcf_site(model, required(element, site, place), place)
                                : find_mjcf_link(model, attribute(element, body).value_or("world"), place));
  };
  const double scale = 0.5 * to_number(attribute(element, "torquescale").value_or("1"), place + " torquescale");
  return {link("site1", "body1"), link("site2", "body2"), scale != 0.0 ? 1.0 / (scale * scale) : 0.0,
          read_softness(element, "solref", "solimp", place)};
}

Loop site_loop(const Xml& element, const MjcfModel& model, const std::string& place) {
  const Frame& a = find_mjcf_site(model, required(element, "site1", place), place);
  const Frame& b = find_mjcf_site(model, required(element, "site2", place), place);
  Loop loop;
  loop.a = a.body, loop.b = b.body;
  loop.frame_a = a.placement, loop.frame_b = b.placement;
  return loop;
}

Loop body_loop(const Xml& element, bool weld, const MjcfModel& model, const std::string& place) {
  const Frame& a = find_mjcf_link(model, required(element, "body1", place), place);
  const Frame& b = find_mjcf_link(model, attribute(element, "body2").value_or("world"), place);
  const auto start = [&model](const Frame& f) { return mjcf_reference_pose(model, f.body, f.placement); };
  const Pose b_in_a = start(a).inverse() * start(b);
  const Pose anchor{Mat3::Identity(), vec3_attribute(element, "anchor", Vec3::Zero(), place)};
  Loop loop;
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

void add_loop(const std::string& kind, const Xml& element, MjcfModel& model, const std::string& place) {
  const bool weld = kind == "weld";
  Loop loop = attribute(element, "site1") ? site_loop(element, model, place) : body_loop(element, weld, model, place);
  loop.name = attribute(element, "name").value_or(kind);
  loop.kind = weld ? Loop::weld : Loop::point;
  if (loop.a == loop.b) {
    model.robot.warnings.push_back(place + ": left out: it joins a body to itself");
    return;
  }
  model.robot.loops.push_back(std::move(loop));
  model.loop_ends.push_back(loop_ends(element, model, place));
}

BodyId one_velocity_joint(const MjcfModel& model, const std::string& name, const std::string& place) {
  const BodyId body = find_mjcf_joint(model, name, place);
  if (sizes(model.robot.bodies[body].joint).nv != 1)
    throw InvalidInput(place + ": joint '" + name + "' is neither a hinge nor a slide");
  return body;
}

void add_joint_equality(const Xml& element, MjcfModel& model, const std::string& place) {
  Coupling c;
  const std::string first = required(element, "joint1", place);
  c.name = attribute(element, "name").value_or(first);
  c.a = one_velocity_joint(model, first, place);
  c.zero_a = model.reference[model.robot.bodies[c.a].q];
  c.coefficients = {0.0, 1.0, 0.0, 0.0, 0.0};
  if (const auto given = attribute(element, "polycoef")) {
    const std::vector<double> x = to_numbers(*given, place + " polycoef");
    std::copy_n(x.begin(), std::min(x.size(), c.coefficients.size()), c.coefficients.begin());
  }
  if (const auto second = attribute(element, "joint2")) {
    c.b = one_velocity_joint(model, *second, place);
    c.zero_b = model.reference[model.robot.bodies[c.b].q];
  } else {
    c.coefficients.resize(1);
  }
  model.robot.couplings.push_back(std::move(c));
  model.coupling_softness.push_back(read_softness(element, "solref", "solimp", place));
}

}  // namespace

void add_mjcf_equalities(const MjcfDocument& document, MjcfModel& model) {
  if (!document.options().equality) return;
  std::string soft, first_soft;
  for (const Xml* equality : children(document.mujoco(), "equality"))
    for (const auto& [kind, given] : *equality) {
      if (kind != "connect" && kind != "weld" && kind != "joint" && kind != "tendon") continue;
      const Xml element = document.resolve("equality", given, "");
      if (attribute(element, "active").value_or("true") == "false") continue;
      const std::string place = given.place() + ": <" + kind + ">";
      if (attribute(element, "solref") || attribute(element, "solimp")) {
        if (soft.empty()) first_soft = given.place();
        const std::string name = attribute(element, "name").value_or("line " + std::to_string(given.line()));
        soft += (soft.empty() ? " '" : ", '") + name + "'";
      }
      if (kind == "joint")
        add_joint_equality(element, model, place);
      else if (kind == "tendon")
        add_mjcf_tendon_equality(element, model, place);
      else
        add_loop(kind, element, model, place);
    }
  if (!soft.empty())
    model.robot.warnings.push_back(first_soft +
                                   ": left out: softness of equalities, which are rigid unless softness='file' "
                                   "(solref, solimp) of <equality>" +
                                   soft);
}

}  // namespace stiction
