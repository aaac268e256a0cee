// SPDX-License-Identifier: BSD-2-Clause
// Internal forces: the part of λ that moves nothing. With P the orthogonal projection on the null space of G + R,
//   λ_internal = P λ,   (G + R) λ_internal = 0                                                                     (1)
// so that λ − λ_internal gives the same velocities and is the shortest impulse that does. It may lie outside of the friction
// cones: (1) measures how far λ is from minimum norm, it is no better solution. Hyperstatic contact (four feet, a cube on
// four corners) has internal forces unless a solver takes care; a warm start brings those of its guess.
// The null space is spanned by the eigenvectors of the symmetric part with eigenvalues below 1e-10 of the largest.
// Cost: one dense eigenvalue decomposition; for reports, not for steps.
#pragma once

#include <stiction/problem/contact_problem.h>

namespace stiction {

Vec internal_impulse(const ContactProblem& problem, const VecRef& lambda);

}  // namespace stiction
