// SPDX-License-Identifier: BSD-2-Clause
// Proximal ADMM on the impulses, one pass with the factor of F = G + R + (μ_p + τρ)I:
//   s = Γ(z) (coulomb) or 0 (convex)
//   x ← F⁻¹( −(g + s) + τρ y + μ_p x + z ),   t = αx + (1 − α)y − z/(τρ)                                          (1)
//   y⁺ ← P(t),   z⁺ ← τρ(y⁺ − t),   z⁺ ← z⁺ + β(z⁺ − z)   (β dual momentum)                                       (2)
//   e_λ = ‖x − y⁺‖∞,   e_u = ‖τρ(y⁺ − y) + μ_p(x − x⁻)‖∞
// Start: y = P(guess), z = L(P(s) − s) with s = y − ((G + R)y + g + Γ)/L.
// Anderson acceleration works on t, which holds both y = P(t) and z = τρ(y − t), so that what comes out is always in the
// set and its dual. Its safeguard looks at t⁺ − t = α(x − y): an extrapolation after which x − y grows is taken back.
#pragma once

#include <stiction/base/scalar.h>
#include <stiction/solver/linalg/anderson.h>
#include <stiction/solver/linalg/shifted_delassus.h>
#include <stiction/solver/splitting/admm_rho.h>

namespace stiction {

struct AdmmWeights {
  double tau = 0.5, prox = 1e-6, relaxation = 1.0, momentum = 0.0;  // τ, μ_p, α, β
  int window = 0;                                                   // of Anderson, 0 is off
};

class AdmmDual {
 public:
  void prepare(const ContactProblem& problem) { operator_.prepare(problem); }  // before begin()
  void begin(const ContactProblem& problem, const AdmmWeights& weights, const VecRef& guess);
  double largest_eigenvalue() const { return L_; }
  bool use_rho(const ContactProblem& problem, double rho);  // factorises
  AdmmStep iterate(const ContactProblem& problem);
  void accelerate(const ContactProblem& problem);
  const GrowingVec& lambda() const { return y_; }
  const GrowingVec& dual() const { return z_; }
  const double* matrix(const ContactProblem& problem) const { return operator_.matrix(problem); }  // or none

 private:
  AdmmWeights w_;
  double L_ = 0.0, penalty_ = 0.0, largest_g_ = 0.0;  // penalty is τρ
  ShiftedDelassus operator_;
  Anderson anderson_;
  GrowingVec x_, x_old_, y_, z_, target_, state_;
};

}  // namespace stiction
