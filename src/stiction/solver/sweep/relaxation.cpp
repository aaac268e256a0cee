// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/sweep/relaxation.h>

namespace stiction {

bool Relaxation::load(const ContactProblem& p, bool eliminate, VecOut lambda) {
  reduced_used_ = eliminate && BilateralElimination::needed(p);
  problem_ = &p, x_ = lambda.data();
  if (!reduced_used_) return true;
  if (!elimination_.load(p)) return false;
  problem_ = &elimination_.reduced();
  reduced_.resize(problem_->rows());
  elimination_.restrict_to_reduced(lambda, reduced_.vec());
  x_ = reduced_.data();
  return true;
}

bool Relaxation::given_up(const Change& c, Progress& best) {
  constexpr double kGrowth = 1e8, kMoving = 1e-3;  // a diverging iteration: its change grows, and is not small beside λ
  smallest_ = std::min(smallest_, c.change);
  if (c.change == 0.0) return true;
  if (c.change > kGrowth * kGrowth * smallest_ && c.change > kMoving * kMoving * c.size) return true;
  return best.cycles(c.change, x_, problem_->rows());
}

}  // namespace stiction
