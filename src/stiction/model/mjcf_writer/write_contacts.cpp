// SPDX-License-Identifier: BSD-2-Clause
// Friction, margin and softness where geoms meet. Friction of two geoms is the larger one in MJCF, margins add, softness is the mean:
// where the table of materials says something else, or resists spin and roll, their geoms meet by <pair>.
#include <stiction/model/mjcf_writer/mjcf_filters.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr std::size_t kMostPairs = 200000;

// What a geom of each material says.
class Surfaces {
 public:
  Surfaces(MjcfText& text, const MjcfFilters& filters) : text_(text), w_(text.world), m_(w_.material_names.size()) {
    used_.assign(m_ * m_, false);
    for (std::size_t i = 0; i < w_.geoms.size(); ++i)
      for (std::size_t j = i + 1; j < w_.geoms.size(); ++j)
        if (filters.meet(i, j)) used_[at(i, j)] = used_[at(j, i)] = true;
    choose();
    for (std::size_t a = 0; a < m_; ++a)
      for (std::size_t b = a; b < m_; ++b)
        if (used_[a * m_ + b]) tell(a, b);
  }

  std::size_t at(std::size_t geom_a, std::size_t geom_b) const {
    return static_cast<std::size_t>(w_.geoms[geom_a].material) * m_ +
           static_cast<std::size_t>(w_.geoms[geom_b].material);
  }

  // Whether the rules of MJCF give what the table says.
  bool agrees(std::size_t i, std::size_t j) const {
    const auto a = static_cast<std::size_t>(w_.geoms[i].material), b = static_cast<std::size_t>(w_.geoms[j].material);
    const PairMaterial& pair = w_.pair_materials[a * m_ + b];
    if (pair.mu_torsion != 0.0 || pair.mu_rolling != 0.0) return false;
    if (std::max(mu_[a], mu_[b]) != pair.mu || margin_[a] + margin_[b] != pair.margin) return false;
    return w_.softness.empty() || same_softness(a, b);
  }

  void set(std::size_t i, Xml& geom) const {
    const auto a = static_cast<std::size_t>(w_.geoms[i].material);
    set_friction(mu_[a], geom);
    if (margin_[a] != 0.0) geom.set("margin", text(margin_[a]));
    if (!w_.softness.empty()) set_softness(geom, w_.softness.contacts[a * m_ + a], "solref", "solimp");
  }

  void set_pair(std::size_t i, std::size_t j, Xml& pair) const {
    const PairMaterial& p = w_.pair_materials[at(i, j)];
    if (p.mu == 0.0)
      pair.set("condim", "1");
    else if (p.mu_torsion == 0.0 && p.mu_rolling == 0.0)
      pair.set("friction", text(p.mu) + " " + text(p.mu) + " 0.005 0.0001 0.0001");
    else
      set_turning(p, pair);
    if (p.margin != 0.0) pair.set("margin", text(p.margin));
    if (!w_.softness.empty()) set_softness(pair, w_.softness.contacts[at(i, j)], "solref", "solimp");
  }

 private:
  static void set_friction(double mu, Xml& geom) {
    if (mu == 0.0)
      geom.set("condim", "1");  // MuJoCo's least friction is 1e-5
    else
      set_number(geom, "friction", mu, 1.0);
  }

  static void set_turning(const PairMaterial& p, Xml& pair) {
    pair.set("condim", p.mu_rolling > 0.0 ? "6" : "4");
    const std::string slide = text(p.mu), roll = text(p.mu_rolling);
    pair.set("friction", slide + " " + slide + " " + text(p.mu_torsion) + " " + roll + " " + roll);
  }

  // The smallest friction of a material with those that it meets; half of its margin with itself.
  void choose() {
    mu_.assign(m_, kInfinity), margin_.assign(m_, 0.0);
    for (std::size_t a = 0; a < m_; ++a) {
      for (std::size_t b = 0; b < m_; ++b)
        if (used_[a * m_ + b]) mu_[a] = std::min(mu_[a], w_.pair_materials[a * m_ + b].mu);
      if (!std::isfinite(mu_[a])) mu_[a] = w_.pair_materials[a * m_ + a].mu;
      margin_[a] = 0.5 * w_.pair_materials[a * m_ + a].margin;
    }
  }

  bool same_softness(std::size_t a, std::size_t b) const {
    const auto& table = w_.softness.contacts;
    const Softness &first = table[a * m_ + a], &second = table[b * m_ + b], &both = table[a * m_ + b];
    if (!both.given) return true;
    if (!first.given || !second.given) return false;
    const bool times = first.reference[0] > 0.0 && second.reference[0] > 0.0;
    const Vec2 mean =
        times ? Vec2(0.5 * first.reference + 0.5 * second.reference) : Vec2(first.reference.cwiseMin(second.reference));
    bool same = mean == both.reference;
    for (std::size_t k = 0; k < both.impedance.size(); ++k)
      same = same && 0.5 * first.impedance[k] + 0.5 * second.impedance[k] == both.impedance[k];
    return same;
  }

  void tell(std::size_t a, std::size_t b) {
    const PairMaterial& p = w_.pair_materials[a * m_ + b];
    const std::string name = "'" + w_.material_names[a] + "' on '" + w_.material_names[b] + "'";
    const auto missing = [&](const char* what) {
      text_.tell(std::string("left out: ") + what + " of materials", name);
    };
    if (p.mu_static != p.mu) missing("static friction (mu_static)");
    if (p.restitution != 0.0) missing("restitution");
    if (p.restitution_tangential != 0.0) missing("tangential restitution");
    if (std::isfinite(p.stiffness) || p.damping != 0.0) missing("stiffness and damping");
  }

  MjcfText& text_;
  const World& w_;
  std::size_t m_;
  std::vector<bool> used_;  // pairs of materials that meet
  std::vector<double> mu_, margin_;
};

// The cone of files: a pyramid makes contacts of three rows softer by 1/(2 impratio).
void set_cone(MjcfText& text) {
  const auto& table = text.world.softness.contacts;
  double pyramid = -1.0;
  for (const Softness& s : table)
    if (s.given && s.pyramid > 0.0) pyramid = std::max(pyramid, s.pyramid);
  if (pyramid < 0.0) return text.option.set("cone", "elliptic");
  if (pyramid != 0.5) text.option.set("impratio", ::stiction::text(0.5 / pyramid));
}

}  // namespace

void write_mjcf_contacts(MjcfText& text) {
  const MjcfFilters filters(text);
  const Surfaces surfaces(text, filters);
  set_cone(text);
  const std::size_t n = text.world.geoms.size();
  auto pairs = filters.pairs();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      if (filters.meet(i, j) && !surfaces.agrees(i, j)) pairs.emplace(i, j);
  if (pairs.size() > kMostPairs) {
    text.tell("left out: friction of pairs of materials, which would need " + std::to_string(pairs.size()) + " <pair>s",
              "all");
    pairs = filters.pairs();
  }
  std::map<BodyId, std::size_t> at;  // geoms of a body stand in the order of the world
  for (std::size_t i = 0; i < n; ++i) {
    const BodyId body = text.world.geoms[i].body;
    Xml& geom = text.parts_of(body).geoms[at[body]++].second;
    const auto [type, affinity] = filters.masks_of(i);
    if (type != 1) geom.set("contype", std::to_string(type));
    if (affinity != 1) geom.set("conaffinity", std::to_string(affinity));
    surfaces.set(i, geom);
  }
  for (const auto& [i, j] : pairs) {
    Xml pair;
    pair.set("geom1", text.geom_names[i]);
    pair.set("geom2", text.geom_names[j]);
    surfaces.set_pair(i, j, pair);
    text.contact.push_back({"pair", std::move(pair)});
  }
}

}  // namespace stiction
