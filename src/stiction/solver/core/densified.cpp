// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/densified.h>

namespace stiction {

Report DensifiedSolver::solve(const ContactProblem& problem, VecOut lambda) {
  if (problem.G.storage != Delassus::Storage::matrix_free) return inner_->solve(problem, lambda);
  problem.G.densify(dense_.G, unit_, scratch_);
  dense_.g = problem.g;
  dense_.blocks = problem.blocks;
  dense_.compliance = problem.compliance;
  dense_.law = problem.law;
  dense_.general = problem.general;
  dense_.dt = problem.dt;
  return inner_->solve(dense_, lambda);
}

}  // namespace stiction
