// SPDX-License-Identifier: BSD-2-Clause
// Pinocchio 4.1's constraint solvers on a ContactProblem of contacts with friction, behind a wall: their headers cost a
// minute of compilation. Their rows are (T1, T2, N) like ours and λ is an impulse, so G, g and mu are handed over as they
// are: a dense Delassus operator and one point contact model per contact (a plain vector of one type: no variants).
#pragma once

#include <stiction/problem/contact_problem.h>

#include <memory>

namespace stiction::bench {

struct PeerAnswer {
  int iterations = 0;
  bool converged = false;  // by its own test
  double seconds = 0.0;    // of solve() alone: operator, models and guess are ready before
};

class Peer {
 public:
  virtual ~Peer() = default;
  // Takes a copy of the problem; not timed.
  virtual void load(const ContactProblem& problem) = 0;
  // λ: the guess on entry, the answer on return. `tolerance` sets its four tolerances.
  virtual PeerAnswer solve(double tolerance, int max_iterations, Vec& lambda) = 0;
};

std::unique_ptr<Peer> pinocchio_admm();
std::unique_ptr<Peer> pinocchio_pgs();

}  // namespace stiction::bench
