// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/written_out.h>

namespace stiction {

Report WrittenOutSolver::solve(const ContactProblem& problem, VecOut lambda) {
  if (problem.G.storage != Delassus::Storage::matrix_free) return inner_->solve(problem, lambda);
  problem.G.densify(written_.G, unit_, scratch_);
  written_.g = problem.g;
  written_.blocks = problem.blocks;
  written_.compliance = problem.compliance;
  written_.law = problem.law;
  written_.general = problem.general;
  written_.dt = problem.dt;
  return inner_->solve(written_, lambda);
}

}  // namespace stiction
