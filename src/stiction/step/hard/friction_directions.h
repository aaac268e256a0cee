// SPDX-License-Identifier: BSD-2-Clause
// Friction directions that a user gives: columns (T1, T2, torsion), any length, that positively span. The friction of a contact is
//   (λ_T1, λ_T2, moment about N) = Σ β_k d_k,   β ≥ 0,   Σ β_k ≤ μ λ_N                                                      (1)
// so the limit surface is the polytope with the corners μ λ_N d_k: the length of a column is a factor of μ, a third entry a lever
// [m] of a friction moment. Without third entries they must positively span the plane, with them space: else some slip would
// meet no friction at all. Contacts of a body or a shape may have a set of their own, by its name.
#pragma once

#include <stiction/model/world/world.h>
#include <stiction/problem/block.h>

#include <string>
#include <vector>

namespace stiction {

struct FrictionDirections {
  std::vector<Vec3> columns;
  bool given() const { return !columns.empty(); }
  bool has_torsion() const;
};

// What contacts have which directions.
struct DirectionSets {
  struct Named {
    std::string name;
    FrictionDirections directions;
  };
  FrictionDirections general;  // of contacts without a set of their own
  std::vector<Named> named;
  std::vector<int> set_of_geom;  // index into `named`, -1 for none

  bool given() const { return general.given() || !named.empty(); }
  bool has_torsion() const;
  // Of a contact of two geoms: the set that comes first in the text, else the general one.
  const FrictionDirections& of(std::uint32_t geom_a, std::uint32_t geom_b) const;
};

// "1 0; -1 0; 0 .5; 0 -.5" or with a third number each; "" gives none. Sets are set apart by |; those of a body or shape begin
// with its name: "1 0; 0 1; -1 -1 | sled: .3 0; -.3 0; 0 .6; 0 -.6". Without a nameless set the others have the polygon of the
// law, inscribed or circumscribed. Throws InvalidInput, also for names that the world does not have.
DirectionSets parse_directions(const std::string& text, const World& world, const FrictionLaw& law, bool inscribed);

}  // namespace stiction
