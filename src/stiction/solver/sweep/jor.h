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
  void check() const { check_stop("jor"); }
};

class Jor : public ProxMethod<JorOptions> {
 public:
  static constexpr const char* kName = "jor";
  static constexpr About kAbout{"proximal Jacobi with over-relaxation", "Gehring et al. 2014, (15), (17)-(20)",
                                "diverges if alpha exceeds 2/λmax(D⁻¹G); slow on large mass ratios"};
  using ProxMethod::ProxMethod;

  Report solve(const ContactProblem& problem, VecOut lambda) override {
    return run(problem, ProxSweep::Order::jacobi, kName, lambda);
  }
};

}  // namespace stiction
