// SPDX-License-Identifier: BSD-2-Clause
// One-block solves, the other blocks frozen. W = G_ii + R_ii, u the block's velocity with its present λ.
//   coulomb     exact Coulomb solve of b = u − Wλ                                             local_contact.h
//   unilateral  λ ← max(0, λ − u/W)
//   box         λ ← clamp(λ − u/W, lo, hi);  W = 0: the bound that u points away from
//   bilateral   λ ← λ − (W + εI)⁻¹ u,  ε = 0 unless a pivot of W is below 1e-12 of its largest diagonal entry; then
//               ε = 1e-6 tr(W)/k, a proximal step: exact after a few sweeps if u can be brought to zero at all
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/contact_problem.h>
#include <stiction/solver/local/local_contact.h>

#include <vector>

namespace stiction {

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
  // Any block but coulomb. `relaxation` multiplies the step.
  void solve_other(const Block& block, int i, double relaxation, const double* u, double* lambda) const;
  // The same with u as scratch, for several threads at once.
  void solve_other_using(const Block& block, int i, double relaxation, double* u, double* lambda) const;

 private:
  void factor(int size, const double* w, double* l) const;

  std::vector<int> start_;  // blocks + 1, into diagonal_ and factor_
  GrowingVec diagonal_, factor_;
  std::vector<LocalContact> contacts_;
  mutable GrowingVec step_;  // scratch of a bilateral solve
};

}  // namespace stiction
