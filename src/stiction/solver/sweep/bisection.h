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

#include <stiction/solver/core/entry.h>
#include <stiction/solver/local/local_blocks.h>
#include <stiction/solver/local/raisim_contact.h>
#include <stiction/solver/sweep/relaxation.h>

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
  Pace pace() const { return {test_interval, 0}; }
  static constexpr auto fields() {
    using O = BisectionOptions;
    return extend(
        CommonOptions::fields(),
        Field{"variant", &O::variant, "auto, exact, faithful (law raisim), corrected (coulomb) [-]",
              "auto exact faithful corrected"},
        Field{"alpha_min", &O::alpha_min, "share of a new impulse in the long run, in ]0, 1] [-]", "]0, 1]"},
        Field{"gamma", &O::gamma, "share of the last α in the next one, in [0, 1] [-]", "[0, 1]"},
        Field{"test_interval", &O::test_interval, "sweeps between two calls of the judge at most [-]", ">= 1"},
        Field{"first_angle", &O::first_angle, "faithful: first step of the angle [rad]", "]0, 1]"},
        Field{"backtrack", &O::backtrack, "faithful: factor of a step that went too far, in ]0, 1[ [-]", "]0, 1["},
        Field{"growth", &O::growth, "faithful: factor of the next step, >= 1 [-]", "[1, 1000]"},
        Field{"local_tolerance", &O::local_tolerance, "faithful: precision of one contact [N]", "> 0"});
  }
  void check() const;
};

class Bisection : public Method<BisectionOptions> {
 public:
  static constexpr const char* kName = "bisection";
  static constexpr About kAbout{"RaiSim's per-contact iteration",
                                "Hwangbo, Lee, Hutter 2018; Le Lidec et al. 2024, Alg. 5",
                                "no guarantee; damped to alpha_min it is slow, and creeps on large mass ratios"};
  static constexpr std::array kLaws{FrictionLaw::coulomb, FrictionLaw::raisim};
  static constexpr bool kEliminates = true;  // the law's direction of slip must survive it
  static constexpr const char* kNoBilateral = "the method has no bilateral rows";
  using Method::Method;

  Report solve(const ContactProblem& problem, VecOut lambda) override;

 private:
  bool choose_variant(const FrictionLaw& law);
  void prepare_contacts(const ContactProblem& problem);
  Change sweep(double alpha);

  RaisimVariant variant_ = RaisimVariant::exact;
  RaisimWalk walk_;
  Relaxation relaxation_;
  LocalBlocks local_;
  std::vector<RaisimContact> contacts_;
  BlockSweep sweep_;
};

}  // namespace stiction
