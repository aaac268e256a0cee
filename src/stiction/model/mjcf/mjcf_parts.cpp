// SPDX-License-Identifier: BSD-2-Clause
// What an MJCF file says about pairs of its bodies and geoms.
//   contact:  two geoms collide if the contype of one meets the conaffinity of the other. Friction is that of the geom with the
//             higher priority, else the larger of the two; none if the larger condim is 1.
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf/mjcf.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <map>

namespace stiction {
namespace {

// Links by name; "world" is the worldbody.
class Links {
 public:
  Links(const RobotModel& robot, const std::string& file) : file_(file) {
    for (const Frame& f : robot.frames)
      if (by_name_.emplace(f.name, f).second) names_.push_back(f.name);
    by_name_.emplace("world", Frame{"world", kWorldBody, {}});
  }
  const Frame& find(const std::string& name, const std::string& place) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) throw InvalidInput(file_ + ": " + place + ": " + unknown_name("body", name, names_));
    return found->second;
  }

 private:
  const std::string& file_;
  std::map<std::string, Frame> by_name_;
  std::vector<std::string> names_;
};

double friction(const MjcfSurface& a, const MjcfSurface& b) {
  if (a.priority != b.priority) {
    const MjcfSurface& winner = a.priority > b.priority ? a : b;
    return winner.condim == 1 ? 0.0 : winner.friction;
  }
  return std::max(a.condim, b.condim) == 1 ? 0.0 : std::max(a.friction, b.friction);
}

// One material per kind of surface, and a pair of materials where the kinds meet.
void add_surfaces(MjcfModel& model) {
  std::vector<MjcfSurface> kinds = model.surfaces;
  std::sort(kinds.begin(), kinds.end());
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  RobotModel& robot = model.robot;
  for (const MjcfSurface& s : kinds) {
    std::string name = "friction " + text(s.friction);
    if (s.condim != 3) name += " condim " + std::to_string(s.condim);
    if (s.priority != 0) name += " priority " + std::to_string(s.priority);
    robot.materials.push_back({name, {}});
    robot.materials.back().values.mu = s.friction;
  }
  for (const MjcfSurface& s : model.surfaces)
    robot.material_of.push_back(static_cast<int>(std::lower_bound(kinds.begin(), kinds.end(), s) - kinds.begin()));
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (std::size_t j = i; j < kinds.size(); ++j)
      robot.material_pairs.push_back({static_cast<int>(i), static_cast<int>(j), friction(kinds[i], kinds[j])});
}

}  // namespace

void add_mjcf_contacts(const MjcfDocument& document, MjcfModel& model) {
  const auto& masks = model.masks;
  for (std::size_t i = 0; i < masks.size(); ++i)
    for (std::size_t j = i + 1; j < masks.size(); ++j)
      if ((masks[i].first & masks[j].second) == 0 && (masks[j].first & masks[i].second) == 0)
        model.robot.excluded_geoms.emplace_back(static_cast<int>(i), static_cast<int>(j));
  const Links links(model.robot, document.file());
  for (const Xml* contact : children(document.mujoco(), "contact"))
    for (const Xml* exclude : children(*contact, "exclude"))
      model.robot.excluded_bodies.emplace_back(
          links.find(required(*exclude, "body1", document.file() + ": <exclude>"), "<exclude>").body,
          links.find(required(*exclude, "body2", document.file() + ": <exclude>"), "<exclude>").body);
  add_surfaces(model);
}

}  // namespace stiction
