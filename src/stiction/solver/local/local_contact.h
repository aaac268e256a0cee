// SPDX-License-Identifier: BSD-2-Clause
// The exact Coulomb problem of one contact, the others frozen:  u = W r + b,  K ∋ r ⟂ u + Γ(u) ∈ K*,  rows (T1, T2, N).
//
//   b_N ≥ 0: open, r = 0. Otherwise u_N = 0, which eliminates r_N and leaves the plane problem with
//     S = W_TT − W_TN W_NT / W_NN,   c = −b_T + W_TN b_N / W_NN                                             (1)
//     stick  r_T = S⁻¹c,   r_N = −(b_N + W_NT r_T) / W_NN,   if ‖r_T‖ ≤ μ r_N                               (2)
//     slip   (S + ℓI) r_T = c with ℓ > 0 (so u_T = −ℓ r_T) and ‖r_T‖ = μ r_N                                (3)
//   With p(ℓ) = (adj S + ℓI) c and d(ℓ) = det(S + ℓI), r_T = p/d and (3) reads
//     F(ℓ) = (μ/W_NN)(−b_N d(ℓ) − W_NT p(ℓ)) − ‖p(ℓ)‖ = 0,                                                  (4)
//   a parabola against a hyperbola: F(0) < 0 when (2) fails, F(∞) = ∞. The ratio of the two is nearly linear in ℓ, so
//   Newton on it takes two to four steps; a bracket guards it. The result is rebuilt from the direction p/‖p‖ alone, so
//   that u_N = 0 and ‖r_T‖ = μ r_N hold to round-off.
//
// Singular S (few degrees of freedom): rank 0 and rank 1 have their own stick candidate, valid only if c is in range.
// Fails only if W_NN ≤ 0, or by wedging: a null vector of W inside the cone and b out of range, where no solution need
// exist. Reference: Daviet, Bertails-Descoubes, Boissieux 2011; bracketed root: docs/solvers.md. W may be unsymmetric.
#pragma once

#include <stiction/problem/contact_mode.h>

namespace stiction {

// What depends on W and μ only; prepared once, used in every sweep.
struct LocalContact {
  double mu;
  double w_nn, inverse_nn;  // W_NN and its inverse; w_nn ≤ 0 marks a block that cannot be solved
  double nt[2], tn[2];      // W_NT and W_TN / W_NN
  double s[4];              // S, row-major
  double inverse_det;       // 1 / det S, 0 if S is singular
  double trace, size_tt;    // tr S, tr W_TT

  void prepare(const double* w, double friction);  // w: 3×3 row-major, compliance included
  // r: the result; 0 when `failed`. With u given, r holds the last iterate on entry and u is its velocity: then
  // ℓ = −u_T·r_T/‖r_T‖² starts the root, which is right when nothing changes.
  ContactMode solve(const double* b, double* r, const double* u = nullptr) const;
  // The slip of (3), for b and c of (1) where (2) failed. ℓ is the guess on entry (≤ 0 for none) and the root on return.
  // `accuracy` is the relative step of ℓ after which another one is left out: a sweep, which comes back, asks for less.
  ContactMode slide(const double* b, const double* c, double& l, double* r, double accuracy = 1e-4) const;
  // ℓ = −u_T·r_T/‖r_T‖² with u = Wr + b; 0 if r_T = 0.
  double slip_of(const double* b, double x, double y, double normal) const;

 private:
  bool stick(const double* b, const double* c, double* r) const;
  bool stick_singular(const double* b, const double* c, double* r) const;
  double isotropic_guess(const double* b, const double* c, double c2, double cp) const;
};

}  // namespace stiction
