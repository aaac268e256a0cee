// SPDX-License-Identifier: BSD-2-Clause
// The tree-sparse factor of the contact KKT matrix, whose damping can be changed cheaply:
//   [[−D, J], [Jᵀ, M]] = U Δ Uᵀ,  U = [[U₁, U₂], [0, U₄]],   D = R + damping                                       (1)
//   M = U₄Δ₄U₄ᵀ (sparsity of the tree),  U₂ = J U₄⁻ᵀΔ₄⁻¹,  −D − U₂Δ₄U₂ᵀ = U₁Δ₁U₁ᵀ  ⇒  G + D = −U₁Δ₁U₁ᵀ             (2)
// Body space holds the lower row of (1) already: with M = L̂ᵀL̂ it is U₄Δ₄^½ = L̂ᵀ, and H = J L̂⁻¹ = U₂Δ₄^½. So load() forms
// G = HHᵀ over shared chains only, and a change of damping redoes U₁, Δ₁ alone: a Cholesky factor of n contact rows,
// without touching the tree.
// Cost: load n² × (shared chain), set_damping n³/3 and a copy, solve 2n². For n above the number of velocities the factor
// of I + HᵀD⁻¹H is smaller: that is ShiftedDelassus.
// Failure: D = 0 on dependent rows (G is singular); set_damping says false.
// Reference: Carpentier, Budhiraja, Mansard 2021; Carpentier, Le Lidec, Montaut 2024, section III.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/contact_problem.h>

#include <vector>

namespace stiction {

class KktDelassus {
 public:
  // G must be in body space. Forms G; the compliance R of the problem becomes part of D.
  void load(const ContactProblem& problem);
  // D = R + damping, one number per row, or the same for all; U₁ and Δ₁ are redone. False if G + D is not definite.
  bool set_damping(const double* damping);
  bool set_damping(double damping);
  void solve_in_place(double* x) const;             // x ← (G + D)⁻¹ x
  void multiply(const double* x, double* y) const;  // y = (G + D) x
  int rows() const { return rows_; }
  double entry(int row, int column) const {  // of G, undamped
    const int r = row < column ? column : row, c = row < column ? row : column;
    return G_[r * rows_ + c];
  }

 private:
  bool factor();

  int rows_ = 0;
  std::vector<double> G_, factor_;  // lower triangles, row-major
  GrowingVec compliance_, diagonal_;
};

}  // namespace stiction
