// SPDX-License-Identifier: BSD-2-Clause
// Parts of the published relaxation methods (jor, sor, bisection), which keep their own loops:
//   BlockSweep  for each block i in a given order:  u_i = ((G + R)λ + g)_i with the newest λ,  λ_i ← update(i, u_i, λ_i).
//               dense and block_sparse use rows of G; body_space keeps ŵ = Hᵀλ and never forms G.
//   SweepWatch  when to ask the judge, and when to give up. The judge is asked every `interval` iterations and whenever
//               the change is so small that acceptance is likely. Given up: an iterate that no longer moves, one that
//               returns to a snapshot taken at iteration 1, 2, 4, 8, … (Brent), and changes that grow by 1e8 (divergence).
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/contact_problem.h>
#include <stiction/solver/core/solver.h>

#include <vector>

namespace stiction {

struct SweepChange {
  double change = 0.0, size = 0.0;  // largest ‖Δλ_i‖² and ‖λ_i‖² of a sweep; NaN if there is any

  // `x` is the new λ_i, `old` the one before; leaves the difference in `old`.
  void add(const double* x, double* old, int rows) {
    double d2 = 0.0, x2 = 0.0;
    for (int r = 0; r < rows; ++r) {
      const double d = x[r] - old[r];
      old[r] = d;
      d2 += d * d, x2 += x[r] * x[r];
    }
    change = d2 <= change ? change : d2;
    size = x2 <= size ? size : x2;
  }
};

class BlockSweep {
 public:
  // `G` is the problem's own matrix, or the same one in another storage.
  void begin(const ContactProblem& problem, const Delassus& G, const double* lambda);
  // ŵ from scratch, against drift; nothing to do in the other storages.
  void refresh(const Delassus& G, const double* lambda);
  // update(block, i, u_i, λ_i) replaces λ_i in place; it may use u_i as scratch.
  template <class Update>
  SweepChange run(const ContactProblem& problem, const Delassus& G, const std::vector<int>& order, double* lambda,
                  Update update);

 private:
  GrowingVec velocity_, u_, old_;
};

template <class Update>
SweepChange BlockSweep::run(const ContactProblem& p, const Delassus& G, const std::vector<int>& order, double* lambda,
                            Update update) {
  const bool body_space = G.storage == Delassus::Storage::body_space;
  double *u = u_.data(), *old = old_.data();
  SweepChange result;
  for (const int i : order) {
    const Block& block = p.blocks[i];
    double* x = lambda + block.row;
    if (body_space)
      G.multiply_velocity(i, velocity_.data(), u);
    else
      G.multiply_block_row(i, lambda, u);
    for (int r = 0; r < block.size; ++r) {
      u[r] += p.g[block.row + r] + p.R(block.row + r) * x[r];
      old[r] = x[r];
    }
    update(block, i, u, x);
    result.add(x, old, block.size);
    if (body_space) G.add_transposed(i, old, velocity_.data());
  }
  return result;
}

class SweepWatch {
 public:
  void begin(const ContactProblem& problem, const CommonOptions& options, int rows, int interval);
  bool judge_is_due(int iteration, const SweepChange& c) const;
  // The change that should do next time, if error and change fall together.
  void learn(double ratio, const SweepChange& c);
  static bool finite(const SweepChange& c);
  // Ask after the judge has refused, if it was due.
  bool hopeless(int iteration, const SweepChange& c, const double* lambda);

 private:
  bool returns(int iteration, double change, const double* lambda);

  int interval_ = 1, last_ = 1;
  double trigger_ = 0.0, absolute_ = 0.0;  // relative and absolute change below which the judge is asked
  double smallest_ = 0.0;                  // change so far, squared
  GrowingVec snapshot_;
};

}  // namespace stiction
