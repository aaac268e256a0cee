// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of the solution λ of a contact problem, and of its velocity u, with respect to g, G, μ and R.
//
// Near a solution that is not on the border of two modes every block keeps its mode, and its law becomes a linear relation
// between dλ and du (derivatives_modes.h). With A = G + R, w = dg + dG λ + dR ∘ λ and all blocks stacked in B, C, m:
//   dλ = B y + m dμ,   du = A dλ + w,   Cᵀdu + κ y = r dμ                                                       (1)
//   S y = r dμ − Cᵀ(w + A m dμ),   S = CᵀAB + diag κ                                                            (2)
// S has 3 unknowns per sticking contact, 2 per sliding one (k and k − 1 of a patch of k rows), none per open one; it is symmetric for the convex law.
//   JVP  solve (2), then (1)
//   VJP  of cotangents λ̄, ū:  a = S⁻ᵀ Bᵀ(λ̄ + Aᵀū),   ḡ = ū − C a,   Ḡ = ḡ λᵀ,   R̄ = ḡ ∘ λ,
//        μ̄ = mᵀ(λ̄ + Aᵀū − AᵀC a) + rᵀa                                                                         (3)
// Ḡ takes every entry of G as a variable of its own; along symmetric changes of G use its symmetric part.
//
// Hyperstatic: S is singular when more is held than can move. Then λ is not unique, and the shortest dλ that satisfies (1)
// in the least-squares sense is returned; VJP is the adjoint of exactly that map. du does not depend on the choice for
// changes that rigid bodies can make (w = J dv) if A B y = 0 wherever S y = 0: always for the convex law, for sticking, and
// for sliding in one direction. Under law coulomb a body that turns while it slides on redundant contacts has as many u as
// it has ways to share its load, and du belongs to the shortest dλ; velocity_unique() tells.
// Mode borders: one-sided values and a flag (derivatives_modes.h).
// Cost: one factorisation of S, then O(n²) per product; large problems are treated densely.
// Reference: the natural-map form is in Le Lidec et al., Contact Models in Robotics (2024) and arXiv 2409.07107; (1) is the
// same relation with the projection's derivative split by modes. Failure: far from a solution the modes mean nothing;
// callers judge λ first.
#pragma once

#include <stiction/solver/derivative/derivatives_factor.h>
#include <stiction/solver/derivative/derivatives_modes.h>

#include <vector>

namespace stiction {

// A direction of change; null is zero.
struct ContactTangent {
  const double* g = nullptr;   // rows
  const double* G = nullptr;   // rows × rows, row-major
  const double* mu = nullptr;  // one per block; only those of coulomb blocks and patches are read
  const double* R = nullptr;   // rows
};

// Where cotangents go; null is not wanted. That of G is g λᵀ.
struct ContactCotangent {
  double* g = nullptr;   // rows
  double* mu = nullptr;  // one per block, zero for blocks without friction
  double* R = nullptr;   // rows
};

class ContactDerivatives {
 public:
  // Keeps a reference to the problem, which must stay as it is while jvp and vjp are called. False, and nothing else may
  // be called, if the law is neither coulomb nor convex or something is not finite.
  bool factor(const ContactProblem& problem, const VecRef& lambda, double boundary_threshold = 1e-6);

  // A Newton step on the laws of the present modes (sticking u = 0, sliding λ along the cone and against u, open λ = 0): changes λ, which is
  // the solution to second order. The size of the change beside that of λ. factor() again before anything else is asked.
  double newton_step(VecOut lambda);

  // Rows each; du may be null.
  void jvp(const ContactTangent& in, double* dlambda, double* du);
  // Either cotangent may be null.
  void vjp(const double* lambda_bar, const double* u_bar, const ContactCotangent& out);

  const std::vector<BlockTangent>& blocks() const { return blocks_; }
  int unknowns() const { return unknowns_; }
  int rank() const { return factor_.rank(); }
  bool hyperstatic() const { return factor_.rank() < unknowns_; }
  bool boundary() const;   // of any block
  bool velocity_unique();  // costs rows² per unknown if hyperstatic, else nothing
  const GrowingVec& velocity() const { return u_; }
  const GrowingVec& impulse() const { return lambda_; }

 private:
  void classify(double threshold);
  void reduce_dense();
  void reduce_by_columns();
  void reduce_row(const double* G, int row, double* out) const;
  void multiply(const double* x, double* y);             // A x
  void multiply_transposed(const double* x, double* y);  // Aᵀ x
  enum class Side { columns, rows };                     // B, C
  void expand(Side side, const double* y, double* x) const;
  void gather(Side side, const double* x, double* y) const;

  const ContactProblem* problem_ = nullptr;
  std::vector<BlockTangent> blocks_;
  int unknowns_ = 0;
  bool slides_ = false;  // with friction
  SmallFactor factor_;
  GrowingVec lambda_, u_, S_, rows_, w_, x_, y_, z_, scratch_;
};

}  // namespace stiction
