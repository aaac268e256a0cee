// SPDX-License-Identifier: BSD-2-Clause
// Proximal points around the primal Newton method: the added weight S pulls to the last λ_k instead of to zero, so that
// it leaves no error. With C ≥ 0 the problem's own compliance and R = C + S:
//   K ∋ λ ⟂ (G + C)λ + g + S(λ − λ_k) ∈ K*                                                                      (1)
// In the variables of newton_primal.h, with u_k = (G + C)λ_k + g:
//   o = λ_k,   w = Hᵀ(λ − λ_k) from 0,   g replaced by u_k − Rλ_k                                              (2)
// u_k is a product with the true G, so that what H lost of G and the round-off of w vanish with λ − λ_k.
// Inner loop: Newton steps until ‖∇‖² ≤ θ² (λ − λ_k)ᵀS(λ − λ_k). Outer loop: R = max(C, s·s̄) with s̄ the mean diagonal of
// G_ii, the tangential entries of a contact raised to the larger. s falls by 10 while the judge's ratio does not, and
// rises by 10 where an inner loop gets stuck in the round-off of R⁻¹u_k. The judge, asked at every Newton step, ends it.
// Also ends at a proof that no λ exists (jammed): steps d = λ − λ_k with
//   d ∈ K∞,   (G + C)d = 0,   gᵀd < 0                                                                           (3)
// up to 1e-7: any u = (G + C)λ + g ∈ K* would give 0 ≤ dᵀu = dᵀg. When (1) has no solution its steps tend to such a d.
// Guarantees: the proximal point method with relative errors converges from any λ_0 if a solution exists, also for rank
// deficient G; the smaller S the faster.
// Failure modes: solutions at infinity only, which (3) does not see: λ grows until the budget is spent.
// References: Rockafellar 1976; Solodov, Svaiter 1999 (relative errors); Pazy 1971 (the limit of d).
#pragma once

#include <stiction/solver/core/progress.h>
#include <stiction/solver/newton/newton_primal.h>

namespace stiction {

class ProximalNewton {
 public:
  // From the guess λ; `armijo` as in PrimalNewton::advance. Returns what the loop thinks; an accepted iterate is in λ.
  Status run(const ContactProblem& problem, int max_steps, double armijo, PrimalNewton& primal, Progress& best,
             const VecRef& lambda);
  int steps() const { return steps_; }

 private:
  enum class End { solved, stuck, accepted, spent, failed };

  void begin(const ContactProblem& problem, const VecRef& lambda, PrimalNewton& primal);
  void center(const ContactProblem& problem, PrimalNewton& primal);
  End minimise(const ContactProblem& problem, int max_steps, double armijo, PrimalNewton& primal, Progress& best);
  bool close_enough(const PrimalNewton& primal) const;
  bool proves_jam(const ContactProblem& problem, const PrimalNewton& primal);
  void choose_weight(bool solved, double ratio);

  GrowingVec unit_, S_, centre_, step_, scratch_;  // s̄, S, λ_k, λ − λ_k
  double scale_ = 0.0, floor_ = 0.0, last_ratio_ = 0.0;
  int steps_ = 0;
};

}  // namespace stiction
