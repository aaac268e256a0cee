// SPDX-License-Identifier: BSD-2-Clause
// The loop of the published relaxation methods (jor, sor, bisection): iterate until the judge accepts, on the problem as given or
// with its bilateral rows eliminated. Given up (`stalled`): an iterate that no longer moves, a limit cycle (progress.h), and
// changes that grow by 1e8 (divergence). Every 100 sweeps the velocity in body space is made anew.
#pragma once

#include <stiction/solver/core/bilateral_elimination.h>
#include <stiction/solver/sweep/block_sweep.h>

namespace stiction {

class Relaxation {
 public:
  // The problem to iterate on, and its λ. False if the bilateral rows cannot be eliminated.
  bool load(const ContactProblem& problem, bool eliminate, VecOut lambda);
  const ContactProblem& problem() const { return *problem_; }
  double* lambda() const { return x_; }
  // Diagonal block i of the matrix before the elimination.
  const double* diagonal(int i) const {
    return reduced_used_ ? elimination_.original_diagonal(i) : problem_->G.diagonal_block(i);
  }

  // iterate() makes one iteration on lambda() and says how far it went; settled() ends the loop by a test of its own; the judge
  // is asked when it is due if `judged`, else at the end alone.
  template <class Iterate, class Settled>
  void run(const ContactProblem& problem, bool judged, VecOut lambda, Progress& best, BlockSweep& sweep,
           Iterate iterate, Settled settled);
  int factorisations() const { return reduced_used_ ? 1 : 0; }

 private:
  bool given_up(const Change& c, Progress& best);

  const ContactProblem* problem_ = nullptr;  // given or reduced
  double* x_ = nullptr;
  bool reduced_used_ = false;
  BilateralElimination elimination_;
  GrowingVec reduced_;
  double smallest_ = 0.0;  // change so far, squared
};

template <class Iterate, class Settled>
void Relaxation::run(const ContactProblem& p, bool judged, VecOut lambda, Progress& best, BlockSweep& sweep,
                     Iterate iterate, Settled settled) {
  constexpr int kRefresh = 100;
  smallest_ = std::numeric_limits<double>::infinity();
  while (best.next()) {
    const Change c = iterate();
    if (!c.finite()) return best.end(Status::numerical_failure);
    const bool stops = given_up(c, best) || settled(), spent = best.is_last() || best.time_is_up();
    const bool asks = stops || spent || (judged && best.due(c));
    if (reduced_used_ && (asks || best.recording())) elimination_.expand(p, reduced_.vec(), lambda);
    best.observe(p, lambda.data(), best.iteration());
    if (asks && best.offer(p, lambda.data())) return;
    if (stops) return best.end(Status::stalled);
    if (spent) return;
    if (asks) best.learn(c.relative());
    if (best.iteration() % kRefresh == 0) sweep.refresh(x_);
  }
}

}  // namespace stiction
