// SPDX-License-Identifier: BSD-2-Clause
// Contacts that wedge: impulses inside of their friction cones that move nothing,
//   W y = 0,  y_i ∈ K_i, y ≠ 0,   W the rows and columns of one contact, or of two, in G + R                        (1)
// so that they can grow without bound (wedging, Whitney 1982): a peg in a tight hole, a gripper, a contact with what cannot move. Then no solution need
// exist, and where one does its impulse is not unique. The y of (1) that is nearest to pure normal impulses is the projection
// of (0, 0, 1, …) on the null space (eigenvalues below 1e-11 of the largest, each contact scaled by its own trace); it is in
// the cone if any y of one contact is. For two contacts that is a sufficient test, not a necessary one.
// Cost: one eigenvalue decomposition of size 3 or 6 per contact and pair; for reports, not for steps.
#pragma once

#include <stiction/problem/contact_problem.h>

#include <vector>

namespace stiction {

struct Wedge {
  int first = 0, second = -1;  // blocks; second is −1 if one contact wedges by itself
  bool inside = false;         // strictly inside of the cones, not on their boundary
  double closing = 0.0;  // −g·y with λ_N of the larger one = 1: above zero, the free velocity runs into the wedge [m/s]
};

// Singles first. Pairs among at most `most_pairs` contacts: beyond it, only contacts by themselves are looked at.
std::vector<Wedge> find_wedges(const ContactProblem& problem, int most_pairs = 200);

}  // namespace stiction
