// SPDX-License-Identifier: BSD-2-Clause
// Friction directions that a user gives: columns (T1, T2, torsion), any length, that positively span. The friction of a contact is
//   (λ_T1, λ_T2, moment about N) = Σ β_k d_k,   β ≥ 0,   Σ β_k ≤ μ λ_N                                                      (1)
// so the limit surface is the polytope with the corners μ λ_N d_k: the length of a column is a factor of μ, a third entry a lever
// [m] of a friction moment. Without third entries they must positively span the plane, with them space: else some slip would
// meet no friction at all.
#pragma once

#include <stiction/base/types.h>

#include <string>
#include <vector>

namespace stiction {

struct FrictionDirections {
  std::vector<Vec3> columns;
  bool given() const { return !columns.empty(); }
  bool has_torsion() const;
};

// "1 0; -1 0; 0 .5; 0 -.5" or with a third number each; "" gives none. Throws InvalidInput.
FrictionDirections parse_directions(const std::string& text);

}  // namespace stiction
