// SPDX-License-Identifier: BSD-2-Clause
// One sweep of every relaxation method: for each block i in a given order,
//   u_i = ((G + R)λ + g)_i with the newest λ,   λ_i ← update(i, u_i, λ_i)                                  block_visit.h
// dense and block_sparse use rows of G and keep nothing but λ (no drift); body_space keeps ŵ = Hᵀλ and never forms G.
#pragma once

#include <stiction/solver/sweep/block_visit.h>

#include <ranges>

namespace stiction {

class BlockSweep {
 public:
  // `G` is the problem's own matrix, or the same one in another storage.
  void begin(const ContactProblem& problem, const Delassus& G, const double* lambda) {
    problem_ = &problem, G_ = &G;
    int largest = 0;
    for (const Block& b : problem.blocks) largest = std::max(largest, b.size);
    u_.resize(largest), old_.resize(largest);
    refresh(lambda);
  }
  // ŵ from scratch, against drift or after λ was changed outside a sweep; nothing to do in the other storages.
  void refresh(const double* lambda) {
    if (G_->storage != Delassus::Storage::body_space) return;
    velocity_.assign(G_->body.velocities, 0.0);
    for (int i = 0; i < G_->blocks(); ++i) G_->add_transposed(i, lambda + G_->start[i], velocity_.data());
  }
  double* velocity() { return velocity_.data(); }

  // update(block, i, u_i, λ_i) replaces λ_i in place; it may use u_i as scratch.
  template <class Order, class Update>
  Change run(const Order& order, double* lambda, Update& update) {
    const BlockVisit visit(*problem_, *G_, lambda, velocity_.data());
    double *u = u_.data(), *old = old_.data();
    Change all;
    for (const int i : order) all.include(visit(i, u, old, update));
    return all;
  }
  template <class Update>
  Change run(double* lambda, Update& update) {
    return run(std::views::iota(0, static_cast<int>(problem_->blocks.size())), lambda, update);
  }

 private:
  const ContactProblem* problem_ = nullptr;
  const Delassus* G_ = nullptr;
  GrowingVec velocity_, u_, old_;
};

}  // namespace stiction
