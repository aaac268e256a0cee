// SPDX-License-Identifier: BSD-2-Clause
// Semismooth Newton on the Alart–Curnier map (alart_curnier.h), without the proximal point around it: the textbook method,
// kept for comparison and for problems of full rank.
//
//   F(λ) = λ − P(λ − ρ∘u),  u = W λ + g,  W = G + R;    J d = −F,  J = A W + B;    λ ← λ + a d                         (1)
//
// Two radii of the disc that holds λ_T:   alart_curnier  μ max(λ_N − ρ_N u_N, 0)     jean_moreau  μ max(λ_N, 0)
// With the second the rows N and T choose their branch apart, and the slip row has no A_TN. J is factored by LU over the
// rows that are not decided by themselves; if a pivot is below 1e-12 of the largest, d is the least-squares solution of
// minimum norm. Steps are full (a = 1): on 1000 random problems 93 % are solved so, and 84 % with `line_search`, because
// ‖F‖ has local minima that are not zeros and a step has to climb out of them. After 100 steps without a better iterate
// the method gives up (`stalled`).
// `line_search` on ‖F‖: a = 1, ½, …, the first with ‖F⁺‖ < (1 − 1e-4 a)‖F‖ within 8 trials; none: the best of them is
// taken once, and unless it lowers ‖F‖ the method gives up.
// It starts with `warm_sweeps` sweeps of nsgs (without them 87 %).
// Guarantees: quadratic near a solution where J is regular. Failure modes: cycles on hyperstatic contacts, where J is
// singular, with mixed masses: use ppa_newton or auto. Dense n × n unless G is block-sparse and large.
// References: Alart, Curnier 1991; Jean, Moreau 1987; Acary, Brémond, Huber 2018.
#pragma once

#include <stiction/solver/core/progress.h>
#include <stiction/solver/linalg/minimum_norm.h>
#include <stiction/solver/newton/newton_system.h>
#include <stiction/solver/sweep/nsgs.h>

#include <string>
#include <vector>

namespace stiction {

struct AcNewtonOptions : CommonOptions {
  std::string variant = "alart_curnier";
  double rho_factor = 1.0;
  bool line_search = false;
  int warm_sweeps = 50;

  AcNewtonOptions() { max_iterations = 200; }
  static constexpr auto fields() {
    using O = AcNewtonOptions;
    return extend(
        CommonOptions::fields(),
        Field{"variant", &O::variant, "alart_curnier or jean_moreau: the radius [-]", "alart_curnier jean_moreau"},
        Field{"rho_factor", &O::rho_factor, "ρ in units of 1/(G + R)_ii, > 0 [-]", "> 0"},
        Field{"line_search", &O::line_search, "halve steps until the map shrinks [-]"},
        Field{"warm_sweeps", &O::warm_sweeps, "sweeps of nsgs at the start, 0 for none [-]", ">= 0"});
  }
};

// Derivative of one block of F: which rows of A are not zero, and the slip terms.
struct AcSlope {
  bool normal = false;            // A_NN = ρ_N, or all rows of a block that is no contact
  Branch tangent = Branch::open;  // contacts only
  double d1 = 0.0, d2 = 0.0, ratio = 0.0;
  double velocity = 0.0, impulse = 0.0;  // A_TN = velocity ρ_N d, B_TN = −impulse d
};

class AcNewton : public Method<AcNewtonOptions> {
 public:
  static constexpr const char* kName = "ac_newton";
  static constexpr About kAbout{"semismooth Newton on the Alart-Curnier or Jean-Moreau map, after sweeps of nsgs",
                                "Alart, Curnier 1991; Jean, Moreau 1987; Acary, Bremond, Huber 2018",
                                "hyperstatic contacts, where the Jacobian is singular; large mass ratios"};
  static constexpr std::array kLaws{FrictionLaw::coulomb};
  explicit AcNewton(const Options& options = {});

  Report solve(const ContactProblem& problem, VecOut lambda) override;
  void record(History* history) override {
    history_ = history;
    nsgs_.record(history);
  }

 private:
  void load(const ContactProblem& problem);
  void multiply(const double* x, double* y) const;
  void velocity(const ContactProblem& problem);
  double map_norm(const ContactProblem& problem, const double* lambda, const double* u, double* F);
  void choose_rows(const ContactProblem& problem);
  void write_block(const Block& block, const AcSlope& slope);
  void assemble(const ContactProblem& problem);
  bool direction(const ContactProblem& problem);
  bool search(const ContactProblem& problem);
  Status iterate(const ContactProblem& problem, int sweeps);

  bool jean_moreau_;
  Nsgs nsgs_;
  NewtonSystem sparse_;
  MinimumNorm minimum_norm_;
  std::vector<double> W_, J_;  // row-major
  std::vector<int> active_, place_, pivot_;
  std::vector<AcSlope> slope_;
  std::vector<ContactSlope> contact_slope_;
  GrowingVec rho_, lambda_, u_, F_, d_, image_, pull_, rhs_, trial_lambda_, trial_u_, trial_F_, scratch_;
  double norm_ = 0.0;
  int rows_ = 0, steps_ = 0, factorisations_ = 0;
  bool use_sparse_ = false;
};

}  // namespace stiction
