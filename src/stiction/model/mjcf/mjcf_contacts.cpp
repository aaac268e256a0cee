// SPDX-License-Identifier: BSD-2-Clause
// Who collides with whom in an MJCF file, and with which surface. Two geoms collide if
//   - a <pair> names them: always, with the numbers of the pair (friction 1, condim 3, margin 0 unless given), or
//   - the contype of one has a bit of the conaffinity of the other, their bodies differ, neither is the other's parent
//     (exclusions.cpp), and no <exclude> names the two bodies. An <exclude> means the bodies of the file: links that are welded
//     to them, or static, count by their own names.
// Friction is that of the geom with the higher priority, else the larger of the two; none if the larger condim is 1.
// Margins add: the surfaces touch at that distance.
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf/mjcf_softness.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <sstream>

namespace stiction {
namespace {

double friction(const MjcfSurface& a, const MjcfSurface& b) {
  if (a.priority != b.priority) {
    const MjcfSurface& winner = a.priority > b.priority ? a : b;
    return winner.condim == 1 ? 0.0 : winner.friction;
  }
  return std::max(a.condim, b.condim) == 1 ? 0.0 : std::max(a.friction, b.friction);
}

class Contacts {
 public:
  Contacts(const MjcfDocument& document, MjcfModel& model) : document_(document), model_(model) {
    for (std::size_t i = 0; i < model.geom_names.size(); ++i)
      geoms_[model.geom_names[i]].push_back(static_cast<int>(i));
    geoms_.erase("");
    for (std::size_t i = 0; i < model.robot.frames.size(); ++i)
      links_.emplace(model.robot.frames[i].name, static_cast<int>(i));
    links_.emplace("world", -1);
  }

  void run() {
    exclude_by_masks();
    for (const Xml* contact : children(document_.mujoco(), "contact")) {
      for (const Xml* exclude : children(*contact, "exclude")) exclude_bodies(*exclude);
      for (const Xml* pair : children(*contact, "pair")) read_pair(document_.resolve("pair", *pair, ""));
    }
    add_surfaces();
  }

 private:
  struct Pair {
    int a, b;  // geoms
    double mu, margin;
    Softness softness;
  };

  void exclude_by_masks() {
    const auto& masks = model_.masks;
    for (std::size_t i = 0; i < masks.size(); ++i)
      for (std::size_t j = i + 1; j < masks.size(); ++j)
        if ((masks[i].first & masks[j].second) == 0 && (masks[j].first & masks[i].second) == 0)
          model_.robot.excluded_geoms.emplace_back(static_cast<int>(i), static_cast<int>(j));
  }

  int link(const Xml& exclude, const char* side) const {
    const std::string place = exclude.place() + ": <exclude>", name = required(exclude, side, place);
    const auto found = links_.find(name);
    if (found != links_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [key, index] : links_) known.push_back(key);
    throw InvalidInput(place + ": " + unknown_name("body", name, known));
  }

  void exclude_bodies(const Xml& exclude) {
    const int a = link(exclude, "body1"), b = link(exclude, "body2");
    const auto& origins = model_.robot.origins;
    for (std::size_t i = 0; i < origins.size(); ++i)
      for (std::size_t j = 0; j < origins.size(); ++j)
        if (origins[i].link == a && origins[j].link == b && i != j)
          model_.robot.excluded_geoms.emplace_back(static_cast<int>(std::min(i, j)), static_cast<int>(std::max(i, j)));
  }

  void read_pair(const Xml& element) {
    const std::string place = element.place() + ": <pair>";
    const auto number = [&](const char* name, double otherwise) {
      const std::string value = attribute(element, name).value_or("");
      const std::size_t first = value.find_first_not_of(" \t\r\n");
      if (first == std::string::npos) return otherwise;
      return to_number(value.substr(first, value.find_first_of(" \t\r\n", first) - first), place + " " + name);
    };
    const double mu = number("condim", 3.0) == 1.0 ? 0.0 : number("friction", 1.0), margin = number("margin", 0.0);
    check_not_negative(place + " friction", mu);
    std::istringstream in(attribute(element, "friction").value_or(""));
    if (double one = 0.0, two = 0.0; in >> one >> two && one != two)
      model_.robot.warnings.push_back(place + ": left out: the friction along its second direction");
    Softness softness = read_softness(element, "solref", "solimp", place);
    softness.pyramid = pyramid_scale(document_, static_cast<int>(number("condim", 3.0)));
    for (const int a : geoms(element, "geom1", place))
      for (const int b : geoms(element, "geom2", place)) {
        pairs_.push_back({a, b, mu, margin, softness});
        model_.robot.forced_geoms.emplace_back(a, b);
      }
  }

  // Several where a mesh became several hulls; none if contacts are disabled.
  const std::vector<int>& geoms(const Xml& pair, const char* side, const std::string& place) const {
    static const std::vector<int> none;
    const std::string name = required(pair, side, place);
    const auto found = geoms_.find(name);
    if (found != geoms_.end()) return found->second;
    if (!document_.options().contact) return none;
    std::vector<std::string> known;
    for (const auto& [key, ignored] : geoms_) known.push_back(key);
    throw InvalidInput(place + ": " + unknown_name("geom", name, known));
  }

  // One material per kind of surface, and a pair of materials where the kinds meet. Geoms of a <pair> are kinds of their own.
  void add_surfaces() {
    for (const Pair& pair : pairs_) model_.surfaces[pair.a].own = pair.a + 1, model_.surfaces[pair.b].own = pair.b + 1;
    std::vector<MjcfSurface> kinds = model_.surfaces;
    std::sort(kinds.begin(), kinds.end());
    kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
    RobotModel& robot = model_.robot;
    for (const MjcfSurface& s : kinds) {
      robot.materials.push_back({name_of(s), {}, mix_softness(document_, s, s)});
      robot.materials.back().values.mu = s.friction;
      if (s.margin != 0.0) robot.materials.back().values.margin = s.margin;
    }
    for (const MjcfSurface& s : model_.surfaces)
      robot.material_of.push_back(static_cast<int>(std::lower_bound(kinds.begin(), kinds.end(), s) - kinds.begin()));
    for (std::size_t i = 0; i < kinds.size(); ++i)
      for (std::size_t j = i; j < kinds.size(); ++j)
        robot.material_pairs.push_back({static_cast<int>(i), static_cast<int>(j), friction(kinds[i], kinds[j]),
                                        kinds[i].margin + kinds[j].margin,
                                        mix_softness(document_, kinds[i], kinds[j])});
    for (const Pair& pair : pairs_)  // later entries win
      robot.material_pairs.push_back(
          {robot.material_of[pair.a], robot.material_of[pair.b], pair.mu, pair.margin, pair.softness});
  }

  std::string name_of(const MjcfSurface& s) const {
    std::string name = "friction " + text(s.friction);
    if (s.condim != 3) name += " condim " + std::to_string(s.condim);
    if (s.priority != 0) name += " priority " + std::to_string(s.priority);
    if (s.margin != 0.0) name += " margin " + text(s.margin);
    const MjcfSurface usual;
    if (s.solref != usual.solref || s.solimp != usual.solimp || s.solmix != usual.solmix) {
      name += " solref";
      for (const double x : s.solref) name += " " + text(x);
      name += " solimp";
      for (const double x : s.solimp) name += " " + text(x);
      if (s.solmix != usual.solmix) name += " solmix " + text(s.solmix);
    }
    if (s.own != 0) name += " geom " + model_.geom_names[s.own - 1] + " " + std::to_string(s.own);
    return name;
  }

  const MjcfDocument& document_;
  MjcfModel& model_;
  std::map<std::string, std::vector<int>> geoms_;
  std::map<std::string, int> links_;
  std::vector<Pair> pairs_;
};

}  // namespace

void add_mjcf_contacts(const MjcfDocument& document, MjcfModel& model) { Contacts(document, model).run(); }

}  // namespace stiction
