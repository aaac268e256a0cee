// SPDX-License-Identifier: BSD-2-Clause
// Projected Gauss-Seidel: for each contact i in turn, the others frozen, with G including R and step factor ω:
//   coulomb   λ_N ← max(0, λ_N − ω u_N / G_NN)                                                               (1)
//             λ_T ← P_disc(μλ_N)( λ_T − ω u_T / min(G_T1T1, G_T2T2) ),  u_T recomputed after (1)               (2)
//   pyramid   the same, with the polygon in place of the disc; axes of the four-facet pyramid are turned by its angle
//   convex    λ ← P_K( λ − ω · 3/tr(G_ii) · u )                                                               (3)
// Option safe_step: 1/λmax(G_TT) in (2) and 1/λmax(G_ii) in (3), which never over-step; option local_exact (coulomb
// only): the exact one-contact solve instead of (1, 2). Other blocks: local_blocks.h with the factor ω.
// A fixed point solves the law's problem. (3) converges, slowly; (1, 2) have no guarantee: 1/min(…) over-steps when G_TT
// is anisotropic, and large mass ratios need very many sweeps. Loop, triggers and detectors: gauss_seidel.h.
// Reference: Le Lidec et al. 2024, Alg. 1, 2, 6. Deviation: the velocity in (2) is the one after (1).
#pragma once

#include <stiction/solver/sweep/gauss_seidel.h>

namespace stiction {

struct PgsOptions : SweepOptions {
  bool safe_step = false;
  bool local_exact = false;

  PgsOptions() { anderson = 0; }  // the published method; windows > 0 are offered
  static constexpr auto fields() {
    using O = PgsOptions;
    return extend(
        SweepOptions::fields(), Field{"safe_step", &O::safe_step, "steps 1/λmax of the block, never too long [-]"},
        Field{"local_exact", &O::local_exact, "exact one-contact solves, law coulomb only; shuts safe_step out [-]"});
  }
  void check() const;
};

class Pgs : public Method<PgsOptions> {
 public:
  static constexpr const char* kName = "pgs";
  static constexpr About kAbout{"projected Gauss-Seidel", "Le Lidec et al. 2024, Alg. 1, 2, 6",
                                "slow on large mass ratios; over-steps when G_TT is anisotropic (see safe_step)"};
  static constexpr std::array kLaws{FrictionLaw::coulomb, FrictionLaw::convex, FrictionLaw::pyramid};
  static constexpr GeneralMatrix kGeneral = GeneralMatrix::positive_diagonal;
  static constexpr bool kPatches = true;
  using Method::Method;

  Report solve(const ContactProblem& problem, VecOut lambda) override;

 private:
  struct Step {
    double normal, tangential;  // ω / G_NN and ω / G_TT; the convex law uses `normal` for all three rows
  };
  void prepare_steps(const ContactProblem& problem);
  void run(const ContactProblem& problem, VecOut lambda);
  void run_dense(const ContactProblem& problem, VecOut lambda);

  GaussSeidel sweep_;
  std::vector<Step> steps_;
  DenseSweep dense_;
  std::vector<ProjectionRule> rules_;
};

}  // namespace stiction
