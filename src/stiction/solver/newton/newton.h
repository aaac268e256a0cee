// SPDX-License-Identifier: BSD-2-Clause
// Newton's method on the primal, convex law: with R > 0 and whitened velocities w (v = v_f + M^(-1/2) w, u = Hw + g)
//   min_w  ½‖w‖² + Σ ℓ_R(y),   y = −R⁻¹(Hw + g),   λ = P^R(y),   ℓ_R(y) = λᵀR(y − λ/2)                        (1)
//   ∇ = w − Hᵀλ,   A = I + HᵀBH,   B = R⁻¹ ∇²ℓ_R(y) R⁻¹,   A Δw = −∇,   w ← w + αΔw                           (2)
// which is min ½‖v − v_f‖²_M + ℓ_R in coordinates where M = I; Newton steps do not depend on the coordinates. At the
// minimum w = Hᵀλ, and (1) says K ∋ λ ⟂ (G + R)λ + g ∈ K*. Strictly convex: one solution, reached from anywhere.
//
// R is the problem's where it is positive, else a rule's (newton_regularisation.h). `converged` means that the judge
// accepts the problem AS GIVEN. Where a rule added R only the regularised problem is solved: then the status is
// `stalled`, Report.regularised holds the judge's word with the R used, and Report.own the one that counts.
// The loop ends when the judge accepts with the R used, or when neither (1) nor ‖∇‖ gets smaller. The published stop
// ‖D∇‖ < 1e-6 max(‖DMv‖, ‖DJᵀλ‖) and the stop on the cost do not imply what the judge asks, so they only count as
// "no progress". What Hᵀ lost of G (whitened_rows.h) is put back by products: g ← g + (G − HHᵀ)λ, lagged.
// `proximal`: no R is added for good, the rigid problem itself is solved (newton_proximal.h); no rule is used.
// Cost, direction and line searches: newton_primal.h.
// Failure modes: R hides gross errors (mass ratios: Report.own); R < 1e-9 of G loses the digits of R⁻¹(Hw + g).
// References: Le Lidec et al. 2024, Alg. 4; Castro, Permenter, Han 2022; Todorov 2014.
#pragma once

#include <stiction/solver/core/entry.h>
#include <stiction/solver/newton/newton_proximal.h>
#include <stiction/solver/newton/newton_regularisation.h>

#include <string>

namespace stiction {

struct NewtonOptions : CommonOptions {
  std::string regularisation = "drake";
  double beta = 1.0;
  double sigma = 1e-3;
  double d = 0.99999;
  double impratio = 1.0;
  std::string line_search = "exact";
  double first_step = 1.0;
  bool proximal = false;

  NewtonOptions() { max_iterations = 300; }
  static constexpr auto fields() {
    using O = NewtonOptions;
    return extend(
        CommonOptions::fields(),
        Field{"regularisation", &O::regularisation,
              "R of rows without compliance: drake, contactbench, mujoco or none [-]",
              "drake contactbench mujoco none"},
        Field{"beta", &O::beta, "drake: near-rigid parameter β [-]", "> 0"},
        Field{"sigma", &O::sigma, "drake, contactbench: tangential share σ [-]", "> 0"},
        Field{"d", &O::d, "mujoco: impedance d in ]0, 1[ [-]", "]0, 1["},
        Field{"impratio", &O::impratio, "mujoco: R_N/R_T [-]", "> 0"},
        Field{"line_search", &O::line_search, "exact or armijo [-]", "exact armijo"},
        Field{"first_step", &O::first_step, "armijo: first step length in ]0, 2[ [-]", "]0, 2["},
        Field{"proximal", &O::proximal, "the added R pulls to the last iterate: the problem as given is solved [-]"});
  }
  void check() const;
  Regularisation how() const;
};

class Newton : public Method<NewtonOptions> {
 public:
  static constexpr const char* kName = "newton";
  static constexpr About kAbout{
      "Newton on the primal of the compliant convex problem; with proximal points also of the rigid one",
      "Le Lidec et al. 2024, Alg. 4; Castro, Permenter, Han 2022; Todorov 2014",
      "where a rule adds R only that easier problem is solved and the status is stalled; proximal: jammed problems"};
  static constexpr std::array kLaws{FrictionLaw::convex};
  static constexpr bool kRegularises = true;
  explicit Newton(const Options& options = {});

  Report solve(const ContactProblem& problem, VecOut lambda) override;

 private:
  Report iterate(const ContactProblem& given, const ContactProblem& solved, VecOut lambda);
  Report iterate_proximal(const ContactProblem& problem, VecOut lambda);
  void begin(const ContactProblem& p, const VecRef& lambda);
  bool progresses();
  bool put_back_lost(const ContactProblem& p);
  bool refine(const ContactProblem& p);

  Regularisation how_;
  double armijo_ = 0.0;  // first step length, 0 is the exact search
  ContactProblem regularised_;
  PrimalNewton primal_;
  ProximalNewton proximal_;
  JudgeWork work_;
  GrowingVec step_, du_, product_, scratch_;
  double least_cost_ = 0.0, least_gradient_ = 0.0;
  int idle_ = 0;
};

}  // namespace stiction
