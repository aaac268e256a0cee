// SPDX-License-Identifier: BSD-2-Clause
// Accelerated projected gradient with adaptive restart; for law coulomb with De Saxcé's shift refreshed at every step.
// W = G + R, D = diag(d): d = ‖W_ii‖₂ on all three rows of a contact, the diagonal of W on other rows.
//
//   s  = W y + g;  s_N += μ ‖s_T‖ (coulomb only)                   λ⁺ = P(y − D⁻¹ s / L)                              (1)
//   θ⁺ = (1 + √(1 + 4θ²))/2
//   (y − λ⁺)ᵀ D (λ⁺ − λ) > 0:  θ⁺ = 1, y⁺ = λ⁺                    the momentum points uphill: forget it               (2)
//   else                       y⁺ = λ⁺ + (θ − 1)/θ⁺ (λ⁺ − λ)
//
// L starts at 1.02 ‖D^(-1/2) W D^(-1/2)‖ by 60 power iterations. These see it from below, so that (1) is done again with
// a larger L when (λ⁺ − y)ᵀ W (λ⁺ − y) > L (λ⁺ − y)ᵀ D (λ⁺ − y). Wλ is the one product of an iteration, Wy a combination.
// Scaling contact by contact is what carries mixed masses; one d for the whole contact keeps P the Euclidean projection.
// Guarantees: convex law, O(1/k²) of the objective (Nesterov 1983; Beck, Teboulle 2009). Coulomb: none, the shifted map
// is not a gradient. Failure modes: slow on ill-conditioned G (mass ratios, tall stacks); cycles under coulomb.
// References: Mazhar, Heyn, Negrut, Tasora 2015; O'Donoghue, Candès 2015 (restart).
#pragma once

#include <stiction/solver/core/entry.h>

namespace stiction {

struct ApgdOptions : CommonOptions {
  bool restart = true;
  int convex_iterations = 0;
  int test_interval = 20;
  int stall_window = 5000;

  ApgdOptions() { max_iterations = 10000; }
  static constexpr auto fields() {
    using O = ApgdOptions;
    return extend(
        CommonOptions::fields(), Field{"restart", &O::restart, "drop the momentum when it points uphill, (2) [-]"},
        Field{"convex_iterations", &O::convex_iterations,
              "iterations without the shift before it is switched on; law coulomb [-]", ">= 0"},
        Field{"test_interval", &O::test_interval, "iterations between two calls of the judge, after the first 50 [-]",
              ">= 1"},
        Field{"stall_window", &O::stall_window, "iterations within which the residual must halve, 0 is for ever [-]",
              ">= 0, 0 for no detection"});
  }
};

class Apgd : public Method<ApgdOptions> {
 public:
  static constexpr const char* kName = "apgd";
  static constexpr About kAbout{"accelerated projected gradient with restart, De Saxcé's shift refreshed at every step",
                                "Mazhar, Heyn, Negrut, Tasora 2015; O'Donoghue, Candes 2015",
                                "slow on ill-conditioned problems; may cycle under coulomb"};
  static constexpr std::array kLaws{FrictionLaw::coulomb, FrictionLaw::convex};
  static constexpr bool kPatches = true;
  static constexpr bool kProducts = true;
  using Method::Method;

  Report solve(const ContactProblem& problem, VecOut lambda) override;

 private:
  void prepare(const ContactProblem& problem, const double* guess);
  double largest_eigenvalue(const ContactProblem& problem);
  bool step(const ContactProblem& problem, bool shifted);
  void extrapolate();

  GrowingVec d_, lambda_, y_, s_, next_, W_lambda_, W_y_, W_next_, power_, scratch_;
  double L_ = 1.0, theta_ = 1.0;
};

}  // namespace stiction
