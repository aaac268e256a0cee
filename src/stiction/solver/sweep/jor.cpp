// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/entry.h>
#include <stiction/solver/sweep/jor.h>

namespace stiction {

void JorOptions::check() const {
  require_option(alpha >= 0.0 && alpha <= 4.0, "jor", "alpha", alpha, "a value in ]0, 4], or 0 for half of the bound");
  check_prox("jor");
}

Report Jor::solve(const ContactProblem& problem, VecOut lambda) {
  if (problem.law.kind == FrictionLaw::raisim || too_many_facets(problem.law)) return refuse(kName);
  return sweep_.solve(problem, options_, ProxSweep::Order::jacobi, kName, lambda, history_);
}

SolverInfo jor_info() {
  return describe_solver<Jor>("proximal Jacobi with over-relaxation", "Gehring et al. 2014, (15), (17)-(20)",
                              "diverges if alpha exceeds 2/λmax(D⁻¹G); slow on large mass ratios",
                              {FrictionLaw::coulomb, FrictionLaw::convex, FrictionLaw::pyramid});
}

}  // namespace stiction
