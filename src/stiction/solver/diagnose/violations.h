// SPDX-License-Identifier: BSD-2-Clause
// Which blocks break their law, in what respect and by how much: the judge's maxima taken apart, for people to read. Every
// respect is compared in units of its own scale (impulses: max‖λ_i‖, velocities: max(‖u_i‖, ‖g_i‖) over the blocks of the same
// kind of rows); `amount` is physical.
//   penetration  (−u_N)₊                    closing although it may not                                     [m/s]
//   cone         (‖λ_T‖ − μλ_N)₊, (−λ_N)₊   more friction than the cone allows, or pulling                  [N s]
//   separation   min(λ_N, u_N)              pressing while it opens; the amount is u_N                      [m/s]
//   slip         tangential natural map     sliding that friction should stop, or not opposed to friction;
//                                           the amount is ‖u_T‖                                             [m/s]
//   joint        ‖u‖ of a bilateral block   a joint that comes apart                                        [m/s]
//   bound        a box row whose velocity has the wrong sign for its impulse; the amount is |u|             [m/s]
#pragma once

#include <stiction/problem/contact_problem.h>

#include <vector>

namespace stiction {

struct Violation {
  enum Component { penetration, cone, separation, slip, joint, bound } component = penetration;
  int block = 0;          // number in ContactProblem::blocks
  double amount = 0.0;    // physical
  double relative = 0.0;  // to the scale of the problem [-]
};

const char* name(Violation::Component component);

// The worst component of every block that is wrong by more than `least` (relative), worst first.
std::vector<Violation> find_violations(const ContactProblem& problem, const VecRef& lambda, double least);

}  // namespace stiction
