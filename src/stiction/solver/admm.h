// SPDX-License-Identifier: BSD-2-Clause
// Proximal ADMM on the dual; convex law: a convex program; coulomb: a cascade of them with De Saxcé's shift lagged.
//   F = G + R + (μ_p + τρ)I,  y = P(guess),  z = L(P(s) − s) with s = y − ((G + R)y + g + Γ)/L
//   repeat  s = Γ(z) (coulomb) or 0 (convex)
//           x ← F⁻¹( −(g + s) + τρ y + μ_p x + z ),   x̂ = αx + (1 − α)y                                      (1)
//           y⁺ ← P( x̂ − z/(τρ) ),   z ← z − τρ(x̂ − y⁺),   y = y⁺                                              (2)
//   r_p = ‖x − y‖∞, r_d = ‖τρ(y⁺ − y) + μ_p(x − x⁻)‖∞;  r_p > 10 r_d: ρ ← ρκ^q;  r_d > 10 r_p: ρ ← ρ/κ^q       (3)
// with L = λmax(G + R), m = μ_p + min R, κ = L/m and ρ = √(Lm) κ^p at the start. λ = y; only the judge ends the loop.
// P is each block's own set: a bilateral block is free, so its z stays 0.
// ρ is clamped: when every contact sticks, x − y is exactly 0 and (3) would divide ρ until it underflows. At most
// `refactorisations` factors are made. Cold, λ is close to the minimum-norm solution (no internal forces).
// Failure modes: no guarantee for coulomb; slow when the right ρ differs much between contacts.
// References: Carpentier, Le Lidec, Montaut 2024; Le Lidec et al. 2024, Alg. 3 (which leaves out μ_p and R).
#pragma once

#include <stiction/solver/best_iterate.h>
#include <stiction/solver/shifted_delassus.h>

#include <string>

namespace stiction {

struct AdmmOptions : CommonOptions {
  std::string preset = "pinocchio";
  double tau = 0.0;
  double rho = 0.0;
  double prox = 1e-6;
  double over_relaxation = 1.0;
  int refactorisations = 60;
  int test_interval = 10;
  int stall_window = 500;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields<AdmmOptions>(),
        std::tuple{
            Field<AdmmOptions, std::string>{"preset", &AdmmOptions::preset,
                                            "pinocchio (p 0.2, q 0.05, τ 0.5) or contactbench (p 0.4, q 0.1, τ 1) [-]"},
            Field<AdmmOptions, double>{"tau", &AdmmOptions::tau, "share τ of ρ in the step, 0 takes the preset's [-]"},
            Field<AdmmOptions, double>{"rho", &AdmmOptions::rho, "first penalty ρ, 0 takes √(Lm) κ^p [1/kg]"},
            Field<AdmmOptions, double>{"prox", &AdmmOptions::prox, "proximal weight μ_p > 0 [1/kg]"},
            Field<AdmmOptions, double>{"over_relaxation", &AdmmOptions::over_relaxation, "α in ]0, 2[ [-]"},
            Field<AdmmOptions, int>{"refactorisations", &AdmmOptions::refactorisations, "changes of ρ allowed [-]"},
            Field<AdmmOptions, int>{"test_interval", &AdmmOptions::test_interval,
                                    "iterations between two calls of the judge at most [-]"},
            Field<AdmmOptions, int>{"stall_window", &AdmmOptions::stall_window,
                                    "iterations within which the residual must halve, 0 is for ever [-]"}});
  }
  void check() const;
};

class Admm : public Solver {
 public:
  using Options = AdmmOptions;
  static constexpr const char* kName = "admm";
  explicit Admm(const Options& options = {});

  Report solve(const ContactProblem& problem, VecOut lambda) override;

 private:
  struct Step {
    double primal, dual;  // r_p and r_d of (3)
    double largest_y, largest_z;
  };

  bool begin(const ContactProblem& problem, VecOut lambda);
  Step iterate(const ContactProblem& problem);
  bool rebalance(const ContactProblem& problem, const Step& step);
  bool judge_is_due(const ContactProblem& problem, int iteration, double relative, const Step& step) const;
  double relative_change(const Step& step) const;
  bool stalled(int iteration);

  Options options_;
  double start_exponent_ = 0.2, change_exponent_ = 0.05, tau_ = 0.5;  // p, q, τ of the preset
  double rho_ = 0.0, rho_low_ = 0.0, rho_high_ = 0.0, kappa_ = 1.0;
  double largest_g_ = 0.0, trigger_ = 0.0, halved_ratio_ = 0.0;
  int halved_iteration_ = 0, factorisations_ = 0;
  ShiftedDelassus operator_;
  BestIterate best_;
  GrowingVec x_, x_old_, y_, z_, target_;
};

SolverInfo admm_info();

}  // namespace stiction
