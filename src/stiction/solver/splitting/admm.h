// SPDX-License-Identifier: BSD-2-Clause
// Alternating direction method of multipliers; convex law: a convex program; coulomb: a cascade of them with De Saxcé's
// shift lagged. Two variants: on the impulses (admm_dual.h, any problem) and on the velocities (admm_primal.h, R > 0).
// ρ starts at a guess from λmax or at the geometric mean of the ends of the spectrum (spectrum.h, option rho_start), and
// is changed by a rule (admm_rho.h), at most `refactorisations` times. Only the judge ends the loop: it is asked every
// `test_interval` iterations, and when the residuals of the method promise acceptance (what they must reach for that is
// learned from the last refusal). The method's own stop is not the law's residual: the dual test ignores the change of
// the shift, and at a mass ratio of 1e6 it stops 1000 times too early.
// Not part of the published method: Newton's method on its fixed point (admm_newton.h) is tried first on a warm start, and
// later when ADMM is slow; each step is an iteration and a factorisation. `newton` = 0 is the method alone.
// Cold, λ of the dual variant is close to the minimum-norm solution (no internal forces).
// Failure modes: no guarantee for coulomb; slow when the right ρ differs much between contacts.
// References: Carpentier, Le Lidec, Montaut 2024; Le Lidec et al. 2024, Alg. 3 (which leaves out μ_p and R).
#pragma once

#include <stiction/solver/core/entry.h>
#include <stiction/solver/linalg/spectrum.h>
#include <stiction/solver/splitting/admm_newton.h>
#include <stiction/solver/splitting/admm_primal.h>

#include <string>

namespace stiction {

struct AdmmOptions : CommonOptions {
  std::string variant = "dual";
  std::string preset = "pinocchio";
  double tau = 0.0;
  double rho = 0.0;
  std::string rho_start = "preset";
  std::string rho_rule = "spectral";
  double rho_factor = 2.0;
  double prox = 1e-6;
  double over_relaxation = 1.0;
  double dual_momentum = 0.0;
  int anderson = 5;
  int newton = 6;
  int refactorisations = 60;
  int test_interval = 10;
  int stall_window = 500;

  static constexpr auto fields() {
    using O = AdmmOptions;
    return extend(
        CommonOptions::fields(),
        Field{"variant", &O::variant, "dual (impulses) or primal (velocities, needs R > 0) [-]", "dual primal"},
        Field{"preset", &O::preset, "pinocchio (p 0.2, q 0.05, τ 0.5) or contactbench (p 0.4, q 0.1, τ 1) [-]",
              "pinocchio contactbench"},
        Field{"tau", &O::tau, "share τ of ρ in the step, 0 takes the preset's [-]", ">= 0, 0 for the preset's"},
        Field{"rho", &O::rho, "first penalty ρ, 0 takes that of rho_start [1/kg]", ">= 0, 0 for the rule"},
        Field{"rho_start", &O::rho_start,
              "first ρ: preset (√(Lm) κ^p, m = μ_p) or spectrum (√(Lm)/τ, m the smallest eigenvalue "
              "of G + R that is not zero); dual variant only [-]",
              "preset spectrum"},
        Field{"rho_rule", &O::rho_rule, "spectral, osqp, linear or constant [-]", "spectral osqp linear constant"},
        Field{"rho_factor", &O::rho_factor, "factor of the rule linear, > 1 [-]", "> 1"},
        Field{"prox", &O::prox, "proximal weight μ_p > 0 [1/kg; primal: -]", "> 0"},
        Field{"over_relaxation", &O::over_relaxation, "α in ]0, 2[ [-]", "]0, 2["},
        Field{"dual_momentum", &O::dual_momentum, "extrapolation β of z in [0, 1[, dual variant [-]", "[0, 1["},
        Field{"anderson", &O::anderson, "window of Anderson acceleration, 0 is off; dual variant only [-]",
              ">= 0, 0 for none"},
        Field{"newton", &O::newton,
              "steps of Newton's method on the fixed point tried at a time, 0 is off (the published "
              "method); dual variant only [-]",
              ">= 0, 0 for none"},
        Field{"refactorisations", &O::refactorisations, "changes of ρ allowed [-]", ">= 0"},
        Field{"test_interval", &O::test_interval, "iterations between two calls of the judge at most [-]", ">= 1"},
        Field{"stall_window", &O::stall_window, "iterations within which the residual must halve, 0 is for ever [-]",
              ">= 0, 0 for no detection"});
  }
  void check() const;
};

class Admm : public Method<AdmmOptions> {
 public:
  static constexpr const char* kName = "admm";
  static constexpr About kAbout{"proximal ADMM with a spectral penalty rule",
                                "Carpentier, Le Lidec, Montaut 2024; Le Lidec et al. 2024, Alg. 3",
                                "no guarantee for coulomb; slow when the right penalty differs much between contacts"};
  static constexpr std::array kLaws{FrictionLaw::coulomb, FrictionLaw::convex};
  static constexpr bool kPatches = true;
  explicit Admm(const Options& options = {});

  Report solve(const ContactProblem& problem, VecOut lambda) override;

 private:
  template <class Variant>
  Report run(Variant& variant, const ContactProblem& problem, VecOut lambda);
  double first_rho(const ContactProblem& problem, double largest_eigenvalue);
  bool due(const ContactProblem& problem, double relative, const AdmmStep& step) const;
  bool begin_newton(const ContactProblem& problem);
  bool try_newton(const ContactProblem& problem);

  bool spectral_start_;
  AdmmWeights weights_;
  RhoRule rule_;
  Spectrum spectrum_;
  AdmmDual dual_;
  AdmmPrimal primal_;
  AdmmNewton newton_;
  int factorisations_ = 0;
};

}  // namespace stiction
