// SPDX-License-Identifier: BSD-2-Clause
// MuJoCo's rules for the text of a model:
//   default:   classes inherit from the class around them; an element takes its `class`, or the nearest `childclass`, or main.
#include <stiction/base/field.h>
#include <stiction/base/missing_file.h>
#include <stiction/model/mjcf/mjcf_expand.h>
#include <stiction/model/world/checks.h>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <set>

namespace stiction {
namespace {

namespace fs = std::filesystem;

const std::set<std::string> kOrientations = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};

}  // namespace

MjcfDocument::MjcfDocument(const std::string& path, int depth)
    : file_(fs::path(path).filename().string()), directory_(fs::path(path).parent_path().string()) {
  const Xml document = parse_xml(read_text_file(path, "MJCF"), file_);
  mujoco_ = expand_includes(xml_root(document, "mujoco", file_), directory_, file_);
  read_compiler();
  read_options();
  mujoco_ = attach_models(unroll_replicates(mujoco_, *this), *this, depth);
  classes_["main"], classes_[kAttachedClass];
  for (const Xml* element : children(mujoco_, "default")) read_defaults(*element, "");
}

void MjcfDocument::read_compiler() {
  MjcfCompiler& c = compiler_;
  const auto flag = [](const std::string& text) { return text == "true"; };
  for (const Xml* element : children(mujoco_, "compiler")) {
    for (const auto& [name, v] : element->attributes()) {
      const std::string field = file_ + ": <compiler> " + name;
      if (name == "angle") c.degrees = v != "radian";
      if (name == "eulerseq") c.euler = v;
      if (name == "autolimits") c.autolimits = flag(v);
      if (name == "strippath") c.strip_path = flag(v);
      if (name == "balanceinertia") c.balance_inertia = flag(v);
      if (name == "fitaabb") c.fit_aabb = flag(v);
      if (name == "inertiafromgeom") c.inertia_from_geom = v;
      if (name == "meshdir" || (name == "assetdir" && c.mesh_folder.empty())) c.mesh_folder = v;
      if (name == "boundmass") c.least_mass = to_number(v, field);
      if (name == "boundinertia") c.least_inertia = to_number(v, field);
      if (name == "settotalmass") c.total_mass = to_number(v, field);
      if (name == "coordinate" && v != "local")
        throw InvalidInput(field + " is '" + v + "', which MuJoCo itself no longer reads; give local coordinates");
      if (name == "inertiagrouprange") {
        const Vec x = to_vector(v, 2, field);
        c.first_group = static_cast<int>(x[0]), c.last_group = static_cast<int>(x[1]);
      }
    }
  }
  if (c.euler.size() != 3 || c.euler.find_first_not_of("xyzXYZ") != std::string::npos)
    throw InvalidInput(file_ + ": <compiler> eulerseq is '" + c.euler + "', expected three of xyzXYZ");
}

void MjcfDocument::read_defaults(const Xml& element, const std::string& around) {
  const std::string name = attribute(element, "class").value_or(around.empty() ? "main" : around);
  if (!around.empty() && name != around) classes_[name] = classes_[around];
  auto& values = classes_[name];
  for (const auto& [tag, part] : element)
    if (tag != "default")
      for (const auto& [key, value] : part.attributes()) values[tag][key] = value;
  for (const Xml* inner : children(element, "default")) read_defaults(*inner, name);
}

Xml MjcfDocument::resolve(const std::string& tag, const Xml& element, const std::string& childclass) const {
  const std::string name = attribute(element, "class").value_or(childclass.empty() ? "main" : childclass);
  const auto found = classes_.find(name);
  if (found == classes_.end()) {
    std::vector<std::string> known;
    for (const auto& [class_name, values] : classes_) known.push_back(class_name);
    throw InvalidInput(file_ + ": <" + tag + ">: " + unknown_name("class", name, known));
  }
  Xml out = element;
  const auto values = found->second.find(tag);
  if (values == found->second.end()) return out;
  bool turned = false;
  for (const std::string& key : kOrientations) turned = turned || attribute(element, key.c_str());
  for (const auto& [key, value] : values->second)
    if (!attribute(element, key.c_str()) && !(turned && kOrientations.contains(key))) out.set(key, value);
  return out;
}

double MjcfDocument::angle(double x) const { return compiler_.degrees ? x * std::numbers::pi / 180.0 : x; }

Mat3 turn_z_to(const Vec3& direction) {
  const Vec3 across = Vec3::UnitZ().cross(direction);
  const double s = across.norm();
  const Vec3 axis = s < 1e-10 ? Vec3(Vec3::UnitX()) : Vec3(across / s);
  return Eigen::AngleAxisd(std::atan2(s, direction.z()), axis).toRotationMatrix();
}

Mat3 MjcfDocument::rotation(const Xml& element, const std::string& place) const {
  const auto unit = [&](const Vec& x, const char* name) {
    if (!(x.norm() > 1e-12)) throw InvalidInput(place + " " + name + " has length zero, expected a direction");
    return Vec(x / x.norm());
  };
  if (const auto v = attribute(element, "quat")) {
    const Vec q = unit(to_vector(*v, 4, place + " quat"), "quat");
    return Quat(q[0], q[1], q[2], q[3]).toRotationMatrix();
  }
  if (const auto v = attribute(element, "axisangle")) {
    const Vec x = to_vector(*v, 4, place + " axisangle");
    return Eigen::AngleAxisd(angle(x[3]), Vec3(unit(x.head<3>(), "axisangle"))).toRotationMatrix();
  }
  if (const auto v = attribute(element, "xyaxes")) {
    const Vec a = to_vector(*v, 6, place + " xyaxes");
    const Vec3 x = unit(a.head<3>(), "xyaxes"), y = unit(Vec3(a.tail<3>()) - x.dot(Vec3(a.tail<3>())) * x, "xyaxes");
    return (Mat3() << x, y, x.cross(y)).finished();
  }
  if (const auto v = attribute(element, "zaxis")) return turn_z_to(unit(to_vector(*v, 3, place + " zaxis"), "zaxis"));
  Mat3 r = Mat3::Identity();
  if (const auto v = attribute(element, "euler")) {
    const Vec x = to_vector(*v, 3, place + " euler");
    for (int i = 0; i < 3; ++i) {  // small letters: about axes that turn along; capitals: about fixed ones
      const char letter = compiler_.euler[i];
      const bool moving = letter >= 'x';
      const Mat3 turn = Eigen::AngleAxisd(angle(x[i]), Vec3::Unit(letter - (moving ? 'x' : 'X'))).toRotationMatrix();
      r = moving ? Mat3(r * turn) : Mat3(turn * r);
    }
  }
  return r;
}

Pose MjcfDocument::pose(const Xml& element, const std::string& place) const {
  return {rotation(element, place), vec3_attribute(element, "pos", Vec3::Zero(), place)};
}

}  // namespace stiction
