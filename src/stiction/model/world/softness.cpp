// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/model/world/draft.h>

#include <algorithm>

namespace stiction {
namespace {

// `more` behind what belongs to others: entries without a file are rigid.
template <class T>
void append_after(std::vector<T>& list, std::size_t before, const std::vector<T>& more) {
  list.resize(before);
  list.insert(list.end(), more.begin(), more.end());
}

// Where two materials meet: what the file says of the pair, else of the one that is from a file.
Softness of_pair(const Draft& draft, const std::string& a, const std::string& b) {
  const std::pair<std::string, std::string> keys[] = {std::minmax(a, b), {a, ""}, {b, ""}};
  for (const auto& key : keys)
    if (const auto found = draft.softness.find(key); found != draft.softness.end()) return found->second;
  return {};
}

// A free body that was added by itself moves with its mass.
void weigh_free_bodies(World& w) {
  for (std::size_t i = 0; i < w.geoms.size(); ++i) {
    const BodyId body = w.geoms[i].body;
    if (body == kWorldBody || w.trees[w.bodies[body].tree].robot >= 0) continue;
    w.softness.geoms[i] = 1.0 / w.bodies[body].inertia.mass;
  }
}

}  // namespace

void append_softness(Draft& draft, const RobotModel& r, const std::string& prefix, bool surfaces) {
  World& w = draft.world;
  const WorldSoftness& s = r.softness;
  if (s.limits.empty() && s.geoms.empty()) return;
  append_after(w.softness.limits, static_cast<std::size_t>(w.nv - r.nv), s.limits);
  append_after(w.softness.friction, static_cast<std::size_t>(w.nv - r.nv), s.friction);
  append_after(w.softness.geoms, w.geoms.size() - r.geoms.size(), s.geoms);
  append_after(w.softness.loops, w.loops.size() - r.loops.size(), s.loops);
  append_after(w.softness.couplings, w.couplings.size() - r.couplings.size(), s.couplings);
  if (!surfaces) return;
  for (const FileMaterial& m : r.materials) draft.softness[{prefix + m.name, ""}] = m.softness;
  for (const FileMaterialPair& p : r.material_pairs)
    draft.softness[std::minmax(prefix + r.materials[p.a].name, prefix + r.materials[p.b].name)] = p.softness;
}

void complete_softness(const Draft& draft, World& w) {
  WorldSoftness& s = w.softness;
  if (s.limits.empty() && s.geoms.empty()) return;
  s.limits.resize(static_cast<std::size_t>(w.nv)), s.friction.resize(static_cast<std::size_t>(w.nv));
  s.geoms.resize(w.geoms.size()), s.loops.resize(w.loops.size()), s.couplings.resize(w.couplings.size());
  weigh_free_bodies(w);
  for (const std::string& a : w.material_names)
    for (const std::string& b : w.material_names) s.contacts.push_back(of_pair(draft, a, b));
}

}  // namespace stiction
