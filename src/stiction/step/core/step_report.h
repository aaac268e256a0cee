// SPDX-License-Identifier: BSD-2-Clause
// How a step went, or n of them.
#pragma once

#include <stiction/solver/core/solver.h>

namespace stiction {

// Of one step, or of n: the worst status, the largest residuals, summed iterations.
struct StepReport {
  Status status = Status::converged;
  int iterations = 0;
  int factorisations = 0;
  int steps = 0;       // steps made
  int unaccepted = 0;  // steps of which some island was not accepted by the judge
  int contacts = 0;    // contact points of the last step
  int islands = 0;     // islands of the last step
  Residual own, ncp;
  double penetration = 0.0;     // deepest overlap met [m]
  int fallbacks = 0;            // islands that the solver failed on and another one solved (stewart_trinkle)
  int corrections_dropped = 0;  // islands solved with less drift correction than asked for, or with none
  int turning_bounded = 0;      // steps made with bounded velocity forces: something turns by a radian and more in them
  double excess = 0.0;          // energy that an `unphysical` step would have had beyond what was given to it [J]
  double imbalance = 0.0;       // largest error in the energy of a step that energy_balance took out (moreau) [J]
  // of steppers on soft contacts
  int substeps = 0;       // parts that the steps were made in
  int switches = 0;       // parts at whose end other contacts were active (with switch_refinement)
  int exact_solves = 0;   // contact problems that the automatic order solved exactly
  double estimate = 0.0;  // largest error estimate of a part: of the velocities [m/s, rad/s]

  // What a stepper begins with: one step in one part.
  static StepReport of_one_step();
  // The status becomes this one if it is worse, and the step counts as not accepted.
  void refuse(Status reason) { status = worse(status, reason), unaccepted = 1; }
  // Whether the state is that of the step before.
  bool not_made() const { return status == Status::numerical_failure || status == Status::unphysical; }
  // Something is not finite: the step is not made.
  StepReport& failed() { return status = Status::numerical_failure, unaccepted = 1, *this; }
};

// Steps that were made after those of `total`.
void merge(StepReport& total, const StepReport& later);
// Larger of two residuals, entry by entry; NaN stays.
void keep_largest(const Residual& from, Residual& into);

}  // namespace stiction
