// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/densified.h>

namespace stiction {

Report DensifiedSolver::solve(const ContactProblem& problem, VecOut lambda) {
  if (problem.G.storage != Delassus::Storage::matrix_free) return inner_->solve(problem, lambda);
  problem.G.densify(dense_.G, unit_, scratch_);
  copy_all_but_matrix(problem, dense_);
  return inner_->solve(dense_, lambda);
}

}  // namespace stiction
