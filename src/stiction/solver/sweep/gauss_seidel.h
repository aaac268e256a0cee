// SPDX-License-Identifier: BSD-2-Clause
// The sweep and the loop that nsgs and pgs share:
//   for each block i in turn:  u_i = ((G + R)λ + g)_i with the newest λ,  λ_i ← update(i, u_i, λ_i)
// dense and block_sparse compute row products and keep nothing but λ (no drift); body_space keeps the whitened velocity
// ŵ = Hᵀλ, recomputed from λ every 100 sweeps. Small dense problems of contacts alone have a sweep of their own,
// dense_sweep.h; other orders of the blocks, colours on several threads and blocks at rest are in ordered_sweep.h.
//
// After each sweep a cheap number, the largest relative change of a block, decides whether the judge is called: always
// every `test_interval` sweeps, and when the change is so small that acceptance is likely. Only the judge ends a solve.
// Anderson acceleration of the sweep starts when a sweep gains less than a digit, and runs until its restarts exceed a
// budget. Two failure modes of the plain sweep are reported as `stalled`: a limit cycle (Brent: the iterate returns to a
// snapshot taken at sweep 1, 2, 4, 8, …, to 1e-3 of the last change; its period is Report.cycle), and a stall (best
// residual not halved within `stall_window` sweeps; Report.cycle is 0).
#pragma once

#include <stiction/solver/core/best_iterate.h>
#include <stiction/solver/core/block_sets.h>
#include <stiction/solver/linalg/anderson.h>
#include <stiction/solver/local/local_blocks.h>
#include <stiction/solver/sweep/block_visit.h>
#include <stiction/solver/sweep/dense_sweep.h>
#include <stiction/solver/sweep/ordered_sweep.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace stiction {

struct SweepOptions : CommonOptions {
  double over_relaxation = 1.0;
  int anderson = 5;
  int plain_sweeps = 0;  // before Anderson starts; set by `auto`, not an option of users [-]
  int hope = 0;          // > 0: stop when the contraction says that so many sweeps will not do; `auto` only [-]
  int restart_budget = 20;
  int test_interval = 20;
  int stall_window = 200;

  template <class Owner>
  static constexpr auto sweep_fields() {
    return std::tuple_cat(
        common_fields<Owner>(),
        std::tuple{
            Field<Owner, double>{"over_relaxation", &Owner::over_relaxation, "factor of every step, in ]0, 2[ [-]"},
            Field<Owner, int>{"anderson", &Owner::anderson, "window of the Anderson acceleration, 0 is off [-]"},
            Field<Owner, int>{"restart_budget", &Owner::restart_budget, "Anderson restarts before it is given up [-]"},
            Field<Owner, int>{"test_interval", &Owner::test_interval,
                              "sweeps between two calls of the judge at most [-]"},
            Field<Owner, int>{"stall_window", &Owner::stall_window,
                              "sweeps within which the residual must halve, 0 is for ever [-]"}});
  }
  void check_sweep(const char* owner) const;  // InvalidInput if a value is out of range
};

class GaussSeidel {
 public:
  LocalBlocks local;
  History* history = nullptr;

  // update(block, i, u_i, λ_i) replaces λ_i in place.
  template <class Update>
  Report run(const ContactProblem& problem, const SweepOptions& options, const char* path, VecOut lambda,
             Update update) {
    return loop(problem, options, path, lambda, [&](double* x) { return sweep(problem, x, update); });
  }
  // The same in another order, or with blocks at rest; update may use u_i as scratch, and several threads call it.
  template <class Update>
  Report run_ordered(const ContactProblem& problem, const SweepOptions& options, const SweepPlan& plan,
                     const char* path, VecOut lambda, OrderedSweep& ordered, Update update) {
    ordered.begin(problem, plan);
    return loop(problem, options, path, lambda,
                [&](double* x) { return ordered.run(problem, x, velocity_.data(), update); });
  }
  // The same for problems that DenseSweep::fits and has packed, one rule per contact.
  template <class Rule>
  Report run_dense(const ContactProblem& problem, const SweepOptions& options, const char* path, VecOut lambda,
                   DenseSweep& dense, Rule* rules) {
    dense_ = &dense;
    const Report report = loop(problem, options, path, lambda, [&](double* x) { return dense.sweep(rules, x); });
    dense_ = nullptr;
    return report;
  }

 private:
  using Change = LargestChange;
  enum class Next { go_on, converged, stalled, cycles, failed };

  template <class Sweep>
  Report loop(const ContactProblem& problem, const SweepOptions& options, const char* path, VecOut lambda,
              Sweep sweep_once);
  template <class Update>
  Change sweep(const ContactProblem& problem, double* lambda, Update& update);
  void begin(const ContactProblem& problem, const SweepOptions& options, VecOut lambda);
  void moved(const ContactProblem& problem, const double* lambda);
  Next after_sweep(const ContactProblem& problem, const SweepOptions& options, int sweep, Change c,
                   const VecRef& lambda);
  bool judge_is_due(const ContactProblem& problem, const SweepOptions& options, int sweep, Change c) const;
  bool cycles(int sweep, double change, const double* lambda);
  bool hopeless(const SweepOptions& options, int sweep);
  bool worth_accelerating(Change c);
  void accelerate(const ContactProblem& problem, const SweepOptions& options, double* lambda);

  BestIterate best_;
  Anderson anderson_;
  DenseSweep* dense_ = nullptr;  // while it sweeps
  bool accelerated_ = false;     // Anderson is running, or may start
  double last_change_ = 0.0;     // ‖Δλ_i‖² of the sweep before
  int due_ = 0, power_ = 0;      // sweep of the next judgement at the latest, and of the last snapshot
  int cycle_ = 0;                // period of the cycle that was found
  double trigger_ = 0.0;         // relative change below which the judge is called
  double halved_ratio_ = 0.0;    // ratio at the last halving, and its sweep
  int halved_sweep_ = 0;
  double hoped_ratio_ = 0.0;  // best ratio when the contraction was last measured, and its sweep
  int hoped_sweep_ = 0;
  GrowingVec velocity_, previous_, snapshot_, u_, old_;
};

template <class Update>
GaussSeidel::Change GaussSeidel::sweep(const ContactProblem& p, double* lambda, Update& update) {
  const BlockVisit visit(p, lambda, velocity_.data());
  double *u = u_.data(), *old = old_.data();
  Change all{0.0, 0.0};
  const int blocks = static_cast<int>(p.blocks.size());
  for (int i = 0; i < blocks; ++i) include(visit(i, u, old, update), all);
  return all;
}

template <class Sweep>
Report GaussSeidel::loop(const ContactProblem& p, const SweepOptions& o, const char* path, VecOut lambda,
                         Sweep sweep_once) {
  begin(p, o, lambda);
  Status status = Status::max_iterations;
  int k = 0;
  while (k < o.max_iterations) {
    ++k;
    const bool accelerating = accelerated_ && k > o.plain_sweeps;
    if (accelerating) std::copy_n(lambda.data(), lambda.size(), previous_.data());
    const Change c = sweep_once(lambda.data());
    if (history) best_.observe(p, lambda, k);
    const Next next = after_sweep(p, o, k, c, lambda);
    if (next == Next::converged) return best_.finish(p, Status::converged, k, path, lambda);
    if (next != Next::go_on) status = next == Next::failed ? Status::numerical_failure : Status::stalled;
    if (next != Next::go_on || best_.out_of_time()) break;
    if (accelerating && worth_accelerating(c))
      accelerate(p, o, lambda.data());
    else if (k % 100 == 0)
      moved(p, lambda.data());
  }
  Report report = best_.finish(p, status, k, path, lambda);
  report.cycle = cycle_;
  return report;
}

}  // namespace stiction
