// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/sweep/coloured_sweep.h>

namespace stiction {

void ColouredSweep::begin(const ContactProblem& problem, bool largest_first, int threads) {
  colouring_.update(problem.G, largest_first);
  shared_ = threads > 1 && problem.G.storage != Delassus::Storage::dense;
  if (!shared_ || (pool_ && pool_->threads() == threads)) return;
  pool_ = std::make_unique<ThreadPool>(threads);
  pieces_.resize(threads);
}

}  // namespace stiction
