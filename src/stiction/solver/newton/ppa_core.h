// SPDX-License-Identifier: BSD-2-Clause
// Proximal point + Alart–Curnier Newton in contact space (the dense form of ppa_newton).
//
//   outer: solve FC(W + αI, g − αλ_k), W = G + R, by semismooth Newton from λ_k, then project on the sets
//          success: α ← max(α/5, 1e-10 w̄);   failure: α ← min(8α, 1e3 w̄), keep the iterate if ‖F‖ < 1e-2 max‖λ‖
//   inner: [A(W + αI) + B] d = −F (alart_curnier.h), ρ = factor/(diagonal + α); steps 1, ½, …, 8 trials; in the first 20
//          steps ‖F⁺‖ < 3‖F‖ is enough (non-monotone), later ‖F⁺‖ < (1 − 1e-4 a)‖F‖; at most 25 steps
//   homotopy: the same inner solve with α falling from w̄ to 1e-14 w̄ around λ = 0, i.e. a vanishing compliance
// ρ ten times that of the textbook is decisive on hyperstatic robots; the floor of α must be as low as 1e-10 w̄.
// Reference: Acary, Brémond, Huber 2018 (PPA-NSN). Failure modes: mass ratios beyond 1e8; infeasible (jammed) problems.
#pragma once

#include <stiction/solver/core/progress.h>
#include <stiction/solver/local/local_blocks.h>
#include <stiction/solver/newton/newton_system.h>

#include <cstdint>
#include <vector>

namespace stiction {

struct PpaSchedule {
  double factor = 10.0;   // of ρ
  double alpha = 1e-3;    // first damping, in units of the mean diagonal
  bool monotone = false;  // refuse any growth of ‖F‖
  int total = 60;         // Newton steps allowed
};

class PpaCore {
 public:
  void load(const ContactProblem& problem);  // once per problem
  // From `start`; every outer iterate goes to `best`. True if the judge accepted one.
  bool run(const ContactProblem& problem, const double* start, const PpaSchedule& schedule, Progress& best);
  bool run_homotopy(const ContactProblem& problem, const PpaSchedule& schedule, Progress& best);

  // Restarts for stubborn problems: 100 sweeps in a shuffled order, or a random λ, then run(). seed > 0 names the restart.
  bool run_order(const ContactProblem& problem, std::uint64_t seed, const PpaSchedule& schedule, Progress& best);
  bool run_random(const ContactProblem& problem, std::uint64_t seed, const PpaSchedule& schedule, Progress& best);

  int steps() const { return steps_; }  // Newton steps since load()
  int sweeps() const { return sweeps_; }
  int factorisations() const { return system_.factorisations(); }
  const NewtonSystem& system() const { return system_; }

 private:
  bool inner(const ContactProblem& problem, const PpaSchedule& schedule, double alpha, double relative, int budget,
             Progress& clock);
  double map_norm(const ContactProblem& problem, const double* lambda, const double* u, double* F);
  double largest(const ContactProblem& problem, const double* lambda) const;
  void velocity(const ContactProblem& problem, double alpha);

  void sweep(const ContactProblem& problem, int sweeps, std::uint64_t seed);

  NewtonSystem system_;
  LocalBlocks local_;
  bool local_ready_ = false;
  std::vector<int> order_;
  std::vector<ContactSlope> slope_;
  GrowingVec rho_, lambda_, centre_, u_, F_, step_, image_, trial_lambda_, trial_u_, trial_F_;
  double norm_ = 0.0;
  int steps_ = 0, sweeps_ = 0;
};

}  // namespace stiction
