// SPDX-License-Identifier: BSD-2-Clause
// The loop that nsgs and pgs share: sweeps (block_sweep.h) until the judge accepts. In body space ŵ is made anew every 100
// sweeps. Small dense problems of contacts alone have a sweep of their own, dense_sweep.h; other orders of the blocks, colours
// on several threads and blocks at rest are in ordered_sweep.h.
//
// Only the judge ends a solve; when it is asked, what a stall and what a limit cycle is stands in progress.h, and both are
// reported as `stalled`. Anderson acceleration of the sweep starts when a sweep gains less than a digit, and runs until its
// restarts exceed a budget or it stalls: then the plain sweep has its turn.
#pragma once

#include <stiction/solver/core/block_sets.h>
#include <stiction/solver/core/entry.h>
#include <stiction/solver/linalg/anderson.h>
#include <stiction/solver/local/local_blocks.h>
#include <stiction/solver/sweep/block_sweep.h>
#include <stiction/solver/sweep/dense_sweep.h>
#include <stiction/solver/sweep/ordered_sweep.h>

#include <vector>

namespace stiction {

struct SweepOptions : CommonOptions {
  double over_relaxation = 1.0;
  int anderson = 5;
  int plain_sweeps = 0;  // before Anderson starts; set by `auto`, not an option of users [-]
  int affordable = 0;    // > 0: stop when the contraction says that so many sweeps will not do; `auto` only [-]
  int restart_budget = 20;
  int test_interval = 20;
  int stall_window = 200;

  Pace pace() const { return {test_interval, stall_window}; }
  static constexpr auto fields() {
    using O = SweepOptions;
    return extend(
        CommonOptions::fields(),
        Field{"over_relaxation", &O::over_relaxation, "factor of every step, in ]0, 2[ [-]", "]0, 2["},
        Field{"anderson", &O::anderson, "window of the Anderson acceleration, 0 is off [-]", "[0, 50]"},
        Field{"restart_budget", &O::restart_budget, "Anderson restarts before it is given up [-]", ">= 0"},
        Field{"test_interval", &O::test_interval, "sweeps between two calls of the judge at most [-]", ">= 1"},
        Field{"stall_window", &O::stall_window, "sweeps within which the residual must halve, 0 is for ever [-]",
              ">= 0, 0 for no detection"});
  }
};

class GaussSeidel {
 public:
  LocalBlocks local;

  // All ask for a Progress that has begun. update(block, i, u_i, λ_i) replaces λ_i in place; it may use u_i as scratch.
  template <class Update>
  void run(const ContactProblem& problem, const SweepOptions& options, Progress& best, VecOut lambda, Update update) {
    loop(problem, options, best, lambda, [&](double* x) { return sweep_.run(x, update); });
  }
  // The same in another order, or with blocks at rest; several threads call update.
  template <class Update>
  void run_ordered(const ContactProblem& problem, const SweepOptions& options, const SweepPlan& plan, Progress& best,
                   VecOut lambda, OrderedSweep& ordered, Update update) {
    ordered.begin(problem, plan);
    loop(problem, options, best, lambda, [&](double* x) { return ordered.run(problem, x, sweep_.velocity(), update); });
  }
  // The same for problems that DenseSweep::fits and has packed, one rule per contact.
  template <class Rule>
  void run_dense(const ContactProblem& problem, const SweepOptions& options, Progress& best, VecOut lambda,
                 DenseSweep& dense, Rule* rules) {
    dense_ = &dense;
    loop(problem, options, best, lambda, [&](double* x) { return dense.sweep(rules, x); });
    dense_ = nullptr;
  }

 private:
  template <class Sweep>
  void loop(const ContactProblem& problem, const SweepOptions& options, Progress& best, VecOut lambda, Sweep sweep);
  void begin(const ContactProblem& problem, const SweepOptions& options, const double* lambda);
  void moved(const double* lambda) { dense_ ? dense_->load(lambda) : sweep_.refresh(lambda); }
  bool goes_on(const ContactProblem& problem, const SweepOptions& options, Change c, const double* lambda,
               Progress& best);
  bool too_slow(int affordable, const Progress& best);
  bool worth_accelerating(Change c);
  void accelerate(const ContactProblem& problem, const SweepOptions& options, double* lambda);

  BlockSweep sweep_;
  Anderson anderson_;
  DenseSweep* dense_ = nullptr;  // while it sweeps
  bool accelerated_ = false;     // Anderson is running, or may start
  double last_change_ = 0.0;     // ‖Δλ_i‖² of the sweep before
  double measured_ratio_ = 0.0;  // best ratio when the contraction was last measured, and its sweep
  int measured_sweep_ = 0;
  GrowingVec previous_;
};

template <class Sweep>
void GaussSeidel::loop(const ContactProblem& p, const SweepOptions& o, Progress& best, VecOut lambda, Sweep sweep) {
  begin(p, o, lambda.data());
  while (best.next()) {
    const int k = best.iteration();
    const bool accelerating = accelerated_ && k > o.plain_sweeps;
    if (accelerating) std::copy_n(lambda.data(), lambda.size(), previous_.data());
    const Change c = sweep(lambda.data());
    best.observe(p, lambda.data(), k);
    if (!goes_on(p, o, c, lambda.data(), best) || best.time_is_up()) return;
    if (accelerating && worth_accelerating(c))
      accelerate(p, o, lambda.data());
    else if (k % 100 == 0)
      moved(lambda.data());
  }
}

}  // namespace stiction
