// SPDX-License-Identifier: BSD-2-Clause
// Contact problems given by bodies, the "global form" of the literature:
//
//   M v = Jᵀ λ + f,   u = J v + w          M positive definite, block diagonal: one block per body (or tree of bodies)
//
// kept in body space (G = J M⁻¹ Jᵀ = H Hᵀ is never formed), or condensed to the blocks of G.
// Velocities that M connects form a group; so do velocities 6k … 6k + 5 if M connects them with no other, because files
// of rigid bodies have diagonal M and a body should stay together. A group is factored as a whole, from its last velocity to its first, so
// that a tree numbered from its root keeps its zeros. Fails with InvalidInput if a block of M is not positive definite.
#pragma once

#include <stiction/problem/contact_problem.h>

#include <vector>

namespace stiction {

// Compressed rows; entries of the same place add.
struct SparseRows {
  int rows = 0, columns = 0;
  std::vector<int> start, column;  // rows + 1; one per entry
  std::vector<double> values;
};

// Fills problem.G (storage body_space, rows as in problem.blocks) and problem.g = J M⁻¹ f + w.
void fill_body_form(const SparseRows& M, const SparseRows& J, const VecRef& f, const VecRef& w,
                    ContactProblem& problem);

// The same G as blocks: only pairs of blocks that share a group, or whose entries are not all zero.
Delassus condense(const Delassus& G);

// H (body_space) or G (other storages) as compressed rows without its zeros.
SparseRows sparse_rows(const Delassus& G);

}  // namespace stiction
