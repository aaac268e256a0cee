// SPDX-License-Identifier: BSD-2-Clause
// Actuators. MuJoCo drives joints by `ctrl`; here users hand over torques, or targets of a joint PD. So
//   motor:            |tau| ≤ gear · max |ctrlrange|, if the range is limited;
//   any with a force: |tau| ≤ gear · max |forcerange|, likewise;
//   position:         torque = gear (kp (ctrl − gear q) − kv gear q̇): the gains of set_pd are gear² kp and gear² kv.
// The effort limits are taken over, the gains are told.
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf/mjcf.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace stiction {
namespace {

double first_number(const Xml& element, const char* name, double otherwise, const std::string& place) {
  const auto v = attribute(element, name);
  if (!v) return otherwise;
  std::istringstream in(*v);
  std::string word;
  in >> word;
  return to_number(word, place + " " + name);
}

class Actuators {
 public:
  Actuators(const MjcfDocument& document, MjcfModel& model)
      : document_(document), model_(model), kp_(Vec::Zero(model.robot.nv)), kd_(Vec::Zero(model.robot.nv)) {}

  void run() {
    for (const Xml* section : children(document_.mujoco(), "actuator"))
      for (const auto& [kind, element] : *section)
        if (kind != "<xmlattr>") add(kind, document_.resolve(kind, element, ""));
    RobotModel& r = model_.robot;
    for (const Body& b : r.bodies)
      if (sizes(b.joint).nv == 1 && limit_.size() > 0 && limit_[b.v] > 0.0)
        r.effort_limit[b.v] = std::min(r.effort_limit[b.v], limit_[b.v]);
    tell();
  }

 private:
  void add(const std::string& kind, const Xml& element) {
    const std::string name = attribute(element, "name").value_or("");
    const std::string place = document_.file() + ": <" + kind + "> '" + name + "'";
    const auto joint = attribute(element, "joint");
    const Body* body = joint ? find(*joint) : nullptr;
    if (!body || sizes(body->joint).nv != 1) {
      others_.insert(kind + (name.empty() ? "" : " '" + name + "'"));
      return;
    }
    ++driven_;
    const double gear = first_number(element, "gear", 1.0, place);
    const auto bound = [&](const char* flag, const char* range, double factor) {
      const std::string given = attribute(element, flag).value_or("auto");
      if (!attribute(element, range) || given == "false" || (given == "auto" && !document_.compiler().autolimits))
        return;
      const Vec x = to_vector(*attribute(element, range), 2, place + " " + range);
      if (x[0] >= x[1]) return;
      if (limit_.size() == 0) limit_ = Vec::Zero(model_.robot.nv);
      double& limit = limit_[body->v];
      limit = std::max(limit, std::abs(factor) * x.cwiseAbs().maxCoeff());
    };
    bound("forcelimited", "forcerange", gear);
    if (kind == "motor") bound("ctrllimited", "ctrlrange", gear);
    if (kind == "position") {
      kp_[body->v] += gear * gear * first_number(element, "kp", 1.0, place);
      kd_[body->v] += gear * gear * first_number(element, "kv", 0.0, place);
      servos_ = true;
    } else if (kind != "motor") {
      others_.insert(kind + (name.empty() ? "" : " '" + name + "'"));
    }
  }

  const Body* find(const std::string& joint) const {
    const RobotModel& r = model_.robot;
    const auto found = std::find(r.joint_names.begin(), r.joint_names.end(), joint);
    return found == r.joint_names.end() ? nullptr : &r.bodies[found - r.joint_names.begin()];
  }

  // Per joint velocity, in the order of tau.
  std::string list(const Vec& values) const {
    std::string out;
    for (const Body& b : model_.robot.bodies)
      if (b.joint != JointKind::free)
        for (int i = 0; i < sizes(b.joint).nv; ++i) out += (out.empty() ? "" : ", ") + text(values[b.v + i]);
    return "[" + out + "]";
  }

  void tell() {
    std::vector<std::string>& out = model_.robot.warnings;
    if (driven_ > 0)
      out.push_back(document_.file() + ": " + std::to_string(driven_) +
                    " actuators drive joints; here give torques, step(tau)" +
                    (limit_.size() > 0 ? ", bounded as the actuators are" : ""));
    if (servos_)
      out.push_back(document_.file() + ": its position servos are set_pd(kp=" + list(kp_) + ", kd=" + list(kd_) + ")");
    if (others_.empty()) return;
    std::string names;
    for (const std::string& o : others_) names += (names.empty() ? "" : ", ") + o;
    out.push_back(document_.file() + ": left out: the actuators " + names);
  }

  const MjcfDocument& document_;
  MjcfModel& model_;
  Vec kp_, kd_, limit_;
  int driven_ = 0;
  bool servos_ = false;
  std::set<std::string> others_;
};

}  // namespace

void add_mjcf_actuators(const MjcfDocument& document, MjcfModel& model) { Actuators(document, model).run(); }

void add_mjcf_left_out(const MjcfDocument& document, MjcfModel& model) {
  RobotModel& robot = model.robot;
  const auto tell = [&](const std::string& what) { robot.warnings.push_back(document.file() + ": left out: " + what); };
  for (const auto& [tag, element] : document.mujoco()) {
    if ((tag == "tendon" || tag == "deformable") && !element.empty()) tell("<" + tag + ">");
    if (tag == "equality")
      for (const auto& [kind, ignored] : element)
        if (kind != "connect" && kind != "weld" && kind != "<xmlattr>") tell("<equality> of the kind " + kind);
  }
  std::string springs;
  for (std::size_t i = 0; i < robot.bodies.size(); ++i)
    if (const double k = model.spring[robot.bodies[i].v]; k > 0.0)
      springs += (springs.empty() ? "" : ", ") + robot.joint_names[i] + " " + text(k);
  if (!springs.empty()) tell("springs of joints (" + springs + " N m/rad or N/m); set_pd(kp=…) acts like them");
}

}  // namespace stiction
