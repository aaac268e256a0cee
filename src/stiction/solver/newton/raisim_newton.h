// SPDX-License-Identifier: BSD-2-Clause
// Newton's method on RaiSim's law, for problems on which the sweeps of `bisection` creep. With u = (G + R)λ + g, ρ = k/tr(G_ii + R_ii):
//   open    λ_N − ρu_N ≤ 0                       λ = 0
//   stick   ‖λ_T − ρu_T‖ ≤ μ(λ_N − ρu_N)         u = 0
//   slip    else                                 u_N = 0,  ‖λ_T‖ = μλ_N,  u_T × d = 0,   d = −λ_T − (μ² λ_N/G_NN) G_NT    (1)
// Other rows: unilateral and box λ = bound or u = 0, bilateral u = 0. Modes are chosen anew at every step; steps are the shortest
// that solve the linearised (1), so that hyperstatic contacts do no harm. The judge keeps the best iterate.
// Failure modes: no line search: modes may cycle far from a solution; u_T × d = 0 holds for slip against d as well, which the modes and
// the judge find out. A matrix is factored per step: small problems only. Reference: the map is that of problem/judge_blocks.h.
#pragma once

#include <stiction/solver/core/progress.h>
#include <stiction/solver/linalg/minimum_norm.h>

#include <vector>

namespace stiction {

class RaisimNewton {
 public:
  // From the best iterate; true if the judge accepts.
  bool run(const ContactProblem& problem, int steps, Progress& best);
  int steps() const { return steps_; }  // of the last run

 private:
  void load(const ContactProblem& problem);
  void linearise(const ContactProblem& problem);
  void contact(const Block& block);
  void row(const Block& block);
  void hold(int row, double rho);       // u = 0
  void fix(int row, double value);      // λ = value
  double rho(int row, int size) const;  // of a block
  double* matrix(int row) { return J_.data() + static_cast<std::ptrdiff_t>(row) * n_; }
  const double* inertia(int row) const { return G_.data() + static_cast<std::ptrdiff_t>(row) * n_; }

  int n_ = 0, steps_ = 0;
  GrowingVec unit_, scratch_;
  std::vector<double> G_, J_, F_, x_, u_;  // G + R and the Jacobian, row-major
  MinimumNorm solve_;
};

}  // namespace stiction
