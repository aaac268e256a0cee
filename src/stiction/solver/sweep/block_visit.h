// SPDX-License-Identifier: BSD-2-Clause
// What a Gauss-Seidel sweep does at one block i, in every storage with rows of G:
//   u_i = ((G + R)λ + g)_i with the newest λ,   λ_i ← update(i, u_i, λ_i),   in body space ŵ += H_iᵀ Δλ_i
// Reads λ (or ŵ) of the blocks that touch block i and writes that of block i alone: blocks that do not touch each other
// may be visited at the same time, except in dense storage, whose row product reads every λ.
#pragma once

#include <stiction/problem/contact_problem.h>
#include <stiction/solver/core/progress.h>

namespace stiction {

class BlockVisit {
 public:
  // `velocity` is ŵ = Hᵀλ in body space, unused in the other storages.
  // `G` is the problem's own matrix, or the same one in another storage.
  BlockVisit(const ContactProblem& problem, const Delassus& G, double* lambda, double* velocity)
      : p_(problem),
        G_(G),
        lambda_(lambda),
        velocity_(velocity),
        body_space_(G.storage == Delassus::Storage::body_space),
        compliant_(problem.compliant()) {}

  // update(block, i, u_i, λ_i) replaces λ_i in place. u and old: room for the rows of the block.
  template <class Update>
  Change operator()(int i, double* u, double* old, Update& update) const {
    const Block& block = p_.blocks[i];
    double* x = lambda_ + block.row;
    const double* g = p_.g.data() + block.row;
    if (body_space_)
      G_.multiply_velocity(i, velocity_, u);
    else
      G_.multiply_block_row(i, lambda_, u);
    for (int r = 0; r < block.size; ++r) u[r] += g[r], old[r] = x[r];
    if (compliant_)
      for (int r = 0; r < block.size; ++r) u[r] += p_.compliance[block.row + r] * x[r];
    update(block, i, u, x);
    Change c;
    for (int r = 0; r < block.size; ++r) {
      const double d = x[r] - old[r];
      old[r] = d;
      c.change += d * d, c.size += x[r] * x[r];
    }
    if (body_space_ && c.change > 0.0) G_.add_transposed(i, old, velocity_);
    return c;
  }

 private:
  const ContactProblem& p_;
  const Delassus& G_;
  double *lambda_, *velocity_;
  bool body_space_, compliant_;
};

}  // namespace stiction
