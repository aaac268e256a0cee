// SPDX-License-Identifier: BSD-2-Clause
// Why is a problem not solved, and by which contacts? For people and logs, after a solve that the judge did not accept.
//   solved       the judge accepts λ; nothing else is looked at
//   infeasible   proven: no velocity satisfies all constraints (feasibility.h); the contacts of the certificate are listed.
//                A certificate is a vertex: without any one of its contacts it would prove nothing.
//   jammed       contacts press against each other through what cannot move: existence is not decided
//   unsolved     some velocity lies strictly inside of the dual cones, so under Coulomb's and the convex law a solution exists:
//                the solver is to blame
//   undecided    none of it could be shown
// For all but the first two the contacts with the worst residual are listed (violations.h).
#pragma once

#include <stiction/problem/judge.h>
#include <stiction/solver/diagnose/feasibility.h>
#include <stiction/solver/diagnose/violations.h>
#include <stiction/solver/diagnose/wedges.h>

#include <string>
#include <vector>

namespace stiction {

struct Diagnosis {
  enum Verdict { solved, infeasible, jammed, unsolved, undecided } verdict = undecided;
  std::string sentence;     // for people
  std::vector<int> blocks;  // infeasible: of the certificate; jammed: of the null vector; else the worst, worst first
  std::vector<int> groups;  // body space: velocity groups (a body, a robot) that several of `blocks` push
  std::vector<Violation> violations;  // worst first, at most ten
  std::vector<Wedge> wedges;
  double closing_speed = 0.0;  // infeasible: what at least one of `blocks` closes at, whatever the impulses [m/s]
  Vec y;                       // certificate or null vector; else empty
  Residual residual;           // of the λ given
};

const char* name(Diagnosis::Verdict verdict);

// Throws InvalidInput if λ has the wrong size or is not finite. Cost: that of check_feasibility and find_wedges.
Diagnosis diagnose(const ContactProblem& problem, const VecRef& lambda, const Tolerance& tolerance = {});

}  // namespace stiction
