// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/step/hard/friction_directions.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

namespace stiction {
namespace {

constexpr double kFlat = 1e-9;  // angles below count as zero [rad]

// Not called refuse: solver/core/solver.h has a function of that name for text literals.
[[noreturn]] void reject(const std::string& why) { throw InvalidInput("stepper 'stewart_trinkle': directions " + why); }

Vec3 parse_column(const std::string& text) {
  std::istringstream in(text);
  Vec3 column = Vec3::Zero();
  std::string word;
  int count = 0;
  for (; in >> word; ++count) {
    std::size_t used = 0;
    double value = NAN;
    try {
      value = std::stod(word, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used != word.size() || !std::isfinite(value)) reject("hold '" + word + "', expected a finite number");
    if (count < 3) column[count] = value;
  }
  if (count < 2 || count > 3)
    reject("hold a column of " + std::to_string(count) + " numbers, expected T1 T2 or T1 T2 torsion");
  if (column.isZero(0.0)) reject("hold a column of zeros, expected a direction");
  return column;
}

// Whether some y ≠ 0 has dᵀy ≥ 0 for all columns d. The cone of such y has an extreme ray on which dimension − 1 of the
// products vanish.
bool one_sided(const std::vector<Vec3>& columns, const Vec3& ray) {
  if (ray.norm() <= kFlat) return false;
  for (const Vec3& d : columns)
    if (d.normalized().dot(ray.normalized()) < -kFlat) return false;
  return true;
}

// Whether some three columns are independent; in the plane, some two.
bool span(const std::vector<Vec3>& columns, bool space) {
  for (const Vec3& a : columns)
    for (const Vec3& b : columns) {
      const Vec3 normal = a.normalized().cross(b.normalized());
      if (!space && normal.norm() > kFlat) return true;
      for (const Vec3& d : columns)
        if (space && std::abs(normal.dot(d.normalized())) > kFlat) return true;
    }
  return false;
}

bool positively_span(const std::vector<Vec3>& columns, bool space) {
  if (!span(columns, space)) return false;
  for (const Vec3& a : columns) {
    const Vec3 other = Vec3::UnitZ();
    if (!space && (one_sided(columns, a.cross(other)) || one_sided(columns, other.cross(a)))) return false;
    for (const Vec3& b : columns)
      if (space && one_sided(columns, a.normalized().cross(b.normalized()))) return false;
  }
  return true;
}

}  // namespace

bool FrictionDirections::has_torsion() const {
  for (const Vec3& d : columns)
    if (d.z() != 0.0) return true;
  return false;
}

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n"), last = text.find_last_not_of(" \t\n");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

FrictionDirections parse_set(const std::string& text) {
  FrictionDirections out;
  std::istringstream in(text);
  for (std::string column; std::getline(in, column, ';');) out.columns.push_back(parse_column(column));
  const bool space = out.has_torsion();
  if (!positively_span(out.columns, space))
    reject(std::string("do not positively span ") + (space ? "(T1, T2, torsion)" : "the tangent plane") +
           ": some slip would meet no friction");
  return out;
}

FrictionDirections polygon(const FrictionLaw& law, bool inscribed) {
  FrictionDirections out;
  const double half = std::numbers::pi / law.facets, turn = inscribed ? 0.0 : half;
  const double length = inscribed ? 1.0 : 1.0 / std::cos(half);
  for (int k = 0; k < law.facets; ++k) {
    const double angle = law.angle + turn + 2 * k * half;
    out.columns.push_back(Vec3(length * std::cos(angle), length * std::sin(angle), 0.0));
  }
  return out;
}

bool bears_name(const World& world, const Geom& geom, const std::string& name) {
  return geom.name == name || (geom.body != kWorldBody && world.bodies[geom.body].name == name);
}

void find_geoms(const World& world, DirectionSets& sets) {
  sets.set_of_geom.assign(world.geoms.size(), -1);
  for (int i = static_cast<int>(sets.named.size()) - 1; i >= 0; --i) {
    bool found = false;
    for (std::size_t g = 0; g < world.geoms.size(); ++g)
      if (bears_name(world, world.geoms[g], sets.named[i].name)) sets.set_of_geom[g] = i, found = true;
    if (!found) reject("name '" + sets.named[i].name + "', which is no body or shape of this world");
  }
}

}  // namespace

bool DirectionSets::has_torsion() const {
  bool any = general.has_torsion();
  for (const Named& n : named) any = any || n.directions.has_torsion();
  return any;
}

const FrictionDirections& DirectionSets::of(std::uint32_t geom_a, std::uint32_t geom_b) const {
  if (named.empty()) return general;
  const int a = set_of_geom[geom_a], b = set_of_geom[geom_b];
  const int chosen = a < 0 || b < 0 ? std::max(a, b) : std::min(a, b);
  return chosen < 0 ? general : named[chosen].directions;
}

DirectionSets parse_directions(const std::string& text, const World& world, const FrictionLaw& law, bool inscribed) {
  DirectionSets out;
  std::istringstream in(text);
  for (std::string set; std::getline(in, set, '|');) {
    const std::size_t colon = set.find(':');
    if (trimmed(set).empty()) reject("hold an empty set");
    if (colon != std::string::npos)
      out.named.push_back({trimmed(set.substr(0, colon)), parse_set(set.substr(colon + 1))});
    else if (out.general.given())
      reject("hold two sets without a name, expected 'NAME: ...' for all but one");
    else
      out.general = parse_set(set);
  }
  if (out.named.empty()) return out;
  find_geoms(world, out);
  if (!out.general.given()) out.general = polygon(law, inscribed);
  return out;
}

}  // namespace stiction
