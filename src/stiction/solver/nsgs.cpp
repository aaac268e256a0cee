// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/catalog.h>
#include <stiction/solver/nsgs.h>

namespace stiction {

Report Nsgs::solve(const ContactProblem& problem, VecOut lambda) {
  if (problem.law.kind != FrictionLaw::coulomb) return refuse(kName);
  if (options_.over_relaxation == 1.0 && DenseSweep::fits(problem)) return solve_dense(problem, lambda);
  sweep_.local.prepare(problem, true);
  const LocalBlocks& local = sweep_.local;
  const double omega = options_.over_relaxation;
  const auto exact = [&local](const Block& block, int i, const double* u, double* x) {
    if (block.kind == BlockKind::coulomb)
      local.solve_contact(i, u, x);
    else
      local.solve_other(block, i, 1.0, u, x);
  };
  if (omega == 1.0) return sweep_.run(problem, options_, kName, lambda, exact);
  const auto relaxed = [&](const Block& block, int i, const double* u, double* x) {
    if (block.kind != BlockKind::coulomb) return local.solve_other(block, i, omega, u, x);
    const double old[3] = {x[0], x[1], x[2]};
    local.solve_contact(i, u, x);
    for (int r = 0; r < 3; ++r) x[r] = omega * x[r] + (1.0 - omega) * old[r];
    project_block(block, problem.law, x);
  };
  return sweep_.run(problem, options_, kName, lambda, relaxed);
}

Report Nsgs::solve_dense(const ContactProblem& p, VecOut lambda) {
  rules_.resize(p.blocks.size());
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    double w[9];
    std::copy_n(p.G.diagonal_block(static_cast<int>(i)), 9, w);
    if (p.compliant())
      for (int r = 0; r < 3; ++r) w[4 * r] += p.compliance[p.blocks[i].row + r];
    rules_[i].prepare(w, p.blocks[i].mu);
  }
  dense_.pack(p);
  return sweep_.run_dense(p, options_, kName, lambda, dense_, rules_.data());
}

SolverInfo nsgs_info() {
  return describe_solver<Nsgs>("nonsmooth Gauss-Seidel with exact one-contact solves and Anderson acceleration",
                               "Jourdan, Alart, Jean 1998; Acary, Bremond, Huber 2017",
                               "limit cycles; slow on hyperstatic stacks and large mass ratios",
                               {FrictionLaw::coulomb});
}

}  // namespace stiction
