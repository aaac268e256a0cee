// SPDX-License-Identifier: BSD-2-Clause
// The solvers alone, without any bodies: one contact of a 2 kg particle that falls at 1 m/s and slides at 3 m/s.
// Closed form: the normal impulse stops the fall, friction takes mu of it against the slip: 2 kg (-0.5, 0, 1) m/s.
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include <algorithm>
#include <cstdio>

int main() {
  const stiction::Mat G = stiction::Mat::Identity(3, 3) / 2.0;  // rows T1, T2, N [1/kg]
  const stiction::Vec g = stiction::Vec3(3.0, 0.0, -1.0);       // free velocity [m/s]
  const stiction::Vec mu = stiction::Vec::Constant(1, 0.5);
  const stiction::ContactProblem problem = stiction::ContactProblem::from_dense(G, g, mu, {}, 1e-3);
  problem.validate();

  bool solved = true;
  for (const stiction::SolverInfo& info : stiction::solver_catalog()) {
    if (std::count(info.laws.begin(), info.laws.end(), stiction::FrictionLaw::coulomb) == 0) continue;
    stiction::Vec impulse = stiction::Vec::Zero(3);
    const stiction::Report report = stiction::make_solver(info.name)->solve(problem, impulse);
    std::printf("%-14s impulse (%.5f, %.5f) N s   %s\n", info.name.c_str(), impulse[0], impulse[2],
                name(report.status));
    solved = solved && (impulse - stiction::Vec3(-1.0, 0.0, 2.0)).norm() <= 1e-6;
  }
  return solved ? 0 : 1;
}
