// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/step/hard/friction_directions.h>

#include <cmath>
#include <sstream>

namespace stiction {
namespace {

constexpr double kFlat = 1e-9;  // angles below count as zero [rad]

[[noreturn]] void refuse(const std::string& why) { throw InvalidInput("stepper 'stewart_trinkle': directions " + why); }

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
    if (used != word.size() || !std::isfinite(value)) refuse("hold '" + word + "', expected a finite number");
    if (count < 3) column[count] = value;
  }
  if (count < 2 || count > 3)
    refuse("hold a column of " + std::to_string(count) + " numbers, expected T1 T2 or T1 T2 torsion");
  if (column.isZero(0.0)) refuse("hold a column of zeros, expected a direction");
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

FrictionDirections parse_directions(const std::string& text) {
  FrictionDirections out;
  if (text.empty()) return out;
  std::istringstream in(text);
  for (std::string column; std::getline(in, column, ';');) out.columns.push_back(parse_column(column));
  const bool space = out.has_torsion();
  if (!positively_span(out.columns, space))
    refuse(std::string("do not positively span ") + (space ? "(T1, T2, torsion)" : "the tangent plane") +
           ": some slip would meet no friction");
  return out;
}

}  // namespace stiction
