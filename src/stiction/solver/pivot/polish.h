// SPDX-License-Identifier: BSD-2-Clause
// Polish: an approximate λ is made exact by solving, once more and to round-off, a problem with flat facets that touches
// the cone where λ is. Per contact the pyramid is inscribed with one corner along a direction t̂,
//   ±a₁ᵀλ_T, ±a₂ᵀλ_T ≤ (μ/√2) λ_N,   a₁, a₂ = t̂ turned by ∓45°                                                    (1)
// and the law on (1) is, after turning each contact's axes onto a₁, a₂,
//   convex    min ½ λᵀ(G + R)λ + gᵀλ on (1), a quadratic program (dense_qp.h)
//   coulomb   the pyramid law with μ/√2, a linear complementarity problem (lemke.h), warm
//   pyramid   its own linear complementarity problem: nothing is turned
// t̂ is the direction of λ_T in the first pass and, where a contact slides, that of λ_T − u_T/tr(G_TT) afterwards: at a
// corner λ_T keeps the direction it is given, so that only u_T brings the direction itself to convergence. (−u_T alone
// has the same fixed point but overshoots where a contact barely slides.)
// Each pass is judged; the best by the judge's ratio is kept, so that the result is never worse than what was handed in.
// Failure modes: contacts taken for sliding that stick (and the reverse) by more than 45°; then nothing is gained.
// Guarantee: none beyond "not worse". Cost per pass: one dense program or pivoting of 3 or 6 rows per contact.
// References: Le Lidec et al. 2024, section III (polishing of their ADMM); Stellato et al. 2020, section 4.
#pragma once

#include <stiction/solver/core/solver.h>
#include <stiction/solver/quadratic/dense_qp.h>

#include <memory>

namespace stiction {

class Polisher {
 public:
  explicit Polisher(const Tolerance& tolerance = {});
  // Report: `converged` if the judge accepts what is returned, else `stalled`; iterations are the passes made.
  // raisim: invalid_problem, λ untouched.
  Report polish(const ContactProblem& problem, VecOut lambda);

 private:
  bool make_pass(const ContactProblem& problem, const Vec& lambda, bool first);
  void choose_axes(const ContactProblem& problem, const Vec& lambda, bool first);
  void turn_problem(const ContactProblem& problem);
  bool solve_program();
  bool solve_complementarity();
  void turn_vector(const ContactProblem& problem, Vec& x, bool back) const;

  Tolerance tolerance_;
  std::unique_ptr<Solver> lemke_;
  DenseQp qp_;
  JudgeWork work_;
  Mat G_;
  Vec u_, trial_;
  std::vector<Vec2> axes_;  // per block: a₁
  ContactProblem turned_;
  int factorisations_ = 0;
};

// The same with a workspace of its own.
Report polish(const ContactProblem& problem, VecOut lambda, const Tolerance& tolerance = {});

}  // namespace stiction
