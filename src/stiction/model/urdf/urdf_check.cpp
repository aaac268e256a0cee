// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/base/principal_axes.h>
#include <stiction/model/urdf/urdf.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>

namespace stiction {
namespace {

const std::vector<std::string> kJointTypes = {"revolute", "continuous", "prismatic", "fixed",
                                              "floating", "planar",     "spherical"};
constexpr int kLongestChain = 1000;
constexpr std::size_t kMostLinks = 10000;  // the parser's work grows with their square

std::string unique(const Xml& element, const char* what, const std::string& file, std::set<std::string>& seen) {
  const std::string name = required(element, "name", file + ": a " + what);
  if (!seen.insert(name).second)
    throw InvalidInput(file + ": two " + what + "s are called '" + name + "'; names must differ");
  return name;
}

double number(const Xml& element, const char* name, const std::string& place) {
  return to_number(required(element, name, place), place + " " + name);
}

// Whether the inertia makes sense is decided for the moving body that the link becomes part of (check_masses.cpp).
void check_inertial(const Xml& link, const std::string& place, std::vector<std::string>& warnings) {
  const Xml* inertial = child(link, "inertial");
  if (!inertial) return;
  urdf_origin(*inertial, place + " <inertial>");
  const Xml* mass_element = child(*inertial, "mass");
  if (!mass_element) throw InvalidInput(place + " <inertial> has no <mass value=…>");
  const double mass = number(*mass_element, "value", place + " <mass>");
  if (!(mass >= 0.0)) throw InvalidInput(place + " mass is " + text(mass) + ", expected a number >= 0");
  const Xml* inertia = child(*inertial, "inertia");
  if (!inertia) throw InvalidInput(place + " <inertial> has no <inertia ixx=… …>");
  Mat3 m;
  const char* names[3][3] = {{"ixx", "ixy", "ixz"}, {"ixy", "iyy", "iyz"}, {"ixz", "iyz", "izz"}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      m(i, j) = i == j || attribute(*inertia, names[i][j]) ? number(*inertia, names[i][j], place + " <inertia>") : 0.0;
  if (m.isZero(0.0)) return;
  const Vec3 moments = principal_moments(m);
  if (!(moments.x() > -1e-12 * moments.z()))
    warnings.push_back(place + " inertia has principal moments " + text(moments) + " kg m^2; a negative one is wrong");
}

void check_joint(const Xml& joint, const std::string& place, const std::set<std::string>& links,
                 std::set<std::string>& carried) {
  const std::string type = required(joint, "type", place);
  if (std::find(kJointTypes.begin(), kJointTypes.end(), type) == kJointTypes.end())
    throw InvalidInput(place + ": " + unknown_name("joint type", type, kJointTypes));
  for (const char* side : {"parent", "child"}) {
    const Xml* element = child(joint, side);
    if (!element) throw InvalidInput(place + " has no <" + side + " link=…>");
    const std::string link = required(*element, "link", place + " <" + side + ">");
    if (!links.contains(link))
      throw InvalidInput(place + " <" + side + ">: " + unknown_name("link", link, {links.begin(), links.end()}));
    if (side == std::string("child") && !carried.insert(link).second)
      throw InvalidInput(place + ": link '" + link +
                         "' is the child of two joints; URDF describes trees (close loops with add_loop)");
  }
  urdf_origin(joint, place);
  if (const Xml* axis = child(joint, "axis")) {
    const Vec3 a = vec3_attribute(*axis, "xyz", Vec3::UnitX(), place + " <axis>");
    if (type != "fixed" && type != "floating" && !(a.norm() > 1e-9))
      throw InvalidInput(place + " <axis> is " + text(a) + ", expected a direction");
  }
  const Xml* limit = child(joint, "limit");
  if (type == "revolute" || type == "prismatic") {
    if (!limit)
      throw InvalidInput(place + " has no <limit lower=… upper=…>; a " + type + " joint needs one" +
                         (type == "revolute" ? " (or make it continuous)" : ""));
    const double lower = attribute(*limit, "lower") ? number(*limit, "lower", place + " <limit>") : 0.0;
    const double upper = attribute(*limit, "upper") ? number(*limit, "upper", place + " <limit>") : 0.0;
    if (!(lower <= upper))
      throw InvalidInput(place + " <limit> lower is " + text(lower) + ", expected at most upper = " + text(upper));
  }
  if (const Xml* dynamics = child(joint, "dynamics"))
    for (const char* name : {"damping", "friction"})
      if (attribute(*dynamics, name))
        check_not_negative(place + " <dynamics> " + name, number(*dynamics, name, place + " <dynamics>"));
}

// The parser wants numbers that may be left out here: they are 0.
void complete(Xml* element, std::initializer_list<const char*> names) {
  if (!element) return;
  for (const char* name : names)
    if (!attribute(*element, name)) element->set(name, "0");
}

void check_one_tree(const std::set<std::string>& links, const std::set<std::string>& carried, const std::string& file) {
  std::vector<std::string> roots;
  std::set_difference(links.begin(), links.end(), carried.begin(), carried.end(), std::back_inserter(roots));
  if (roots.empty())
    throw InvalidInput(file +
                       ": every link is the child of a joint, so the joints form a loop; one link must be the root");
  if (roots.size() > 1)
    throw InvalidInput(file + ": links '" + roots[0] + "' and '" + roots[1] +
                       "' are both roots; join all links by joints into one tree");
}

// Beside the tree of the root there may be joints that form a circle: every link of it has a parent, none leads to the root.
// The parser walks trees by calling itself, so that a chain of many thousand links would end the program: it is refused here.
void check_chains(const Xml& robot, const std::set<std::string>& links, const std::string& file) {
  std::map<std::string, std::string> parent;
  for (const Xml* joint : children(robot, "joint"))
    parent[required(*child(*joint, "child"), "link", file)] = required(*child(*joint, "parent"), "link", file);
  std::map<std::string, int> depth;  // joints up to the root
  for (const std::string& link : links) {
    std::vector<std::string> way;  // from the link up to one whose depth is known
    for (std::string at = link; !depth.contains(at); at = parent[at]) {
      way.push_back(at);
      if (!parent.contains(at)) break;
      if (way.size() > links.size())
        throw InvalidInput(file + ": link '" + link +
                           "' hangs on a circle of joints that does not reach the root; join all links into one tree");
    }
    for (auto at = way.rbegin(); at != way.rend(); ++at) {
      const auto up = parent.find(*at);
      const int here = depth[*at] = up == parent.end() ? 0 : depth[up->second] + 1;
      if (here > kLongestChain)
        throw InvalidInput(file + ": link '" + *at + "' hangs on a chain of " + std::to_string(here) +
                           " joints, expected at most " + std::to_string(kLongestChain));
    }
  }
}

// Elements that mean something elsewhere: motors and gears of controllers, what Gazebo adds.
void tell_left_out(const Xml& robot, const std::string& file, std::vector<std::string>& warnings) {
  for (const char* tag : {"transmission", "gazebo", "sensor"}) {
    std::string names;
    for (const Xml* element : children(robot, tag)) {
      const auto name = attribute(*element, std::string(tag) == "gazebo" ? "reference" : "name");
      names += (names.empty() ? " " : ", ") + name.value_or("of the whole robot");
    }
    if (!names.empty()) warnings.push_back(file + ": left out: <" + tag + ">" + names);
  }
}

}  // namespace

std::vector<std::string> check_urdf(const Xml& robot, const std::string& file) {
  std::vector<std::string> warnings;
  std::set<std::string> links, joints, carried;
  for (const Xml* link : children(robot, "link")) {
    const std::string name = unique(*link, "link", file, links);
    check_inertial(*link, file + ": link '" + name + "'", warnings);
  }
  if (links.empty()) throw InvalidInput(file + " has no <link>, expected at least one");
  if (links.size() > kMostLinks)
    throw InvalidInput(file + " has " + std::to_string(links.size()) + " links, expected at most " +
                       std::to_string(kMostLinks));
  for (const Xml* joint : children(robot, "joint")) {
    const std::string name = unique(*joint, "joint", file, joints);
    check_joint(*joint, file + ": joint '" + name + "'", links, carried);
  }
  check_one_tree(links, carried, file);
  check_chains(robot, links, file);
  tell_left_out(robot, file, warnings);
  return warnings;
}

std::set<std::string> spherical_joints(const Xml& robot) {
  std::set<std::string> out;
  for (const Xml* joint : children(robot, "joint"))
    if (attribute(*joint, "type") == "spherical") out.insert(attribute(*joint, "name").value_or(""));
  return out;
}

std::string dynamics_only(const Xml& document) {
  Xml copy = document;
  for (auto& [tag, robot] : copy) {
    if (tag != "robot") continue;
    for (const char* name : {"transmission", "gazebo", "sensor", "material"}) robot.erase(name);
    for (auto& [part, element] : robot) {
      if (part == "link") {
        for (const char* name : {"visual", "collision"}) element.erase(name);
        if (Xml* inertial = child(element, "inertial")) complete(child(*inertial, "inertia"), {"ixy", "ixz", "iyz"});
      }
      if (part != "joint") continue;
      complete(child(element, "limit"), {"effort", "velocity"});  // 0 is unlimited here
      if (attribute(element, "type") == "spherical") element.set("type", "floating");
      if (const Xml* d = child(element, "dynamics"); d && !attribute(*d, "damping") && !attribute(*d, "friction"))
        element.erase("dynamics");
    }
  }
  return write_xml(copy);
}

}  // namespace stiction
