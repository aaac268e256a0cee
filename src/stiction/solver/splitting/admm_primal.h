// SPDX-License-Identifier: BSD-2-Clause
// ADMM on the velocities, for problems with R > 0 in every row. In whitened velocities w (v = v_f + M^(-1/2) w) and the
// slip σ = −Rλ that compliance adds:
//   min ½‖w‖² + ½σᵀR⁻¹σ   with   z = Hw + g + s − σ ∈ K*,   multiplier −λ,   penalty r = 1/(τρ)
//   w, σ ← argmin of the augmented Lagrangian + ½μ_p(‖w − w⁻‖² + ‖σ − σ⁻‖²_{R⁻¹})                                  (1)
//     with D = 1/((1 + μ_p)/R + r), a = −λ + r(g + s − z):
//     ((1 + μ_p)I + Hᵀ r(1 − rD) H) w = μ_p w⁻ − Hᵀ((1 − rD)a − rDμ_p R⁻¹σ⁻),   σ = D(a + rHw + μ_p R⁻¹σ⁻)
//   t = λ/r − (Hw + g + s − σ),   λ⁺ = r P(t),   z⁺ = P(t) − t                                                    (2)
//   e_u = ‖Hw + g + s − σ − z⁺‖∞,   e_λ = r‖z⁺ − z‖∞
// P(t) scaled by r is the projection of rt, so any set of impulses will do. ρ is the dual variant's, so that one rule
// serves both. The matrix is I + HᵀBH with a diagonal B: sparse by velocity groups, whatever the number of contacts.
// Over-relaxation blends Hw + g + s − σ with z. The prox of σ is taken in the metric R⁻¹, which gives μ_p no unit.
// References: Le Lidec et al. 2024 and its benchmark, where M and J are given; deviation: coordinates with M = I.
#pragma once

#include <stiction/solver/linalg/body_matrix.h>
#include <stiction/solver/linalg/whitened_rows.h>
#include <stiction/solver/splitting/admm_dual.h>

namespace stiction {

class AdmmPrimal {
 public:
  static bool applies(const ContactProblem& problem);  // R > 0 in every row
  void begin(const ContactProblem& problem, const AdmmWeights& weights, const VecRef& guess);
  double largest_eigenvalue() const { return L_; }
  bool use_rho(const ContactProblem& problem, double rho);
  AdmmStep iterate(const ContactProblem& problem);
  void accelerate(const ContactProblem&) {}
  const GrowingVec& lambda() const { return lambda_; }

 private:
  void shift(const ContactProblem& problem);

  AdmmWeights w_;
  double L_ = 0.0, r_ = 0.0, largest_g_ = 0.0;
  ShiftedDelassus operator_;  // for L only
  WhitenedRows rows_;
  BodyMatrix matrix_;
  std::vector<double> B_;
  GrowingVec velocity_, old_velocity_, sigma_, z_, lambda_, free_, a_, u_, inverse_;
};

}  // namespace stiction
