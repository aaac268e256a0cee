// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/local/alart_curnier.h>

#include <algorithm>

namespace stiction {

double mean_diagonal(const ContactProblem& problem) {
  double sum = 0.0;
  for (int i = 0; i < problem.G.blocks(); ++i) {
    const Block& b = problem.blocks[i];
    const double* w = problem.G.diagonal_block(i);
    for (int k = 0; k < b.size; ++k) sum += w[k * b.size + k] + problem.R(b.row + k);
  }
  const double mean = sum / std::max(1, problem.rows());
  return mean > 0.0 ? mean : 1.0;
}

void alart_curnier_steps(const ContactProblem& problem, double factor, double damping, double floor, double* rho) {
  for (int i = 0; i < problem.G.blocks(); ++i) {
    const Block& b = problem.blocks[i];
    const double* w = problem.G.diagonal_block(i);
    if (b.kind == BlockKind::coulomb) {
      const double w00 = w[0] + problem.R(b.row), w11 = w[4] + problem.R(b.row + 1), w01 = 0.5 * (w[1] + w[3]);
      const double half = 0.5 * (w00 - w11);
      const double top = 0.5 * (w00 + w11) + std::sqrt(half * half + w01 * w01);  // λ_max of the tangential block
      rho[b.row] = rho[b.row + 1] = factor / std::max(top + damping, floor);
      rho[b.row + 2] = factor / std::max(w[8] + problem.R(b.row + 2) + damping, floor);
    } else {
      for (int k = 0; k < b.size; ++k)
        rho[b.row + k] = factor / std::max(w[k * b.size + k] + problem.R(b.row + k) + damping, floor);
    }
  }
}

}  // namespace stiction
