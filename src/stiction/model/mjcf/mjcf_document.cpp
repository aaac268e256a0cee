// SPDX-License-Identifier: BSD-2-Clause
// MuJoCo's rules for the text of a model:
//   include:   replaced by what stands in the file, whose path is relative to the main file;
//   replicate: n frames, each moved by (offset, euler) from the one before; names get the number as a suffix;
//   default:   classes inherit from the class around them; an element takes its `class`, or the nearest `childclass`, or main.
#include <stiction/base/field.h>
#include <stiction/base/missing_file.h>
#include <stiction/model/mjcf/mjcf_document.h>
#include <stiction/model/world/checks.h>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <set>

namespace stiction {
namespace {

namespace fs = std::filesystem;

const std::set<std::string> kOrientations = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};

class Includes {
 public:
  Includes(std::string directory, std::string file) : directory_(std::move(directory)), file_(std::move(file)) {}

  Xml expand(const Xml& element) {
    Xml out;
    out.data() = element.data();
    for (const auto& [tag, part] : element) {
      if (tag != "include") {
        out.push_back({tag, tag == "<xmlattr>" ? part : expand(part)});
        continue;
      }
      for (const auto& [name, child] : expand(read(part)))
        if (name != "<xmlattr>") out.push_back({name, child});
    }
    return out;
  }

 private:
  Xml read(const Xml& include) {
    const std::string name = required(include, "file", file_ + ": <include>");
    const fs::path path = fs::path(name).is_absolute() ? fs::path(name) : fs::path(directory_) / name;
    if (!fs::is_regular_file(path))
      throw MissingFile(file_ + " includes '" + name + "', which was not found; looked for " + path.string());
    if (!seen_.insert(path.lexically_normal().string()).second)
      throw InvalidInput(file_ + " includes '" + name + "' twice; once is enough");
    const Xml document = parse_xml(read_text_file(path.string(), "MJCF"), name);
    for (const auto& [tag, root] : document)
      if (tag == "mujoco" || tag == "mujocoinclude") return root;
    throw InvalidInput(name + " has no <mujoco> or <mujocoinclude> as its root");
  }

  std::string directory_, file_;
  std::set<std::string> seen_;
};

void add_suffix(Xml& element, const std::string& suffix) {
  for (auto& [tag, part] : element) {
    if (tag == "<xmlattr>") {
      if (auto name = part.get_child_optional("name")) name->data() += suffix;
    } else {
      add_suffix(part, suffix);
    }
  }
}

std::string numbers(const Vec& x) {
  std::string out;
  for (const double value : x) {
    if (!out.empty()) out += ' ';
    out += text(value);
  }
  return out;
}

std::string padded(int i, int digits) {
  std::string out = std::to_string(i);
  return std::string(static_cast<std::size_t>(std::max(0, digits - static_cast<int>(out.size()))), '0') + out;
}

// <replicate> as frames. The poses are put in as position and quaternion.
Xml unroll(const Xml& element, const MjcfDocument& document) {
  Xml out;
  out.data() = element.data();
  for (const auto& [tag, part] : element) {
    if (tag != "replicate") {
      out.push_back({tag, tag == "<xmlattr>" ? part : unroll(part, document)});
      continue;
    }
    const std::string place = document.file() + ": <replicate>";
    const int count = static_cast<int>(to_number(required(part, "count", place), place + " count"));
    Xml motion;
    if (const auto offset = attribute(part, "offset")) motion.put("<xmlattr>.pos", *offset);
    if (const auto euler = attribute(part, "euler")) motion.put("<xmlattr>.euler", *euler);
    const Pose step = document.pose(motion, place);
    Pose pose;
    for (int i = 0; i < count; ++i, pose = pose * step) {
      const Xml copy = unroll(part, document);
      const Quat q(pose.rotation);
      Xml frame;
      frame.put("<xmlattr>.pos", numbers(pose.translation));
      frame.put("<xmlattr>.quat", numbers((Vec(4) << q.w(), q.vec()).finished()));
      if (const auto name = attribute(part, "childclass")) frame.put("<xmlattr>.childclass", *name);
      for (const auto& [child_tag, child] : copy)
        if (child_tag != "<xmlattr>") frame.push_back({child_tag, child});
      const int digits = static_cast<int>(std::to_string(std::max(count - 1, 0)).size());
      for (auto& [child_tag, child] : frame)
        if (child_tag != "<xmlattr>") add_suffix(child, attribute(part, "sep").value_or("") + padded(i, digits));
      out.push_back({"frame", frame});
    }
  }
  return out;
}

}  // namespace

MjcfDocument::MjcfDocument(const std::string& path)
    : file_(fs::path(path).filename().string()), directory_(fs::path(path).parent_path().string()) {
  const Xml document = parse_xml(read_text_file(path, "MJCF"), file_);
  mujoco_ = Includes(directory_, file_).expand(xml_root(document, "mujoco", file_));
  read_compiler();
  mujoco_ = unroll(mujoco_, *this);
  classes_["main"];
  for (const Xml* element : children(mujoco_, "default")) read_defaults(*element, "");
}

void MjcfDocument::read_compiler() {
  MjcfCompiler& c = compiler_;
  const auto flag = [](const std::string& text) { return text == "true"; };
  for (const Xml* element : children(mujoco_, "compiler")) {
    const Xml* values = child(*element, "<xmlattr>");
    if (!values) continue;
    for (const auto& [name, node] : *values) {
      const std::string& v = node.data();
      const std::string field = file_ + ": <compiler> " + name;
      if (name == "angle") c.degrees = v != "radian";
      if (name == "eulerseq") c.euler = v;
      if (name == "autolimits") c.autolimits = flag(v);
      if (name == "strippath") c.strip_path = flag(v);
      if (name == "balanceinertia") c.balance_inertia = flag(v);
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
    if (const Xml* given = child(part, "<xmlattr>"); given && tag != "default" && tag != "<xmlattr>")
      for (const auto& [key, node] : *given) values[tag][key] = node.data();
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
    if (!attribute(element, key.c_str()) && !(turned && kOrientations.contains(key)))
      out.put(Xml::path_type("<xmlattr>|" + key, '|'), value);
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
