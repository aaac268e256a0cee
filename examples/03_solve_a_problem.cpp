// SPDX-License-Identifier: BSD-2-Clause
// Solve a contact problem given as arrays, without any bodies, and let the judge look at the answer.
// One contact of a 2 kg particle: it falls at 1 m/s and slides at 3 m/s; mu 0.5 gives λ = 2 kg · (−0.5, 0, 1) m/s.
#include <stiction/solver/solver.h>

#include <algorithm>
#include <cstdio>

int main() {
  bool solved = true;
  const stiction::Mat G = stiction::Mat::Identity(3, 3) / 2.0;  // (T1, T2, N) [1/kg]
  const stiction::Vec g = stiction::Vec3(3.0, 0.0, -1.0);       // free velocity [m/s]
  const stiction::Vec mu = stiction::Vec::Constant(1, 0.5);
  const stiction::ContactProblem problem = stiction::ContactProblem::from_dense(G, g, mu, {}, 1e-3);
  problem.validate();

  for (const stiction::SolverInfo& info : stiction::solver_catalog()) {
    if (std::count(info.laws.begin(), info.laws.end(), stiction::FrictionLaw::coulomb) == 0) continue;
    stiction::Vec lambda = stiction::Vec::Zero(3);
    const stiction::Report report = stiction::make_solver(info.name)->solve(problem, lambda);
    const stiction::Residual judged = stiction::evaluate(problem, lambda);
    std::printf("%-12s λ = (%+.6f, %+.6f, %+.6f) N s   natural map %.1e N   %s\n", info.name.c_str(), lambda[0],
                lambda[1], lambda[2], judged.natural, name(report.status));
    solved = solved && (lambda - 2.0 * stiction::Vec3(-0.5, 0.0, 1.0)).norm() <= 1e-6;
  }
  return solved ? 0 : 1;
}
