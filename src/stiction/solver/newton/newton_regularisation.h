// SPDX-License-Identifier: BSD-2-Clause
// The compliance R > 0 that a primal method needs in every row, where the problem gives none. G_ii is the diagonal block.
//   drake         w = diag G_ii, w̄ = ‖w‖/√3:  R_N = β²/4π² max(w_N, w̄),  R_T = σ max(½(w_T1 + w_T2), w̄)
//   contactbench  R_N = ‖G_ii‖_F/4π²,  R_T = σ R_N
//   mujoco        R_N = (1 − d)/d G_NN,  R_T = R_N/impratio
//   none          only the problem's own; a row without is refused
// One-row and bilateral blocks take the normal's formula row by row. A row whose G_rr is 0 takes 1e-12 of the largest one.
// Deviations. Drake takes w from J diag(M)⁻¹ Jᵀ; a contact problem has no M, and for free bodies in their principal axes
// the two are equal. A compliance the problem gives is kept as it is: Drake takes the larger of the two, contactbench
// overwrites it; both would answer another question than the one asked.
// The two tangential entries of a contact must be equal (metric_cone.h): unequal ones are both raised to the larger.
// References: Castro, Permenter, Han 2022 (SAP); Le Lidec et al. 2024 and its benchmark; Todorov 2014 (MuJoCo).
#pragma once

#include <stiction/problem/contact_problem.h>

namespace stiction {

struct Regularisation {
  enum class Rule { none, drake, contactbench, mujoco } rule = Rule::drake;
  double beta = 1.0, sigma = 1e-3, d = 0.99999, impratio = 1.0;
};

enum class Compliance { as_given, added, missing };

// Writes R, one per row. as_given: R is the problem's; added: some row got more; missing: rule none, and a row is 0.
Compliance choose_compliance(const ContactProblem& problem, const Regularisation& how, GrowingVec& R);

}  // namespace stiction
