// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf/mjcf_actuator_values.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <numbers>
#include <set>

namespace stiction {
namespace {

const std::set<std::string> kActuatorKinds = {"general", "motor",    "position", "velocity", "intvelocity",
                                              "damper",  "cylinder", "muscle",   "adhesion", "plugin"};

class ActuatorAttributes {
 public:
  ActuatorAttributes(const Xml& element, const std::string& place) : element_(element), place_(place) {}

  void word(const char* name, std::string& to) const {
    if (const auto v = attribute(element_, name)) to = *v;
  }
  bool number(const char* name, double& to) const {
    const auto v = attribute(element_, name);
    if (v) to = to_number(*v, place_ + " " + name);
    return v.has_value();
  }
  double positive(const char* name, double otherwise) const {
    double x = otherwise;
    if (number(name, x)) check_not_negative(place_ + " " + name, x);
    return x;
  }
  // The first numbers of a list; what it does not reach stays.
  template <class V>
  void list(const char* name, V& to) const {
    const auto v = attribute(element_, name);
    if (!v) return;
    const std::vector<double> x = to_numbers(*v, place_ + " " + name);
    for (Eigen::Index i = 0; i < std::min<Eigen::Index>(to.size(), static_cast<Eigen::Index>(x.size())); ++i)
      to[i] = x[static_cast<std::size_t>(i)];
  }
  // Said here, it replaces a range of the class, and the two exclude each other.
  void inherit(const char* replaced, MjcfActuatorValues& x, MjcfActuatorValues::Range& range) const {
    if (!number("inheritrange", x.inherit_range) || !(x.inherit_range > 0.0)) return;
    if (attribute(element_, replaced))
      throw InvalidInput(place_ + " has both inheritrange and " + replaced + "; give one of them");
    range.bounds = {0.0, 0.0};
  }
  void range(const char* flag, const char* name, MjcfActuatorValues::Range& to) const {
    word(flag, to.limited);
    if (const auto v = attribute(element_, name)) to.bounds = to_vector(*v, 2, place_ + " " + name);
  }

 private:
  const Xml& element_;
  const std::string& place_;
};

void read_general(const ActuatorAttributes& a, MjcfActuatorValues& x) {
  a.word("dyntype", x.dynamics), a.word("gaintype", x.gain_kind), a.word("biastype", x.bias_kind);
  Eigen::Matrix<double, 1, 1> time(x.time_constant);
  a.list("dynprm", time), a.list("gainprm", x.gain), a.list("biasprm", x.bias);
  x.time_constant = time[0];
  std::string early = x.early ? "true" : "false";
  a.word("actearly", early);
  x.early = early == "true";
}

void read_servo(const ActuatorAttributes& a, const char* range, MjcfActuatorValues::Range& bounds,
                MjcfActuatorValues& x) {
  x.gain[0] = a.positive("kp", x.gain[0]);
  x.bias[0] = 0.0, x.bias[1] = -x.gain[0];
  double kv = 0.0;
  if (a.number("kv", kv)) x.bias[2] = -kv;
  a.number("dampratio", x.bias[2]);
  if (a.number("timeconst", x.time_constant)) x.dynamics = x.time_constant > 0.0 ? "filterexact" : "none";
  a.inherit(range, x, bounds);
  x.gain_kind = "fixed", x.bias_kind = "affine";
}

void read_kind(const std::string& kind, const ActuatorAttributes& a, MjcfActuatorValues& x) {
  const auto kinds = [&x](const char* dynamics, const char* gain, const char* bias) {
    x.dynamics = dynamics, x.gain_kind = gain, x.bias_kind = bias;
  };
  if (kind == "general") {
    read_general(a, x);
  } else if (kind == "motor") {
    x.gain = {1.0, 0.0, 0.0};
    kinds("none", "fixed", "none");
  } else if (kind == "position") {
    read_servo(a, "ctrlrange", x.ctrl, x);
  } else if (kind == "intvelocity") {
    read_servo(a, "actrange", x.act, x);
    x.dynamics = "integrator", x.act.limited = "true";
  } else if (kind == "velocity") {
    x.gain[0] = a.positive("kv", x.gain[0]);
    x.bias = {0.0, 0.0, -x.gain[0]};
    kinds("none", "fixed", "affine");
  } else if (kind == "damper") {
    x.gain = {0.0, 0.0, -a.positive("kv", 0.0)};
    kinds("none", "affine", "none");
    x.ctrl.limited = "true";
  } else if (kind == "cylinder") {
    a.number("timeconst", x.time_constant), a.number("area", x.gain[0]), a.list("bias", x.bias);
    if (double d = 0.0; a.number("diameter", d)) x.gain[0] = std::numbers::pi / 4.0 * d * d;
    kinds("filter", "fixed", "affine");
  } else {
    kinds(kind == "adhesion" ? "none" : kind.c_str(), kind.c_str(), kind.c_str());
  }
}

void read_actuator(const std::string& kind, const Xml& element, const std::string& place, MjcfActuatorValues& x) {
  const ActuatorAttributes a(element, place);
  a.range("ctrllimited", "ctrlrange", x.ctrl);
  a.range("forcelimited", "forcerange", x.force);
  a.range("actlimited", "actrange", x.act);
  a.list("gear", x.gear);
  Eigen::Matrix<double, 1, 1> damping(x.damping);  // newer files may give polynomials
  a.list("damping", damping);
  x.damping = damping[0];
  a.number("armature", x.armature), a.number("delay", x.delay);
  read_kind(kind, a, x);
  x.kind = kind;
}

}  // namespace

MjcfActuatorReader::MjcfActuatorReader(const MjcfDocument& document) : document_(document) {
  classes_["main"];
  for (const Xml* element : children(document.mujoco(), "default")) read_class(*element, "");
}

void MjcfActuatorReader::read_class(const Xml& element, const std::string& around) {
  const std::string name = attribute(element, "class").value_or(around.empty() ? "main" : around);
  if (!around.empty() && name != around) classes_[name] = classes_[around], around_[name] = around;
  for (const auto& [tag, part] : element) {
    if (!kActuatorKinds.contains(tag)) continue;
    MjcfActuatorValues& values = classes_[name];
    static_cast<MjcfForceLaw&>(values) = law_for(tag, name);
    read_actuator(tag, part, document_.file() + ": <default class=\"" + name + "\"> <" + tag + ">", values);
  }
  for (const Xml* inner : children(element, "default")) read_class(*inner, name);
}

MjcfForceLaw MjcfActuatorReader::law_for(const std::string& kind, std::string name) const {
  if (kind == "general") return classes_.at(name);
  for (;;) {
    const MjcfActuatorValues& values = classes_.at(name);
    if (values.kind == kind || values.kind == "general") return values;
    const auto outer = around_.find(name);
    if (outer == around_.end()) return {};
    name = outer->second;
  }
}

MjcfActuatorValues MjcfActuatorReader::read(const std::string& kind, const Xml& element,
                                            const std::string& place) const {
  const auto found = classes_.find(attribute(element, "class").value_or("main"));
  if (found == classes_.end()) {
    std::vector<std::string> known;
    for (const auto& [name, values] : classes_) known.push_back(name);
    throw InvalidInput(place + ": " + unknown_name("class", *attribute(element, "class"), known));
  }
  MjcfActuatorValues out = found->second;
  static_cast<MjcfForceLaw&>(out) = law_for(kind, found->first);
  read_actuator(kind, element, place, out);
  return out;
}

Vec2 MjcfActuatorReader::bounds(const MjcfActuatorValues::Range& range) const {
  const bool limits = range.limited == "true" ||
                      (range.limited == "auto" && document_.compiler().autolimits && range.bounds[0] < range.bounds[1]);
  return limits ? range.bounds : Vec2(-kInfinity, kInfinity);
}

}  // namespace stiction
