// SPDX-License-Identifier: BSD-2-Clause
// What stands in an MJCF file and is not simulated, told once per attribute with the first line and the names of its elements.
// The tables list, per element, what acts here and what has no effect on the motion (looks, MuJoCo's own solver); every other
// attribute is told, unless its value is one that does nothing.
#include <stiction/model/mjcf/mjcf.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace stiction {
namespace {

std::set<std::string> words(const char* text) {
  std::istringstream in(text);
  std::set<std::string> out;
  for (std::string word; in >> word;) out.insert(word);
  return out;
}

using Table = std::map<std::string, std::set<std::string>>;

const Table& known_attributes() {
  static const Table table = {
      {"compiler",
       words("angle eulerseq autolimits strippath balanceinertia inertiafromgeom meshdir assetdir boundmass "
             "boundinertia settotalmass coordinate inertiagrouprange fitaabb "
             "texturedir discardvisual convexhull fusestatic usethread savecanonical savecompiled "
             "saveinertial passthrough conflict")},
      {"option", words("timestep gravity density viscosity wind "
                       "apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance mpr_tolerance cone "
                       "jacobian solver iterations ls_iterations noslip_iterations ccd_iterations mpr_iterations "
                       "sdf_iterations sdf_initpoints sleep_tolerance magnetic o_margin o_solref o_solimp o_friction")},
      {"flag",
       words("contact constraint equality frictionloss limit passive spring damper gravity actuation "
             "filterparent clampctrl warmstart refsafe sensor energy fwdinv invdiscrete multiccd nativeccd island "
             "midphase eulerdamp autoreset sensornoise sleep diagexact speculative ipc")},
      {"body", words("name childclass pos quat axisangle xyaxes zaxis euler mocap gravcomp user simple fuse sleep")},
      {"frame", words("name childclass pos quat axisangle xyaxes zaxis euler")},
      {"inertial", words("pos quat axisangle xyaxes zaxis euler mass diaginertia fullinertia")},
      {"joint", words("name class type pos axis range limited ref damping frictionloss armature actuatorfrcrange "
                      "actuatorfrclimited stiffness springref springdamper group user")},
      {"freejoint", words("name class group user")},
      {"geom",
       words("name class type pos quat axisangle xyaxes zaxis euler fromto size mesh hfield fitscale mass "
             "density shellinertia contype conaffinity friction condim priority margin fluidshape fluidcoef group "
             "rgba material user castshadow")},
      {"site", words("name class pos quat axisangle xyaxes zaxis euler fromto type size group rgba material user")},
      {"mesh",
       words("name class file vertex face scale refpos refquat inertia content_type normal texcoord smoothnormal "
             "material")},
      {"hfield", words("name file nrow ncol size elevation content_type")},
      {"pair", words("name class geom1 geom2 condim friction margin")},
      {"exclude", words("name body1 body2")},
      {"key", words("name time qpos qvel act ctrl")},
      {"model", words("name file content_type")},
      {"worldbody", words("childclass name pos quat")},
  };
  return table;
}

// Values that do nothing.
bool without_effect(const std::string& tag, const std::string& key, const std::string& value) {
  static const std::map<std::string, std::set<std::string>> values = {
      {"geom condim", words("1 3 4 6")},
      {"pair condim", words("1 3 4 6")},
      {"geom solmix", words("1 1.0")},
      {"geom fluidshape", words("none")},
      {"compiler alignfree", words("false")},
      {"freejoint align", words("false auto")},
      {"compiler exactmeshinertia", words("false")},
      {"joint actuatorgravcomp", words("false")},
      {"flag override", words("disable")},
      {"option integrator", words("Euler")},
  };
  if (const auto found = values.find(tag + " " + key); found != values.end()) return found->second.contains(value);
  if (tag == "option" && key == "actuatorgroupdisable") return value.empty();
  static const std::set<std::string> zero =
      words("gap margin gravcomp adhesion surfacevel wind density viscosity springref springyield");
  if (!zero.contains(key)) return false;
  return value.find_first_not_of("0. \t") == std::string::npos;
}

// Names that say what is missed; several attributes may share one.
std::string meaning(const std::string& tag, const std::string& key, const std::string& value) {
  if (tag == "geom" && key == "condim") return "condim " + value + " (expected 1, 3, 4 or 6)";
  if ((tag == "geom" || tag == "pair") &&
      (key == "solref" || key == "solimp" || key == "solreffriction" || key == "solmix"))
    return "softness of contacts, which are rigid unless softness='file' (" + key + ")";
  if (tag == "joint" && key.starts_with("sol"))
    return "softness of limits and friction, which are rigid unless softness='file' (" + key + ")";
  if (tag == "option" && key == "integrator") return "integrator " + value + " (the stepper is chosen by Simulator)";
  return key;
}

class Unread {
 public:
  void walk(const std::string& tag, const Xml& element) {
    if (const auto known = known_attributes().find(tag); known != known_attributes().end())
      for (const auto& [key, value] : element.attributes()) attribute_of(tag, element, key, value, known->second);
    for (const auto& [child_tag, child] : element) {
      if (child_tag == "plugin") tell("<plugin>", child, "");
      if (tag == "geom" || tag == "mesh") continue;
      if (child_tag == "default")
        in_default(child);
      else if (!elsewhere(child_tag))
        walk(child_tag, child);
    }
  }

  void report(RobotModel& robot) const {
    for (const std::string& key : order_) {
      const Found& found = found_.at(key);
      const std::string what = key.substr(0, key.find('|'));
      constexpr std::size_t shown = 4;
      std::string names;
      for (std::size_t i = 0; i < std::min(found.names.size(), shown); ++i)
        names += (i == 0 ? " " : ", ") + found.names[i];
      const std::size_t more = found.names.size() - std::min(found.names.size(), shown);
      if (more > 0) names += " and " + std::to_string(more) + " more";
      robot.warnings.push_back(found.place + ": left out: " + what +
                               (found.tag.empty() ? "" : " of <" + found.tag + ">") + names);
    }
  }

 private:
  struct Found {
    std::string place, tag;
    std::vector<std::string> names;
  };

  // Sections that have readers of their own, which tell what they leave out.
  static bool elsewhere(const std::string& tag) {
    static const std::set<std::string> others = words(
        "actuator equality tendon sensor deformable extension visual "
        "statistic size custom camera light texture material skin");
    return others.contains(tag);
  }

  void in_default(const Xml& element) {
    for (const auto& [tag, part] : element) {
      if (tag == "default") {
        in_default(part);
        continue;
      }
      const auto known = known_attributes().find(tag);
      if (known == known_attributes().end()) continue;
      for (const auto& [key, value] : part.attributes())
        attribute_of(tag, part, key, value, known->second, attribute(element, "class").value_or("main"));
    }
  }

  void attribute_of(const std::string& tag, const Xml& element, const std::string& key, const std::string& value,
                    const std::set<std::string>& known, const std::string& of_class = "") {
    const bool partly = key == "condim";  // some of its values act
    if ((known.contains(key) && !partly) || without_effect(tag, key, value)) return;
    const std::string what = meaning(tag, key, value);
    const std::string name = attribute(element, "name").value_or("");
    tell(what, element, tag, !of_class.empty() ? "class '" + of_class + "'" : name.empty() ? "" : "'" + name + "'");
  }

  void tell(const std::string& what, const Xml& element, const std::string& tag, std::string name = "") {
    const auto [at, added] = found_.try_emplace(what + "|" + tag, Found{element.place(), tag, {}});
    if (added) order_.push_back(what + "|" + tag);
    if (name.empty()) name = "line " + std::to_string(element.line());
    at->second.names.push_back(name);
  }

  std::vector<std::string> order_;
  std::map<std::string, Found> found_;
};

}  // namespace

void tell_mjcf_unread(const MjcfDocument& document, RobotModel& robot) {
  Unread unread;
  unread.walk("mujoco", document.mujoco());
  unread.report(robot);
}

}  // namespace stiction
