// SPDX-License-Identifier: BSD-2-Clause
// One-block solves, the other blocks frozen. W = G_ii + R_ii, u the block's velocity with its present λ.
//   coulomb     exact Coulomb solve of b = u − Wλ                                             local_contact.h
//   patch       exact as well, under law coulomb or convex                                        local_patch.h
//   unilateral  λ ← max(0, λ − u/W)
//   box         λ ← clamp(λ − u/W, lo, hi);  W = 0: the bound that u points away from
//   bilateral   λ ← λ − (W + εI)⁻¹ u,  ε = 0 unless a pivot of W is below 1e-12 of its largest diagonal entry; then
//               ε = 1e-6 tr(W)/k, a proximal step: exact after a few sweeps if u can be brought to zero at all
#pragma once

#include <stiction/base/growing.h>
#include <stiction/solver/core/block_sets.h>
#include <stiction/solver/local/local_contact.h>
#include <stiction/solver/local/local_patch.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace stiction {

// Diagonal of the tangential part of a contact's block, on the axes of a pyramid that has its own.
struct TangentialAxes {
  double smaller, larger;
};

inline TangentialAxes tangential_axes(const double* w, const FrictionLaw& law) {
  double a = w[0], b = w[4];
  if (law.kind == FrictionLaw::pyramid && law.angle != 0.0) {
    const double c = std::cos(law.angle), s = std::sin(law.angle), off = c * s * (w[1] + w[3]);
    a = c * c * w[0] + off + s * s * w[4], b = s * s * w[0] - off + c * c * w[4];
  }
  return {std::min(a, b), std::max(a, b)};
}

class LocalBlocks {
 public:
  // Copies the diagonal blocks, adds R, factorises the bilateral ones; with `exact` prepares the contacts as well.
  void prepare(const ContactProblem& problem, bool exact);

  const double* diagonal(int i) const { return diagonal_.data() + start_[i]; }
  const LocalContact& contact(int i) const { return contacts_[i]; }

  void solve_contact(int i, const double* u, double* lambda) const {
    const double* w = diagonal(i);
    double b[3];
    for (int r = 0; r < 3; ++r)
      b[r] = u[r] - (w[3 * r] * lambda[0] + w[3 * r + 1] * lambda[1] + w[3 * r + 2] * lambda[2]);
    contact(i).solve(b, lambda, u);
  }
  // Any block but coulomb. `relaxation` multiplies the step; u is scratch.
  void solve_other(const Block& block, int i, double relaxation, double* u, double* lambda) const;
  // λ ← ω solve(λ) + (1 − ω) λ for every kind of block; relaxed contacts are projected on their cone again.
  void solve(const ContactProblem& problem, int i, double relaxation, double* u, double* lambda) const {
    const Block& block = problem.blocks[i];
    if (block.kind != BlockKind::coulomb) return solve_other(block, i, relaxation, u, lambda);
    const double old[3] = {lambda[0], lambda[1], lambda[2]};
    solve_contact(i, u, lambda);
    if (relaxation == 1.0) return;
    for (int r = 0; r < 3; ++r) lambda[r] = relaxation * lambda[r] + (1.0 - relaxation) * old[r];
    project_block(block, problem.law, lambda);
  }

 private:
  void factor(int size, const double* w, double* l) const;
  void solve_patch(const Block& block, int i, double relaxation, double* u, double* lambda) const;

  std::vector<int> start_;  // blocks + 1, into diagonal_ and factor_
  GrowingVec diagonal_, factor_;
  std::vector<LocalContact> contacts_;
  std::vector<LocalPatch> patches_;  // as many as blocks if there is one
};

}  // namespace stiction
