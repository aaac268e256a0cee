// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/model/urdf/sdf_nested.h>
#include <stiction/model/world/checks.h>

#include <cmath>

namespace stiction {
namespace {

std::string inner_name(const std::string& prefix, const std::string& name) {
  return prefix.empty() || name == "world" ? name : prefix + "::" + name;
}

void set_text(Xml& element, const char* tag, const std::string& text) {
  element.erase(tag);
  element.add_child(tag, {}).data() = text;
}

class Flattener {
 public:
  explicit Flattener(const std::string& file) : file_(file) {}

  // Appends links and joints of the model; `pose`: of the model in the outermost one.
  void add(const Xml& model, const std::string& prefix, const Pose& pose, Xml& out) const {
    const std::string place = file_ + ": model '" + attribute(model, "name").value_or("") + "'";
    if (child(model, "include"))
      throw InvalidInput(place + " has an <include>, which is not read; put the model into the file");
    if (attribute(model, "placement_frame"))
      throw InvalidInput(place + " has a placement_frame, which is not read; give the <pose> of the model itself");
    for (const auto& [tag, element] : model) {
      if (tag == "link") out.push_back({tag, link(element, prefix, pose)});
      if (tag == "joint") out.push_back({tag, joint(element, prefix)});
      if (tag != "model") continue;
      const std::string name = required(element, "name", place + ": a model in it");
      const Xml* fixed = child(element, "static");
      if (fixed && (fixed->data() == "true" || fixed->data() == "1"))
        throw InvalidInput(file_ + ": model '" + name + "' is static within another one; join its links to the world");
      add(element, inner_name(prefix, name), pose * read_sdf_pose(element, file_ + ": model '" + name + "'"), out);
    }
  }

 private:
  Xml link(Xml element, const std::string& prefix, const Pose& pose) const {
    if (prefix.empty()) return element;
    const std::string name = required(element, "name", file_ + ": a link");
    const Pose in_model = pose * read_sdf_pose(element, file_ + ": link '" + name + "'");
    element.set("name", inner_name(prefix, name));
    set_text(element, "pose",
             sdf_numbers(in_model.translation) + " " + sdf_numbers(to_roll_pitch_yaw(in_model.rotation)));
    return element;
  }

  // Its pose is in its child link and stays.
  Xml joint(Xml element, const std::string& prefix) const {
    if (prefix.empty()) return element;
    element.set("name", inner_name(prefix, required(element, "name", file_ + ": a joint")));
    for (const char* side : {"parent", "child"})
      if (const Xml* found = child(element, side)) set_text(element, side, inner_name(prefix, found->data()));
    for (auto& [tag, axis] : element)
      if (Xml* mimic = tag == "axis" ? child(axis, "mimic") : nullptr)
        if (const auto other = attribute(*mimic, "joint")) mimic->set("joint", inner_name(prefix, *other));
    return element;
  }

  const std::string& file_;
};

}  // namespace

std::string sdf_numbers(const Vec3& x) { return text(x.x()) + " " + text(x.y()) + " " + text(x.z()); }

Vec3 to_roll_pitch_yaw(const Mat3& r) {
  const double pitch = std::atan2(-r(2, 0), std::hypot(r(0, 0), r(1, 0)));
  if (std::hypot(r(0, 0), r(1, 0)) < 1e-12)  // looking straight up or down: yaw is free, take 0
    return {std::atan2(-r(1, 2), r(1, 1)), pitch, 0.0};
  return {std::atan2(r(2, 1), r(2, 2)), pitch, std::atan2(r(1, 0), r(0, 0))};
}

Pose read_sdf_pose(const Xml& element, const std::string& place) {
  const Xml* pose = child(element, "pose");
  if (!pose) return {};
  for (const char* name : {"relative_to", "frame"})
    if (const auto frame = attribute(*pose, name); frame && !frame->empty() && *frame != "__model__")
      throw InvalidInput(place + " <pose> is relative to '" + *frame +
                         "', which is not read; give it relative to the enclosing element");
  const Vec x = to_vector(pose->data(), 6, place + " <pose>");
  return {roll_pitch_yaw(x.tail<3>()), x.head<3>()};
}

Xml flat_sdf_model(const Xml& model, const std::string& file) {
  Xml out = model;
  for (const char* tag : {"link", "joint", "model", "include"}) out.erase(tag);
  Flattener(file).add(model, "", {}, out);
  return out;
}

}  // namespace stiction
