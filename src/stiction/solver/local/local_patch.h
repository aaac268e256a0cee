// SPDX-License-Identifier: BSD-2-Clause
// The exact problem of one patch, the others frozen:  u = W r + b,  rows (T, N), T any number of tangential rows up to five.
//
// Coulomb, K ∋ r ⟂ u + Γ(u) ∈ K*, as for a contact of three rows (local_contact.h):
//   b_N ≥ 0: open, r = 0. Otherwise u_N = 0 and with  S = W_TT − W_TN W_NT/W_NN = Q diag(s) Qᵀ,  c = W_TN b_N/W_NN − b_T,  r_T = Q y
//     stick  y_i = (Qᵀc)_i/s_i,   r_N = −(b_N + W_NT r_T)/W_NN,   if ‖y‖ ≤ μ r_N                              (1)
//     slip   y_i = (Qᵀc)_i/(s_i + ℓ),  ℓ > 0 (so u_T = −ℓ r_T), and ‖y‖ = μ r_N                               (2)
//   (2) is one equation in ℓ: h(ℓ) = μ r_N/‖y‖ = 1, h(0) < 1 where (1) fails and h(∞) = ∞. Newton's method inside a bracket.
//
// Convex, K ∋ r ⟂ u ∈ K*: the minimum of ½rᵀWr + bᵀr over K. For a given r_N = z the best r_T in the ball of radius μz is
//     W_TT = Q diag(s) Qᵀ,  y_i = −(Qᵀ(b_T + W_TN z))_i/(s_i + ℓ),  ℓ ≥ 0, ‖y‖ ≤ μz, ℓ (‖y‖ − μz) = 0          (3)
//   and the slope of the minimum in z is u_N − μ‖u_T‖, which never falls: its zero is found inside a bracket.   (4)
//
// Rows of spin and roll are scaled by arms that may be small: what counts as singular is measured row by row.
// W is symmetric. Fails only if W_NN ≤ 0, or by wedging (a null vector of W inside the cone, b out of range).
#pragma once

#include <stiction/problem/block.h>
#include <stiction/problem/contact_mode.h>

namespace stiction {

class LocalPatch {
 public:
  // w: size × size row-major, compliance included. `convex`: the law.
  void prepare(int size, const double* w, double mu, bool convex);
  ContactMode solve(const double* b, double* r) const;  // r = 0 when `failed`

 private:
  static constexpr int kTangents = kMostPatchRows - 1;

  ContactMode solve_coulomb(const double* b, double* r) const;
  ContactMode solve_convex(const double* b, double* r) const;
  bool in_range(const double* c, const double* size, double* e) const;  // e = Qᵀc, nothing along what is singular
  double slip(const double* e, double b_n) const;                       // ℓ of (2)
  double tangent(const double* b, double z, double* y) const;           // (3), and the slope (4)

  int tangents_ = 0;
  bool convex_ = false;
  double mu_ = 0.0, w_nn_ = 0.0;
  double tn_[kTangents], turned_[kTangents];                  // W_TN and Qᵀ W_TN
  double values_[kTangents], vectors_[kTangents][kTangents];  // s and Q
  bool singular_[kTangents];
};

}  // namespace stiction
