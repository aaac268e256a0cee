// SPDX-License-Identifier: BSD-2-Clause
// Who collides with whom in an MJCF file, and with which surface. Two geoms collide if
//   - a <pair> names them: always, with the numbers of the pair (friction 1, condim 3, margin 0 unless given), or
//   - the contype of one has a bit of the conaffinity of the other, their bodies differ, neither is the other's parent
//     (exclusions.cpp), and no <exclude> names the two bodies. An <exclude> means the bodies of the file: links that are welded
//     to them, or static, count by their own names.
// Friction is that of the geom with the higher priority, else the larger of the two, number by number; none if the larger condim is 1,
// of spin from condim 4 on, of roll from condim 6 on.
// Margins add: the surfaces touch at that distance.
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf/mjcf_geoms.h>
#include <stiction/model/mjcf/mjcf_softness.h>
#include <stiction/model/world/checks.h>

#include <algorithm>

namespace stiction {
namespace {

struct Friction {
  double slide, torsion, rolling;
};

// What a condim leaves of them.
Friction limited(int condim, const Friction& f) {
  return {condim == 1 ? 0.0 : f.slide, condim >= 4 ? f.torsion : 0.0, condim >= 6 ? f.rolling : 0.0};
}

Friction friction(const MjcfSurface& a, const MjcfSurface& b) {
  if (a.priority != b.priority) {
    const MjcfSurface& winner = a.priority > b.priority ? a : b;
    return limited(winner.condim, {winner.friction, winner.torsion, winner.rolling});
  }
  return limited(std::max(a.condim, b.condim),
                 {std::max(a.friction, b.friction), std::max(a.torsion, b.torsion), std::max(a.rolling, b.rolling)});
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
    Friction friction;
    double margin;
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
    const double margin = number("margin", 0.0);
    const int condim = static_cast<int>(number("condim", 3.0));
    std::array<double, 5> five{1.0, 1.0, 0.005, 0.0001, 0.0001};  // T1, T2, spin, roll about T1, about T2
    read_list(element, "friction", place, five);
    for (const double x : five) check_not_negative(place + " friction", x);
    const Friction mu = limited(condim, {five[0], five[2], five[3]});
    if (condim > 1 && five[0] != five[1])
      model_.robot.warnings.push_back(place + ": left out: the friction along its second direction");
    if (condim >= 6 && five[3] != five[4])
      model_.robot.warnings.push_back(place + ": left out: the rolling friction about its second direction");
    Softness softness = read_softness(element, "solref", "solimp", place);
    softness.pyramid = pyramid_scale(document_, condim);
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
    const auto turns = [](const MjcfSurface& s) { return s.condim >= 4; };
    if (std::none_of(model_.surfaces.begin(), model_.surfaces.end(), turns))  // then these numbers never act
      for (MjcfSurface& s : model_.surfaces) s.torsion = MjcfSurface{}.torsion, s.rolling = MjcfSurface{}.rolling;
    std::vector<MjcfSurface> kinds = model_.surfaces;
    std::sort(kinds.begin(), kinds.end());
    kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
    RobotModel& robot = model_.robot;
    for (const MjcfSurface& s : kinds) {
      robot.materials.push_back({name_of(s), {}, mix_softness(document_, s, s)});
      robot.materials.back().values.mu = s.friction;
      if (s.condim >= 4) robot.materials.back().values.mu_torsion = s.torsion;
      if (s.condim >= 6) robot.materials.back().values.mu_rolling = s.rolling;
      if (s.margin != 0.0) robot.materials.back().values.margin = s.margin;
    }
    for (const MjcfSurface& s : model_.surfaces)
      robot.material_of.push_back(static_cast<int>(std::lower_bound(kinds.begin(), kinds.end(), s) - kinds.begin()));
    for (std::size_t i = 0; i < kinds.size(); ++i)
      for (std::size_t j = i; j < kinds.size(); ++j)
        add_pair(static_cast<int>(i), static_cast<int>(j), friction(kinds[i], kinds[j]),
                 kinds[i].margin + kinds[j].margin, mix_softness(document_, kinds[i], kinds[j]));
    for (const Pair& pair : pairs_)  // later entries win
      add_pair(robot.material_of[pair.a], robot.material_of[pair.b], pair.friction, pair.margin, pair.softness);
  }

  void add_pair(int a, int b, const Friction& f, double margin, const Softness& softness) {
    model_.robot.material_pairs.push_back({a, b, f.slide, margin, f.torsion, f.rolling, softness});
  }

  std::string name_of(const MjcfSurface& s) const {
    std::string name = "friction " + text(s.friction);
    const MjcfSurface usual;
    if (s.torsion != usual.torsion) name += " torsion " + text(s.torsion);
    if (s.rolling != usual.rolling) name += " rolling " + text(s.rolling);
    if (s.condim != 3) name += " condim " + std::to_string(s.condim);
    if (s.priority != 0) name += " priority " + std::to_string(s.priority);
    if (s.margin != 0.0) name += " margin " + text(s.margin);
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
