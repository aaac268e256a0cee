// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/entry.h>
#include <stiction/solver/sweep/sor.h>

namespace stiction {

void SorOptions::check() const {
  require_option(alpha > 0.0 && alpha <= 4.0, "sor", "alpha", alpha, "a value in ]0, 4]");
  check_prox("sor");
}

Report Sor::solve(const ContactProblem& problem, VecOut lambda) {
  if (problem.law.kind == FrictionLaw::raisim || too_many_facets(problem.law)) return refuse(kName);
  const auto order = options_.split_velocity ? ProxSweep::Order::split : ProxSweep::Order::gauss_seidel;
  return sweep_.solve(problem, options_, order, kName, lambda, history_);
}

SolverInfo sor_info() {
  return describe_solver<Sor>("proximal successive over-relaxation", "Gehring et al. 2014, (16), (17)-(20)",
                              "slow on large mass ratios; strongly coupled rows of one contact need split_velocity",
                              {FrictionLaw::coulomb, FrictionLaw::convex, FrictionLaw::pyramid});
}

}  // namespace stiction
