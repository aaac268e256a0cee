// SPDX-License-Identifier: BSD-2-Clause
// Actuators: what they drive, and their parameters (mjcf_actuator_values.h) as forces. Every actuator of the file has an entry, so that
// ctrl is in the order of the file; those that the engine does not know have no force and are named in a warning.
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf/mjcf.h>
#include <stiction/model/mjcf/mjcf_actuator_values.h>
#include <stiction/model/mjcf/mjcf_reference.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// The velocity of a hinge or slide that the actuator drives, −1 if it drives something else.
int driven_velocity(const MjcfModel& model, const Actuator& a) {
  if (a.target != Actuator::joint && a.target != Actuator::joint_in_parent) return -1;
  const Body& body = model.robot.bodies[a.body];
  return sizes(body.joint).nv == 1 ? body.v : -1;
}

class Actuators {
 public:
  Actuators(const MjcfDocument& document, MjcfModel& model) : document_(document), model_(model), reader_(document) {}

  void run() {
    for (const Xml* section : children(document_.mujoco(), "actuator"))
      for (const auto& [kind, element] : *section) add(kind, element);
    tell();
  }

  // gear² armature at the joints.
  void add_rotors() {
    for (const Xml* section : children(document_.mujoco(), "actuator"))
      for (const auto& [kind, element] : *section) {
        const std::string place = element.place() + ": <" + kind + ">";
        const MjcfActuatorValues values = reader_.read(kind, element, place);
        const auto joint = attribute(element, "joint");
        if (values.armature == 0.0 || !joint) continue;
        Actuator a;
        a.target = Actuator::joint, a.body = find_mjcf_joint(model_, *joint, place);
        if (const int velocity = driven_velocity(model_, a); velocity >= 0)
          robot().armature[velocity] += values.gear[0] * values.gear[0] * values.armature;
      }
  }

 private:
  RobotModel& robot() { return model_.robot; }

  void add(const std::string& kind, const Xml& element) {
    Actuator a;
    a.name = attribute(element, "name").value_or("actuator_" + std::to_string(robot().actuators.size()));
    const std::string place = element.place() + ": <" + kind + "> '" + a.name + "'";
    MjcfActuatorValues values = reader_.read(kind, element, place);
    set_target(kind, element, place, a);
    set_dynamics(values, place, a);
    const bool known = set_force(values, a);
    inherit_range(kind, values, a, place);
    damp(values, a);
    a.gear = values.gear;
    a.ctrl_range = document_.options().clamp_ctrl ? reader_.bounds(values.ctrl) : Vec2(-kInfinity, kInfinity);
    a.force_range = reader_.bounds(values.force), a.act_range = reader_.bounds(values.act);
    damp_joint(values, a, place);
    if (values.delay > 0.0) robot().warnings.push_back(place + ": left out: delay; ctrl acts at once");
    if (values.early && a.activation >= 0)
      robot().warnings.push_back(place + ": left out: actearly; the force follows one step later");
    if (!known || a.target == Actuator::nothing) {
      a.target = Actuator::nothing, a.tendon_index = -1;
      if (others_.empty()) first_other_ = element.place();
      others_.push_back(kind + " '" + a.name + "'");
    } else if (!document_.options().actuation) {
      a.target = Actuator::nothing, a.tendon_index = -1;
    }
    robot().actuators.push_back(std::move(a));
  }

  void set_target(const std::string& kind, const Xml& element, const std::string& place, Actuator& a) {
    if (kind == "adhesion" || kind == "plugin" || kind == "muscle") return;
    for (const char* name : {"joint", "jointinparent"}) {
      const auto joint = attribute(element, name);
      if (!joint) continue;
      a.body = find_mjcf_joint(model_, *joint, place);
      a.target = std::string(name) == "joint" ? Actuator::joint : Actuator::joint_in_parent;
      return;
    }
    if (const auto tendon = attribute(element, "tendon")) {
      a.tendon_index = find_mjcf_tendon(model_, *tendon, place), a.target = Actuator::tendon;
      return;
    }
    const auto site = attribute(element, "site");
    if (!site) return;
    const Frame& frame = find_mjcf_site(model_, *site, place);
    a.target = Actuator::site, a.body = frame.body, a.placement = frame.placement;
    const auto reference = attribute(element, "refsite");
    if (!reference) return;
    const Frame& seen_from = find_mjcf_site(model_, *reference, place);
    a.referred = true, a.reference_body = seen_from.body, a.reference = seen_from.placement;
  }

  // ∂l/∂v at the reference position.
  Vec moment(const Vec6& gear, const Actuator& a) {
    Vec out = Vec::Zero(robot().nv);
    if (a.target == Actuator::tendon) return gear[0] * mjcf_tendon_jacobian(model_, robot().tendons[a.tendon_index]);
    if (a.target != Actuator::site) {
      const Body& body = robot().bodies[a.body];
      out.segment(body.v, sizes(body.joint).nv) = gear.head(sizes(body.joint).nv);
      return out;
    }
    const Pose site = mjcf_reference_pose(model_, a.body, a.placement);
    const Pose seen_from = a.referred ? mjcf_reference_pose(model_, a.reference_body, a.reference) : site;
    Vec6 wrench;
    wrench << seen_from.rotation * gear.head<3>(), seen_from.rotation * gear.tail<3>();
    out = mjcf_point_jacobian(model_, a.body, site.translation).transpose() * wrench;
    if (!a.referred) return out;
    out -= mjcf_point_jacobian(model_, a.reference_body, seen_from.translation).transpose() * wrench;
    for (BodyId id = a.body; id != kWorldBody; id = robot().bodies[id].parent)  // what moves both
      for (BodyId other = a.reference_body; other != kWorldBody; other = robot().bodies[other].parent)
        if (other == id) out.segment(robot().bodies[id].v, sizes(robot().bodies[id].joint).nv).setZero();
    return out;
  }

  void set_dynamics(const MjcfActuatorValues& values, const std::string& place, Actuator& a) {
    const std::string& kind = values.dynamics;
    a.time_constant = values.time_constant;
    if (kind == "none") return;
    a.activation = activations_++;
    a.dynamics = kind == "integrator"    ? Actuator::integrator
                 : kind == "filter"      ? Actuator::filter
                 : kind == "filterexact" ? Actuator::filter_exact
                                         : Actuator::constant;
    if (a.dynamics == Actuator::constant && a.target != Actuator::nothing) {
      a.target = Actuator::nothing;
      robot().warnings.push_back(place + ": left out: dynamics of the kind " + kind + ", and with them the actuator");
    }
  }

  // False: a kind of gain or bias that the engine does not know.
  static bool set_force(const MjcfActuatorValues& values, Actuator& a) {
    if (values.gain_kind != "fixed" && values.gain_kind != "affine") return false;
    if (values.bias_kind != "none" && values.bias_kind != "affine") return false;
    a.gain = values.gain_kind == "affine" ? values.gain : Vec3(values.gain[0], 0.0, 0.0);
    if (values.bias_kind == "affine") a.bias = values.bias;
    return true;
  }

  // The range of the joint, made wider or narrower about its middle, for ctrl (intvelocity: for the activation).
  void inherit_range(const std::string& kind, MjcfActuatorValues& values, const Actuator& a, const std::string& place) {
    if (!(values.inherit_range > 0.0) || (a.target != Actuator::joint && a.target != Actuator::tendon)) return;
    auto& range = kind == "intvelocity" ? values.act : values.ctrl;
    if (range.bounds[0] < range.bounds[1]) return;
    const bool joint = a.target == Actuator::joint;
    const int velocity = joint ? robot().bodies[a.body].v : 0;
    const Vec2 own =
        joint ? Vec2(robot().lower[velocity], robot().upper[velocity]) : robot().tendons[a.tendon_index].range;
    const double lower = own[0], upper = own[1];
    if (!std::isfinite(lower) || !std::isfinite(upper))
      throw InvalidInput(place + " inherits a range that there is not; give ctrlrange");
    const double middle = 0.5 * (lower + upper), half = 0.5 * values.inherit_range * (upper - lower);
    range.bounds = {middle - half, middle + half};
    range.limited = "true";
  }

  // A positive bias[2] of a servo is a damping ratio: kv = 2 ratio √(kp m) with the inertia m = 1 / (gᵀ M⁻¹ g) that its gear g sees at
  // the reference position.
  void damp(const MjcfActuatorValues& values, Actuator& a) {
    if (a.target == Actuator::nothing) return;
    if (a.gain[0] != -a.bias[1] || !(a.bias[2] > 0.0)) return;
    if (inverse_.parts.empty()) inverse_ = mjcf_inverse_mass(model_);
    const double seen = inverse_.product(moment(values.gear, a));
    a.bias[2] = seen > 1e-15 ? -2.0 * a.bias[2] * std::sqrt(a.gain[0] / seen) : 0.0;
  }

  // Damping of the motor itself, seen through its gear. Its inertia is in the armature of the joint already.
  void damp_joint(const MjcfActuatorValues& values, const Actuator& a, const std::string& place) {
    if (values.armature == 0.0 && values.damping == 0.0) return;
    const int velocity = driven_velocity(model_, a);
    if (velocity < 0) {
      robot().warnings.push_back(place + ": left out: armature and damping, which act for hinges and slides only");
      return;
    }
    if (document_.options().damper) robot().joint_damping[velocity] += values.gear[0] * values.gear[0] * values.damping;
  }

  void tell() {
    if (others_.empty()) return;
    std::string names;
    for (const std::string& o : others_) names += (names.empty() ? "" : ", ") + o;
    robot().warnings.push_back(first_other_ + ": left out: the actuators " + names);
  }

  const MjcfDocument& document_;
  MjcfModel& model_;
  MjcfActuatorReader reader_;
  MjcfInverseMass inverse_;  // of M
  int activations_ = 0;
  std::vector<std::string> others_;
  std::string first_other_;  // file and line
};

}  // namespace

void add_mjcf_actuators(const MjcfDocument& document, MjcfModel& model) { Actuators(document, model).run(); }

void add_mjcf_rotors(const MjcfDocument& document, MjcfModel& model) { Actuators(document, model).add_rotors(); }

void add_mjcf_left_out(const MjcfDocument& document, MjcfModel& model) {
  RobotModel& robot = model.robot;
  const auto tell = [&](const std::string& what) { robot.warnings.push_back(document.file() + ": left out: " + what); };
  for (const auto& [tag, element] : document.mujoco()) {
    if (tag == "deformable" && !element.empty()) tell("<" + tag + ">");
    if (tag == "equality")
      for (const auto& [kind, ignored] : element)
        if (kind != "connect" && kind != "weld" && kind != "joint" && kind != "tendon")
          tell("<equality> of the kind " + kind);
  }
}

}  // namespace stiction
