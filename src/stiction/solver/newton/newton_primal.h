// SPDX-License-Identifier: BSD-2-Clause
// The strictly convex cost of newton.h around an origin o (0, or the centre of a proximal step), its Newton direction
// and the line searches:
//   φ(w) = ½‖w‖² + Σ (λ − o)ᵀR(y − ½(λ + o)),   y = −R⁻¹u,   u = Hw + g,   λ = P^R(y)                            (1)
//   ∇ = w − Hᵀ(λ − o),   A = I + HᵀBH,   B = R⁻¹ ∇²ℓ_R(y) R⁻¹,   A Δw = −∇,   w ← w + αΔw                       (2)
// Line search `exact` on φ(α) along Δw, φ' = Δwᵀ(w + αΔw) − (λ(α) − o)ᵀHΔw:  φ'(1.5) ≤ 0 takes 1.5; −φ'(0) at round-off
// takes 1; else Newton on φ' kept in [0, 1.5] by bisection, start −φ'(0)/φ''(1.5), until |φ'| ≤ 1e-8 |φ'(0)|.
// `armijo`: α = first_step·0.8^k with φ(α) ≤ φ(0) + 1e-4 α φ'(0), or, where φ no longer resolves it, |φ'(α)| ≤ |φ'(0)|.
// Failure modes: R < 1e-9 of G loses the digits of R⁻¹(Hw + g); a proximal step puts g near Ro, which keeps them.
// References: those of newton.h.
#pragma once

#include <stiction/solver/linalg/body_matrix.h>
#include <stiction/solver/linalg/whitened_rows.h>

#include <vector>

namespace stiction {

class PrimalNewton {
 public:
  void load(const ContactProblem& problem);     // H, sizes, o = 0, g the problem's; R is the caller's
  void refresh(const ContactProblem& problem);  // u, λ, Hᵀ(λ − o), φ and ‖∇‖ for the present w
  // One Newton step; `armijo` is the first step length, 0 takes the exact search. False: a factor failed, or λ is not
  // finite.
  bool advance(const ContactProblem& problem, double armijo);

  const WhitenedRows& rows() const { return rows_; }
  BodyMatrix& matrix() { return matrix_; }
  const std::vector<double>& slopes() const { return B_; }
  double cost() const { return cost_; }
  double gradient() const { return gradient_; }
  int factorisations() const { return factorisations_; }

  GrowingVec R, g, origin, w;  // what the caller sets before refresh()
  GrowingVec lambda, force;    // what refresh() finds; force = Hᵀ(λ − o)

 private:
  struct Along {  // φ and its derivatives at a step length
    double value, first, second;
  };
  enum class Wanted { value, slope };

  bool find_direction(const ContactProblem& problem);
  Along along(const ContactProblem& problem, double step, Wanted wanted) const;
  double exact_step(const ContactProblem& problem) const;
  double armijo_step(const ContactProblem& problem, double first) const;

  WhitenedRows rows_;
  BodyMatrix matrix_;
  GrowingVec u_, step_, du_;
  std::vector<double> B_;
  double cost_ = 0.0, gradient_ = 0.0;
  double w_step_ = 0.0, step_step_ = 0.0;  // wᵀΔw, ‖Δw‖²
  int factorisations_ = 0;
};

}  // namespace stiction
