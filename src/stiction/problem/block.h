// SPDX-License-Identifier: BSD-2-Clause
// Rows of a contact problem come in blocks; each block obeys its own set.
//   coulomb     3 rows (T1, T2, N)   λ in the friction set of the law with coefficient mu
//   patch       4 to 6 rows          a contact that resists spin and roll as well; laws coulomb and convex
//               (T1, T2, S, N), (T1, T2, R1, R2, N) or (T1, T2, S, R1, R2, N): S about the normal, R about the tangents,
//               scaled by the arms a_S = μ_torsion/μ and a_R = μ_rolling/μ [m]: u = a ω [m/s], λ = torque impulse/a [N s],
//               so that friction is one circular cone, ‖λ_T‖ ≤ μ λ_N with T all rows but the last
//   unilateral  1 row                0 ≤ λ ⟂ u ≥ 0
//   bilateral   k rows               u = 0, λ free
//   box         1 row                lo ≤ λ ≤ hi;  λ = lo ⇒ u ≥ 0, λ = hi ⇒ u ≤ 0, else u = 0   (bounds are impulses)
#pragma once

#include <cstdint>

namespace stiction {

enum class BlockKind : std::uint8_t { coulomb, unilateral, bilateral, box, patch };

inline constexpr int kMostPatchRows = 6;

constexpr const char* name(BlockKind k) {
  switch (k) {
    case BlockKind::coulomb:
      return "coulomb";
    case BlockKind::unilateral:
      return "unilateral";
    case BlockKind::bilateral:
      return "bilateral";
    case BlockKind::box:
      return "box";
    case BlockKind::patch:
      return "patch";
  }
  return "unknown";
}

struct Block {
  BlockKind kind = BlockKind::coulomb;
  bool angular = false;       // rows are rad/s and N m s instead of m/s and N s: the judge scales them apart
  int row = 0;                // first row in the problem
  int size = 3;               // number of rows
  double mu = 0.0;            // coulomb, patch: friction coefficient μ ≥ 0 [-]
  double lo = 0.0, hi = 0.0;  // box: bounds of λ [N s]
  double spin_arm = 1.0, roll_arm = 1.0;  // patch: a_S and a_R [m]; the judge needs them to see rad/s

  static Block coulomb(int row, double mu) { return {BlockKind::coulomb, false, row, 3, mu, 0.0, 0.0}; }
  static Block patch(int row, int size, double mu, double spin_arm = 1.0, double roll_arm = 1.0) {
    return {BlockKind::patch, false, row, size, mu, 0.0, 0.0, spin_arm, roll_arm};
  }
  static Block unilateral(int row, bool angular = false) {
    return {BlockKind::unilateral, angular, row, 1, 0.0, 0.0, 0.0};
  }
  static Block bilateral(int row, int size, bool angular = false) {
    return {BlockKind::bilateral, angular, row, size, 0.0, 0.0, 0.0};
  }
  static Block box(int row, double lo, double hi, bool angular = false) {
    return {BlockKind::box, angular, row, 1, 0.0, lo, hi};
  }

  // Of a tangential row of a patch: 1 for T1 and T2, else its arm.
  double arm(int r) const { return r < 2 ? 1.0 : (r == 2 && size != 5 ? spin_arm : roll_arm); }
};

// What "solved" means for the coulomb blocks (docs/laws.md).
struct FrictionLaw {
  enum Kind : std::uint8_t { coulomb, convex, pyramid, raisim } kind = coulomb;
  int facets = 4;      // pyramid only
  double angle = 0.0;  // pyramid only: rotation of its first axis from T1 about N [rad]
};

constexpr const char* name(FrictionLaw::Kind k) {
  switch (k) {
    case FrictionLaw::coulomb:
      return "coulomb";
    case FrictionLaw::convex:
      return "convex";
    case FrictionLaw::pyramid:
      return "pyramid";
    case FrictionLaw::raisim:
      return "raisim";
  }
  return "unknown";
}

}  // namespace stiction
