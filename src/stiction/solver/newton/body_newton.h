// SPDX-License-Identifier: BSD-2-Clause
// Augmented-Lagrangian Newton in body space: the form of ppa_newton for more contact rows than velocities.
//
// With G = H Hᵀ and whitened velocities ŵ = Hᵀλ (kinetic energy ½‖ŵ‖²):
//   p(ŵ) = P(λ − ρ ∘ (Hŵ + g + Rλ))          Alart–Curnier map, ρ = κ · 3/tr(G_ii), compliance inside: ρ/(1 + ρR)
//   inner: Newton on F(ŵ) = ŵ − Hᵀp(ŵ) = 0    matrix I + Hᵀ D ρ H: sparse over groups of velocities;
//                                             Cholesky while nothing slips, else LU on the same pattern
//          merit ‖F‖, up to 7 halvings, accept m < (1 − 0.1 a) m₀, else the best trial
//   outer: λ ← p once ‖HF‖ ≤ 0.1 max |p − λ|/ρ, then κ grows; after 20 inner steps without it: λ ← best, κ shrinks
// A fixed point λ = p, F = 0 solves the problem exactly, whatever κ is. The judge sees p after every Newton step.
// Where it stalls, interior points (nipm_core.h) on the same matrix pattern bring a start of their own: run_interior().
// Reference: Alart, Curnier 1991 (augmented Lagrangian). Failure modes: κ growing by more than 10 per outer step; flat
// contacts that ask for velocities no rigid body has.
#pragma once

#include <stiction/solver/core/progress.h>
#include <stiction/solver/interior/nipm_core.h>
#include <stiction/solver/linalg/body_matrix.h>
#include <stiction/solver/local/alart_curnier.h>

#include <vector>

namespace stiction {

struct BodySchedule {
  double kappa = 3.0;   // penalty at the start, in units of 1/G_ii
  double growth = 5.0;  // factor per outer step
  double cap = 1e6;     // largest κ
  int max_steps = 60;   // Newton steps allowed
  int deepen = 0;       // more steps, after the first one that is accepted, towards 1e-3 of the tolerance
};

class BodyNewton {
 public:
  // Pattern, symbolic factor (reused while the graph is unchanged) and scales. Call once per problem.
  void prepare(const ContactProblem& problem);
  // Newton from `start`; every judged p goes to `best`. True if one was accepted (after at least one step).
  bool run(const ContactProblem& problem, const double* start, const BodySchedule& schedule, Progress& best);

  // Interior points from their own start, until accepted, stalled or `iterations` are spent.
  bool run_interior(const ContactProblem& problem, int iterations, Progress& best);

  // The whole of it for a warm guess inside a simulation, at a bounded price: stiff Newton if the guess is near, the climb,
  // interior points, a stiff polish of the best. What is still unaccepted then is the judge's best, fit to be integrated.
  enum class WarmStage { near, climb, interior, stiff };  // the last one taken
  WarmStage run_warm(const ContactProblem& problem, const double* guess, const BodySchedule& schedule, Progress& best);

  const double* zero(const ContactProblem& problem);  // λ = 0 to start from

  int steps() const { return steps_; }                    // Newton steps since prepare()
  int factorisations() const { return factorisations_; }  // since prepare()
  int factor_blocks() const { return matrix_.blocks(); }
  double factor_work() const { return matrix_.work(); }

 private:
  void set_penalty(const ContactProblem& problem, double kappa);
  void evaluate_map(const ContactProblem& problem, const double* u, double* p);
  bool factor(const ContactProblem& problem);
  double line_search(const ContactProblem& problem, double merit);
  void close_kinks(const ContactProblem& problem);
  bool inner_solved(const ContactProblem& problem, double merit);

  BodyMatrix matrix_;
  NipmCore interior_;
  std::vector<ContactSlope> slope_;
  GrowingVec base_, rho_, shift_, lambda_, p_, u_, w_, force_, step_, du_, trial_w_, trial_u_, zero_;
  bool symmetric_ = true;
  int steps_ = 0, factorisations_ = 0;
};

}  // namespace stiction
