// SPDX-License-Identifier: BSD-2-Clause
// A plain linear complementarity problem as a ContactProblem:  w = M z + q,  0 ≤ z ⟂ w ≥ 0, M any square matrix.
// Every row is a unilateral block; λ is z and u is w. `general` says that M need not be positive semidefinite, so that
// only solvers which promise nothing about M take it.
#pragma once

#include <stiction/problem/contact_problem.h>

namespace stiction {

// Throws InvalidInput if M is not square, q does not fit, or an entry is not finite.
ContactProblem lcp_problem(const Mat& M, const VecRef& q);
// The same in parts, for loops: gives `out` n rows and allocates only if it never had as many. The caller fills out.G.dense
// (M, row-major) and out.g (q), then calls out.G.refresh_diagonal(). Nothing is checked.
void shape_lcp(int n, ContactProblem& out);

// ‖min(z, Mz + q)‖∞ / max(1, ‖q‖∞): zero iff z solves the problem; NaN if anything is not finite.
double lcp_error(const Mat& M, const VecRef& q, const VecRef& z);

}  // namespace stiction
