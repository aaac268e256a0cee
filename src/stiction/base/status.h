// SPDX-License-Identifier: BSD-2-Clause
// How a numerical task ended. Not an error: see docs/architecture.md, "Errors".
#pragma once

namespace stiction {

enum class Status {
  converged,          // the judge accepted the result
  stalled,            // no further progress above the tolerance; never reported as converged
  max_iterations,     // the budget ended first
  infeasible,         // proven: no velocity satisfies all constraints (solver/diagnose/feasibility.h)
  numerical_failure,  // NaN, Inf, or a factorisation that failed; the best finite result is returned
  invalid_problem,    // the problem itself is not finite or the solver does not support it
  unphysical,         // a step would end with more energy than anything gave: it is not made (step/core/energy_guard.h)
};

constexpr const char* name(Status s) {
  switch (s) {
    case Status::converged:
      return "converged";
    case Status::stalled:
      return "stalled";
    case Status::max_iterations:
      return "max_iterations";
    case Status::infeasible:
      return "infeasible";
    case Status::numerical_failure:
      return "numerical_failure";
    case Status::invalid_problem:
      return "invalid_problem";
    case Status::unphysical:
      return "unphysical";
  }
  return "unknown";
}

// The worse of two outcomes; the order of the enumeration is the order of severity.
constexpr Status worse(Status a, Status b) { return static_cast<int>(a) < static_cast<int>(b) ? b : a; }

}  // namespace stiction
