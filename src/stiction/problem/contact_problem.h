// SPDX-License-Identifier: BSD-2-Clause
// The discrete contact problem:  u = (G + R) λ + g;  every block of rows obeys its own set.     docs/notation.md (3)
// λ is an impulse [N s], u a relative velocity [m/s]; contact rows are (T1, T2, N).
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/block.h>
#include <stiction/problem/delassus.h>

#include <optional>
#include <vector>

namespace stiction {

struct ContactProblem {
  Delassus G;                 // J M⁻¹ Jᵀ, ⪰ 0 up to round-off, often rank deficient                        [1/kg]
  GrowingVec g;               // free relative velocity, reference velocity absorbed                       [m/s]
  std::vector<Block> blocks;  // in row order, without holes
  GrowingVec compliance;      // R ≥ 0, diagonal, physical; one per row, or empty for none                 [1/kg]
  FrictionLaw law;            // solver, judge and files all see it
  bool general = false;       // a linear complementarity problem: any square G, unilateral and box blocks only
  std::optional<double> dt;   // step, so that residuals are in newtons; absent for problems from files      [s]

  int rows() const { return g.size(); }
  bool compliant() const { return compliance.size() > 0; }
  void multiply(const double* x, double* y, GrowingVec& scratch) const;  // y = (G + R) x
  double R(int row) const { return compliant() ? compliance[row] : 0.0; }

  // Public edge only, never per step: throws InvalidInput naming field, value found and value expected.
  void validate() const;

  // n coulomb contacts with a dense G (3n × 3n).
  static ContactProblem from_dense(const Mat& G, const VecRef& g, const VecRef& mu, FrictionLaw law = {},
                                   std::optional<double> dt = std::nullopt);
};

// Contacts with spin or roll.
inline bool has_patches(const ContactProblem& problem) {
  for (const Block& b : problem.blocks)
    if (b.kind == BlockKind::patch) return true;
  return false;
}

}  // namespace stiction
