// SPDX-License-Identifier: BSD-2-Clause
// RaiSim's per-contact iteration: block after block with the newest λ, the one-contact problem is solved (raisim_contact.h) and
//   λ_i ← (1 − α) λ_i + α λ_i*,    α₀ = 1,  α ← γ α + (1 − γ) α_min after each sweep                         (1)
// Unilateral and box rows take λ ← P(λ − α u/G_ii); bilateral rows are eliminated. The law's direction of slip keeps the
// diagonal block of the matrix that was given, which is what the judge looks at.
// Variants: `exact` and `faithful` solve the law raisim, `corrected` solves coulomb; `auto` is exact or corrected by the law.
// A fixed point of (1) solves the law. The judge of that law ends the loop: exact Coulomb's would never accept a sliding
// contact of the law raisim.
// Failure modes: no proof of convergence; with α near α_min the error falls by (1 − α_min) per sweep at best; creeps on
// large mass ratios (a 1000 kg cube on a 1 g cube: 0.1 % of the weight after 1e4 sweeps). `faithful` solves a contact to
// 1e-6 N only.
// Reference: Hwangbo, Lee, Hutter 2018; Le Lidec et al. 2024, Alg. 5 and (25) with α and 1 − α exchanged, as its text says.
#pragma once

#include <stiction/solver/core/best_iterate.h>
#include <stiction/solver/core/bilateral_elimination.h>
#include <stiction/solver/local/local_blocks.h>
#include <stiction/solver/local/raisim_contact.h>
#include <stiction/solver/sweep/block_sweep.h>

#include <string>

namespace stiction {

struct BisectionOptions : CommonOptions {
  std::string variant = "auto";
  double alpha_min = 0.1;
  double gamma = 0.99;
  int test_interval = 20;
  double first_angle = RaisimWalk{}.first_angle;
  double backtrack = RaisimWalk{}.backtrack;
  double growth = RaisimWalk{}.growth;
  double local_tolerance = RaisimWalk{}.tolerance;

  BisectionOptions() { eliminate_bilateral = true; }
  static constexpr auto fields() {
    using O = BisectionOptions;
    return std::tuple_cat(
        common_fields<O>(),
        std::tuple{
            Field<O, std::string>{"variant", &O::variant,
                                  "auto, exact, faithful (law raisim), corrected (coulomb) [-]"},
            Field<O, double>{"alpha_min", &O::alpha_min, "share of a new impulse in the long run, in ]0, 1] [-]"},
            Field<O, double>{"gamma", &O::gamma, "share of the last α in the next one, in [0, 1] [-]"},
            Field<O, int>{"test_interval", &O::test_interval, "sweeps between two calls of the judge at most [-]"},
            Field<O, double>{"first_angle", &O::first_angle, "faithful: first step of the angle [rad]"},
            Field<O, double>{"backtrack", &O::backtrack, "faithful: factor of a step that went too far, in ]0, 1[ [-]"},
            Field<O, double>{"growth", &O::growth, "faithful: factor of the next step, >= 1 [-]"},
            Field<O, double>{"local_tolerance", &O::local_tolerance, "faithful: precision of one contact [N]"}});
  }
  void check() const;
};

class Bisection : public Solver {
 public:
  using Options = BisectionOptions;
  static constexpr const char* kName = "bisection";
  static constexpr bool kEliminates = true;  // the law's direction of slip must survive it
  explicit Bisection(const Options& options = {}) : options_(options) {}

  Report solve(const ContactProblem& problem, VecOut lambda) override;

 private:
  bool choose_variant(const FrictionLaw& law);
  bool load(const ContactProblem& problem, VecOut lambda);
  void prepare_contacts(const ContactProblem& problem);
  SweepChange sweep(double alpha);

  Options options_;
  RaisimVariant variant_ = RaisimVariant::exact;
  RaisimWalk walk_;
  const ContactProblem* problem_ = nullptr;  // the one that is iterated on: given or reduced
  double* x_ = nullptr;                      // its λ
  bool reduced_used_ = false;
  BilateralElimination elimination_;
  LocalBlocks local_;
  std::vector<RaisimContact> contacts_;
  std::vector<int> order_;
  BestIterate best_;
  BlockSweep sweep_;
  SweepWatch watch_;
  GrowingVec reduced_;
};

SolverInfo bisection_info();

}  // namespace stiction
