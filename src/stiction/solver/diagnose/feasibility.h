// SPDX-License-Identifier: BSD-2-Clause
// Can any velocity u = Gλ + g satisfy all constraints (velocity_rows.h)? By Farkas' lemma either it can, or there is
//   y:  y_N ≥ 0, y_T = 0, unilateral y ≥ 0, bilateral y free, bounded rows 0,   Gy = 0,  g·y < 0              (certificate)
// for then y·u = g·y < 0 whatever λ, while the constraints want y·u ≥ 0: no law of friction has a solution. That λ must lie in
// the friction cone makes no difference: y itself lies in it, so yᵀGy ≤ 0, which for G ⪰ 0 means Gy = 0 again. Nor do boxes.
// If on the other hand some u lies strictly inside of the dual cones (and on the bilateral rows), Coulomb's problem and its
// convex relaxation have a solution, G being symmetric                                                           (witness)
// Between them existence is not decided: a null vector y of G inside the friction cones is what stands in the way (`jammed`;
// a gripper that holds something is the harmless kind). Under the convex law such a y with g·y < 0 is a certificate, too.
//
// Method: the least-distance program of least_distance.h, first on normals alone; its residual is zero iff a certificate exists.
// Then on the cones with a margin of 1e-3, and of 1e-6, in the units of velocity_rows.h, for a witness.
// Nothing of the method is believed: Gᵀy, g·y and the witness are measured with the problem's own G. Claimed is
//   infeasible  iff  leak ≤ 1e-11,  push ≥ 1e-9  and  push ≥ 1000 leak        leak = |Gᵀy|/|y|, push = −g·y/|y|, dimensionless
//   feasible    iff  the margin is ≥ 4e-7 and 1000 times the round-off of Gλ
// What is in between is `undecided`; so are general linear complementarity problems and problems too large for dense algebra.
// Failure modes: matrices that are singular only up to more than 1e-11 (unsymmetric files): undecided.
// References: Farkas 1902; Lawson, Hanson 1974, ch. 23; Klarbring, Pang 1998; Acary, Cadoux, Lemaréchal, Malick 2011.
#pragma once

#include <stiction/solver/diagnose/least_distance.h>

#include <cstdint>

namespace stiction {

struct Feasibility {
  enum Verdict : std::uint8_t { feasible, infeasible, undecided } verdict = undecided;
  Vec velocity,
      impulse;  // feasible: the witness u and the λ that makes it (not a solution: it satisfies no law); else empty
  double margin = 0.0;            // feasible: least u_N − μ‖u_T‖ over the contacts [m/s]; ∞ if nothing is one-sided
  Vec certificate;                // infeasible: y, Σ|y| = 1 over the one-sided rows (all, if there is none); else empty
  double closing_speed = 0.0;     // infeasible: −g·y, what at least one of its rows closes at whatever λ [m/s]
  double leak = 0.0, push = 0.0;  // infeasible: the numbers that prove it [-]
  Vec jammed;  // undecided, or empty: y in the friction cones with Gy = 0 and g·y ≤ 1e-6 (dimensionless)
};

constexpr const char* name(Feasibility::Verdict v) {
  switch (v) {
    case Feasibility::feasible:
      return "feasible";
    case Feasibility::infeasible:
      return "infeasible";
    case Feasibility::undecided:
      return "undecided";
  }
  return "unknown";
}

// With a workspace: no allocation once the largest size has been seen, no exception.
class FeasibilityCheck {
 public:
  Feasibility::Verdict run(const ContactProblem& problem);
  // The first half only: is it proven that no velocity exists? A small part of the work, for solvers that have failed.
  bool proves_infeasible(const ContactProblem& problem);

  double margin() const { return margin_; }
  double closing_speed() const { return closing_speed_; }
  double leak() const { return leak_; }
  double push() const { return push_; }
  bool jammed() const { return jammed_; }
  const GrowingVec& y() const { return y_; }         // certificate, if infeasible; null vector, if jammed()
  const GrowingVec& velocity() const { return u_; }  // witness, if feasible
  const GrowingVec& impulse() const { return lambda_; }
  int rounds() const { return rounds_; }  // of the active set, in all stages

 private:
  bool load(const ContactProblem& problem);
  void minimise(const ContactProblem& problem, bool cones, double margin, double enough);
  bool finds_certificate(const ContactProblem& problem, bool cones);
  bool is_certificate(const ContactProblem& problem);
  bool is_jam(const ContactProblem& problem);
  bool is_witness(const ContactProblem& problem);
  double measure_leak(const ContactProblem& problem);
  void normalise();

  VelocityRows rows_;
  LeastDistance distance_;
  bool jammed_ = false;
  double margin_ = 0.0, closing_speed_ = 0.0, leak_ = 0.0, push_ = 0.0;
  int rounds_ = 0;
  GrowingVec y_, lambda_, u_, velocity_, scratch_;
};

Feasibility check_feasibility(const ContactProblem& problem);

}  // namespace stiction
