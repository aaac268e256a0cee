// SPDX-License-Identifier: BSD-2-Clause
// Staggered projections: the normal and the tangential impulses in turn, each by a convex program (G with R),
//   λ_N ← argmin { ½ λᵀG_NN λ + (g_N + G_NT λ_T)ᵀλ : λ ≥ 0 }                                                      (1)
//   λ_T ← argmin { ½ λᵀG_TT λ + (g_T + G_TN λ_N)ᵀλ : ‖λ_T,i‖ ≤ μ_i λ_N,i }                                        (2)
// with discs under the law coulomb, squares on the pyramid's axes under pyramid. A fixed point solves the law: (1) is
// Signorini's condition, (2) maximum dissipation on the friction set of the λ_N it has. Unilateral, box and bilateral
// rows belong to (1), where bilateral ones are free. Every pass is judged. Between passes the map λ_T → λ_T of (1, 2) is
// extrapolated (anderson.h): half as many passes; damping λ_N instead was measured and gains nothing (docs).
// Each stage is an ADMM (set_qp.h) warm in primal and dual; its factor stays while its penalty does. A pass costs two
// products with G and the inner iterations, (n_N² + n_T²) each. Cold, λ is close to the minimum-norm solution.
// Failure modes: no guarantee. (1) and (2) are not the same function's minimum: strong coupling G_NT with large μ
// makes the passes cycle or grow.
// References: Kaufman, Sueda, James, Pai 2008; Le Lidec et al. 2024, Alg. 7 (line 2 means g_N).
#pragma once

#include <stiction/solver/core/entry.h>
#include <stiction/solver/linalg/anderson.h>
#include <stiction/solver/quadratic/set_qp.h>

#include <vector>

namespace stiction {

struct StaggeredOptions : CommonOptions {
  int anderson = 5;
  double prox = 1e-6;
  double inner_tolerance = 0.1;
  int inner_iterations = 5000;
  int stall_window = 50;

  static constexpr auto fields() {
    using O = StaggeredOptions;
    return extend(
        CommonOptions::fields(),
        Field{"anderson", &O::anderson, "passes that the extrapolation looks back, 0 is none [-]", ">= 0, 0 for none"},
        Field{"prox", &O::prox, "proximal weight of the stages > 0 [1/kg]", "> 0"},
        Field{"inner_tolerance", &O::inner_tolerance,
              "tolerance of the stages as a share of the outer one, at the start [-]", "]0, 1]"},
        Field{"inner_iterations", &O::inner_iterations, "iterations allowed in one stage [-]", ">= 1"},
        Field{"stall_window", &O::stall_window, "passes within which the residual must halve, 0 is for ever [-]",
              ">= 0, 0 for no detection"});
  }
};

class Staggered : public Method<StaggeredOptions> {
 public:
  static constexpr const char* kName = "staggered";
  static constexpr About kAbout{"staggered projections: normal and tangential convex programs in turn",
                                "Kaufman et al. 2008; Le Lidec et al. 2024, Alg. 7",
                                "no guarantee: cycles when normal and tangential impulses couple strongly"};
  static constexpr std::array kLaws{FrictionLaw::coulomb, FrictionLaw::pyramid};
  using Method::Method;

  Report solve(const ContactProblem& problem, VecOut lambda) override;

 private:
  void sort_rows(const ContactProblem& problem);
  void load_stage(const ContactProblem& problem, const std::vector<int>& rows, SetQp& stage);
  bool begin(const ContactProblem& problem, VecOut lambda);
  bool pass(const ContactProblem& problem, bool first);
  bool solve_stage(const ContactProblem& problem, const std::vector<int>& rows, SetQp& stage, bool first);
  SetQp::Limits limits(const ContactProblem& problem) const;
  void tighten();
  double inner_work() const;
  void extrapolate();

  std::vector<int> normal_rows_, tangent_rows_;
  std::vector<int> normal_of_;  // for each set of the tangential stage, the row of its λ_N
  std::vector<double> mu_;
  SetQp normal_, tangent_;
  std::vector<double> matrix_;  // G + R row-major
  GrowingVec lambda_, u_, b_, before_, other_, unit_, scratch_;
  double largest_g_ = 0.0, last_ratio_ = 0.0;
  double share_ = 0.1;  // of the outer tolerance that the stages must reach
  Anderson anderson_;
  GrowingVec entered_, left_;  // λ_T that a pass started from and ended with
};

}  // namespace stiction
