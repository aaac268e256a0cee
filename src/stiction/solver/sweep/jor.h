// SPDX-License-Identifier: BSD-2-Clause
// Proximal Jacobi with over-relaxation: every row from the last iterate, prox_sweep.h (1)-(4). Converges on sticking
// contacts iff α < α_max = 2/λmax(D⁻¹(G + R)); the default takes α_max/2, the rule of the published tables, estimated by
// fifteen products with G before the first iteration.
// Reference: Gehring et al. 2014, (15), (17)-(20). Failure modes: given an α beyond the bound it diverges.
#pragma once

#include <stiction/solver/sweep/prox_sweep.h>

namespace stiction {

struct JorOptions : ProxOptions {
  JorOptions() { alpha = 0.0; }
  static constexpr auto fields() {
    return prox_fields<JorOptions>("step factor α, 0 takes half of the largest that converges in stiction [-]");
  }
  void check() const;
};

class Jor : public Solver {
 public:
  using Options = JorOptions;
  static constexpr const char* kName = "jor";
  static constexpr GeneralMatrix kGeneral = GeneralMatrix::positive_diagonal;
  static constexpr bool kEliminates = true;  // with the steps of the matrix before the elimination
  explicit Jor(const Options& options = {}) : options_(options) {}

  Report solve(const ContactProblem& problem, VecOut lambda) override;

 private:
  Options options_;
  ProxSweep sweep_;
};

SolverInfo jor_info();

}  // namespace stiction
