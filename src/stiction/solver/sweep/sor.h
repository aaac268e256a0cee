// SPDX-License-Identifier: BSD-2-Clause
// Proximal successive over-relaxation: block after block with the newest λ, contacts first, then bilateral rows one by one,
// prox_sweep.h (1)-(4). With α = 1 and split_velocity it is projected Gauss-Seidel with the safer step 1/max(G_TT).
// On contacts that stick and single rows it is Gauss-Seidel relaxation, which converges for 0 < α < 2; inside a contact
// the rows are taken at once unless split_velocity is set, so that strongly coupled rows of one contact can diverge.
// Reference: Gehring et al. 2014, (16), (17)-(20).
#pragma once

#include <stiction/solver/sweep/prox_sweep.h>

namespace stiction {

struct SorOptions : ProxOptions {
  bool split_velocity = false;

  static constexpr auto fields() {
    return extend(ProxOptions::fields(), Field{"split_velocity", &SorOptions::split_velocity,
                                               "update the velocity between the projections of one block [-]"});
  }
  void check() const {
    require_option(alpha > 0.0, "sor", "alpha", alpha, "a value in ]0, 2]");
    check_stop("sor");
  }
};

class Sor : public ProxMethod<SorOptions> {
 public:
  static constexpr const char* kName = "sor";
  static constexpr About kAbout{"proximal successive over-relaxation", "Gehring et al. 2014, (16), (17)-(20)",
                                "slow on large mass ratios; strongly coupled rows of one contact need split_velocity"};
  using ProxMethod::ProxMethod;

  Report solve(const ContactProblem& problem, VecOut lambda) override {
    const auto order = options_.split_velocity ? ProxSweep::Order::split : ProxSweep::Order::gauss_seidel;
    return run(problem, order, kName, lambda);
  }
};

}  // namespace stiction
