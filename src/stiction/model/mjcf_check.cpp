// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/model/checks.h>
#include <stiction/model/mjcf.h>

#include <set>

namespace stiction {
namespace {

class Check {
 public:
  explicit Check(const std::string& file) : file_(file) {}

  void bodies(const Xml& parent, const std::string& place) {
    for (const auto& [tag, element] : parent) {
      if (tag == "body") {
        const std::string name = attribute(element, "name").value_or("");
        if (!name.empty() && !names_.insert(name).second)
          throw InvalidInput(file_ + ": two bodies are called '" + name + "'; names must differ");
        bodies(element, file_ + ": body '" + name + "'");
      } else if (tag == "inertial") {
        inertial(element, place);
      } else if (tag == "geom") {
        for (const char* name : {"mass", "density"})
          if (const auto value = attribute(element, name))
            check_not_negative(place + " geom " + name, to_number(*value, place + " geom " + name));
        if (attribute(element, "friction")) left_out_.insert("friction of geoms (name mu= or a material)");
      } else if (tag == "joint") {
        if (const auto stiffness = attribute(element, "stiffness");
            stiffness && to_number(*stiffness, place + " joint stiffness") != 0.0)
          left_out_.insert("springs of joints (stiffness)");
      } else if (tag == "frame" || tag == "replicate" || tag == "composite" || tag == "flexcomp" || tag == "attach") {
        throw InvalidInput(place + " has a <" + tag + ">, which is not read; write out the bodies");
      }
    }
  }

  std::vector<std::string> sections(const Xml& mujoco) {
    for (const auto& [tag, element] : mujoco) {
      if (tag == "include")
        throw InvalidInput(file_ + " has an <include>, which is not read; put everything into one file");
      if ((tag == "actuator" || tag == "tendon" || tag == "deformable") && !element.empty())
        left_out_.insert("<" + tag + ">");
      if (tag == "equality")
        for (const auto& [kind, ignored] : element)
          if (kind != "connect" && kind != "weld" && kind != "<xmlattr>")
            left_out_.insert("<equality> of the kind " + kind);
    }
    std::vector<std::string> warnings;
    for (const std::string& what : left_out_) warnings.push_back(file_ + ": left out: " + what);
    return warnings;
  }

 private:
  void inertial(const Xml& element, const std::string& place) {
    const double mass = to_number(required(element, "mass", place + " <inertial>"), place + " mass");
    if (!(mass >= 0.0)) throw InvalidInput(place + " mass is " + text(mass) + ", expected a number >= 0");
    Mat3 m = Mat3::Zero();
    if (const auto diagonal = attribute(element, "diaginertia")) {
      m.diagonal() = to_vector(*diagonal, 3, place + " diaginertia");
    } else if (const auto full = attribute(element, "fullinertia")) {
      const Vec x = to_vector(*full, 6, place + " fullinertia");
      m << x[0], x[3], x[4], x[3], x[1], x[5], x[4], x[5], x[2];
    } else {
      return;
    }
    check_inertia(place + " inertia", m);  // what no solid body has is reported with the moving body
  }

  const std::string& file_;
  std::set<std::string> names_, left_out_;
};

}  // namespace

std::vector<std::string> check_mjcf(const Xml& mujoco, const std::string& file) {
  Check check(file);
  const Xml* world = child(mujoco, "worldbody");
  if (!world) throw InvalidInput(file + " has no <worldbody>");
  check.bodies(*world, file + ": worldbody");
  return check.sections(mujoco);
}

}  // namespace stiction
