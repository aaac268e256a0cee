// SPDX-License-Identifier: BSD-2-Clause
// What a solve went through: the judge's residual at every iteration, beside the time the solver itself had spent by
// then (the judge's time is left out). Asked for with Solver::record; a solver without one pays a test of a pointer.
#pragma once

#include <stiction/problem/judge.h>

#include <chrono>
#include <vector>

namespace stiction {

class History {
 public:
  struct Sample {
    int iteration;   // counted over all stages of the solve
    double seconds;  // solver time since the start
    Residual own;    // the law's residual, with R
  };

  // A new solve: forgets the samples and starts the clock.
  void start() {
    samples_.clear();
    judging_ = 0.0;
    last_ = 0;
    start_ = Clock::now();
  }
  // A new stage of the same solve: its iterations are counted on from here.
  void begin_stage() { base_ = last_; }
  void add(const ContactProblem& problem, const VecRef& lambda, const Tolerance& tolerance, int iteration) {
    const Clock::time_point now = Clock::now();
    const Residual own = evaluate(problem, lambda, problem.law, true, tolerance, work_, Detail::acceptance);
    last_ = base_ + iteration;
    samples_.push_back({last_, seconds(now - start_) - judging_, own});
    judging_ += seconds(Clock::now() - now);
  }
  const std::vector<Sample>& samples() const { return samples_; }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

  std::vector<Sample> samples_;
  double judging_ = 0.0;
  int base_ = 0, last_ = 0;
  Clock::time_point start_ = Clock::now();
  JudgeWork work_;
};

}  // namespace stiction
