// SPDX-License-Identifier: BSD-2-Clause
// Nonsmooth Gauss-Seidel: find λ with u = (G + R)λ + g, K ∋ λ ⟂ u + Γ(u) ∈ K*, by solving each block exactly in turn:
//   for each block i:  λ_i ← ω solve_i(u_i − W_ii λ_i) + (1 − ω) λ_i,   W_ii = (G + R)_ii                      (1)
// accelerated by Anderson's method with a small window. A fixed point of (1) is a solution.
// Failure modes: limit cycles and very slow convergence on hyperstatic stacks and large mass ratios (both reported as
// `stalled`); no proof of convergence. Loop, triggers and detectors: gauss_seidel.h; one-contact solve: local_contact.h.
// References: Jourdan, Alart, Jean 1998; Acary, Brémond, Huber 2017.
#pragma once

#include <stiction/solver/gauss_seidel.h>

namespace stiction {

struct NsgsOptions : SweepOptions {
  static constexpr auto fields() { return sweep_fields<NsgsOptions>(); }
  void check() const { check_sweep("nsgs"); }
};

class Nsgs : public Solver {
 public:
  using Options = NsgsOptions;
  static constexpr const char* kName = "nsgs";
  static constexpr GeneralMatrix kGeneral = GeneralMatrix::positive_diagonal;
  explicit Nsgs(const Options& options = {}) : options_(options) {}

  Report solve(const ContactProblem& problem, VecOut lambda) override;
  Options& options() { return options_; }  // for solvers that use this one as a stage
  void record(History* history) override { sweep_.history = history; }

 private:
  Report solve_dense(const ContactProblem& problem, VecOut lambda);

  Options options_;
  GaussSeidel sweep_;
  DenseSweep dense_;
  std::vector<ExactRule> rules_;
};

SolverInfo nsgs_info();

}  // namespace stiction
