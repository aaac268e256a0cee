// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/world/checks.h>
#include <stiction/model/world/materials.h>

#include <algorithm>

namespace stiction {
namespace {

using Value = std::optional<double>;

// Rules 1-3 for one value; `larger` says which of two named values is taken.
Value choose(const Value& a, const Value& b, const Value& pair, bool larger) {
  if (pair) return pair;
  if (a && b) return larger ? std::max(*a, *b) : std::min(*a, *b);
  return a ? a : b;
}

Value static_friction(const MaterialValues& m) { return m.mu_static ? m.mu_static : m.mu; }

// A key that is equal for equal values; −1 stands for "not named" (every value is ≥ 0).
std::vector<double> key(const MaterialValues& m) {
  return {m.mu.value_or(-1),        m.mu_static.value_or(-1),  m.restitution.value_or(-1),
          m.stiffness.value_or(-1), m.damping.value_or(-1),    m.restitution_tangential.value_or(-1),
          m.margin.value_or(-1),    m.mu_torsion.value_or(-1), m.mu_rolling.value_or(-1)};
}

void check_share(const std::string& field, const Value& x) {
  if (x && !(*x >= 0.0 && *x <= 1.0)) throw InvalidInput(field + " is " + text(*x) + ", expected a number from 0 to 1");
}

}  // namespace

bool names_nothing(const MaterialValues& m) {
  return !m.mu && !m.mu_static && !m.restitution && !m.stiffness && !m.damping && !m.restitution_tangential &&
         !m.margin && !m.mu_torsion && !m.mu_rolling;
}

void check_material(const std::string& owner, const MaterialValues& m) {
  if (m.mu) check_not_negative(owner + ".mu", *m.mu);
  if (m.mu_static) check_not_negative(owner + ".mu_static", *m.mu_static);
  if (m.mu_torsion) check_not_negative(owner + ".mu_torsion", *m.mu_torsion);
  if (m.mu_rolling) check_not_negative(owner + ".mu_rolling", *m.mu_rolling);
  check_share(owner + ".restitution", m.restitution);
  check_share(owner + ".restitution_tangential", m.restitution_tangential);
  if (m.stiffness) check_stiffness(owner + ".stiffness", *m.stiffness);
  if (m.damping) check_not_negative(owner + ".damping", *m.damping);
}

PairMaterial combine(const MaterialValues& a, const MaterialValues& b, const MaterialValues& pair) {
  PairMaterial out;
  out.mu = choose(a.mu, b.mu, pair.mu, false).value_or(0.8);
  out.mu_static =
      std::max(out.mu, choose(static_friction(a), static_friction(b), static_friction(pair), false).value_or(out.mu));
  out.restitution = choose(a.restitution, b.restitution, pair.restitution, true).value_or(0.0);
  out.restitution_tangential =
      choose(a.restitution_tangential, b.restitution_tangential, pair.restitution_tangential, true).value_or(0.0);
  out.stiffness = choose(a.stiffness, b.stiffness, pair.stiffness, false).value_or(kInfinity);
  out.margin = choose(a.margin, b.margin, pair.margin, true).value_or(0.0);
  out.mu_torsion = choose(a.mu_torsion, b.mu_torsion, pair.mu_torsion, false).value_or(0.0);
  out.mu_rolling = choose(a.mu_rolling, b.mu_rolling, pair.mu_rolling, false).value_or(0.0);
  out.damping = choose(a.damping, b.damping, pair.damping, true).value_or(0.0);
  return out;
}

MaterialTable::MaterialTable() {
  entries_.push_back({"default", {}, true, false, true});
  by_values_[key({})] = 0;
}

int MaterialTable::named(const std::string& name) {
  const auto [at, added] = by_name_.try_emplace(name, static_cast<int>(entries_.size()));
  if (added) entries_.push_back({name, {}, false, false, false});
  return at->second;
}

void MaterialTable::describe(const std::string& name, const MaterialValues& values) {
  if (name.empty()) throw InvalidInput("material name is empty, expected a name");
  check_material("material '" + name + "'", values);
  const auto at = by_name_.find(name);
  if (at != by_name_.end() && entries_[at->second].described)
    throw InvalidInput("material '" + name + "' is already described; give the second one another name");
  Entry& entry = entries_[named(name)];
  entry.values = values;
  entry.described = true;
}

void MaterialTable::set_pair(const std::string& a, const std::string& b, const MaterialValues& values) {
  if (a.empty() || b.empty()) throw InvalidInput("material pair ('" + a + "', '" + b + "') needs two names");
  check_material("material pair ('" + a + "', '" + b + "')", values);
  const int i = named(a), j = named(b);
  entries_[i].paired = entries_[j].paired = true;
  pairs_[std::minmax(i, j)] = values;
}

void MaterialTable::check(const std::string& owner, const std::string& name, const MaterialValues& values) {
  if (!name.empty() && !names_nothing(values))
    throw InvalidInput(owner + " gives material '" + name +
                       "' and values of its own (mu, restitution, …); give one of both");
  check_material(owner, values);
}

int MaterialTable::index(const std::string& name, const MaterialValues& values) {
  if (!name.empty()) return named(name);
  const auto [at, added] = by_values_.try_emplace(key(values), static_cast<int>(entries_.size()));
  if (added) entries_.push_back({"anonymous " + std::to_string(at->second), values, true, false, true});
  return at->second;
}

void MaterialTable::check_known(int index) const {
  const Entry& entry = entries_[index];
  if (entry.described || entry.paired) return;
  std::vector<std::string> known;
  for (const Entry& e : entries_)
    if (!e.anonymous && (e.described || e.paired)) known.push_back(e.name);
  throw InvalidInput(unknown_name("material", entry.name, known));
}

void MaterialTable::compile(const std::vector<int>& used, World& world) const {
  for (const int i : used) check_known(i);
  const int n = static_cast<int>(entries_.size());
  world.material_names.clear();
  for (const Entry& e : entries_) world.material_names.push_back(e.name);
  world.pair_materials.clear();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const auto pair = pairs_.find(std::minmax(i, j));
      world.pair_materials.push_back(
          combine(entries_[i].values, entries_[j].values, pair == pairs_.end() ? MaterialValues{} : pair->second));
    }
}

}  // namespace stiction
