// SPDX-License-Identifier: BSD-2-Clause
// How far a solve has come. The judge's residual decides, nothing else: Progress asks the judge, keeps the best iterate by
// Residual.ratio, and knows when a loop should ask, when it should give up and what to report. A NaN ratio is never better than
// anything, so that what is handed back is always finite.
//
// When to ask    every `test_interval` iterations, at the last one, and when an iteration changes λ so little that acceptance is
//                likely. How little that is, is learned from refusals: error and change fall together.
// When to stop   accepted; a stall (the best ratio has not halved within `stall_window` iterations); a limit cycle (Brent: λ
//                returns to a snapshot taken at iteration 1, 2, 4, 8, …, to 1e-3 of the last change); iterations or time spent.
//
//   start(problem, λ, {test_interval, stall_window});          a loop of a solver (entry.h: Method)
//   while (best_.next()) {
//     if (!step()) { best_.end(Status::numerical_failure); break; }
//     if (!best_.take(problem, λ, best_.due())) break;
//   }
//   return best_.finish(problem, kName, lambda);
//
// Solves in stages hand one Progress from stage to stage and offer() what they find.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/solver/core/finite.h>
#include <stiction/solver/core/interrupt.h>
#include <stiction/solver/core/solver.h>

#include <algorithm>
#include <chrono>
#include <limits>

namespace stiction {

// Largest ‖Δλ_i‖² and ‖λ_i‖² over the blocks i of an iteration; NaN if there is any.
struct Change {
  double change = 0.0, size = 0.0;

  bool finite() const { return std::isfinite(change) && std::isfinite(size); }
  double relative() const { return size > 0.0 ? std::sqrt(change / size) : 0.0; }
  // The larger of the two; a NaN is kept whatever follows, so that the order of blocks does not matter.
  void include(const Change& other) {
    const auto larger = [](double a, double b) { return b > a || b != b ? b : a; };
    change = larger(change, other.change), size = larger(size, other.size);
  }
};

// Judges λ and fills own, ncp and status: converged if accepted, else what it was, but stalled instead of converged.
void judge_into(const ContactProblem& problem, const VecRef& lambda, const Tolerance& tolerance, JudgeWork& work,
                Report& report);

// Of a loop: how often it is judged at least, and within how many iterations the residual must halve (0: for ever).
struct Pace {
  int test_interval = 1, stall_window = 0;
};

class Progress {
 public:
  // Starts a solve: its clock, its stage of the history. The guess is λ itself; entries that are not finite make it start from
  // zero, as does cold_start.
  void begin(const ContactProblem& problem, const CommonOptions& options, VecOut lambda, History* history,
             Pace pace = {});
  // The clock and the stage of the history alone, for a solve whose first stages have a Progress of their own; reset() follows.
  void begin_clock(const CommonOptions& options, History* history);
  // Forgets the best iterate; λ = 0 is the one of last resort.
  void reset(const ContactProblem& problem, const Tolerance& tolerance);

  // The loop: next() counts an iteration, as long as there are any and nothing has ended it.
  bool next() { return !over_ && !is_last() && ++iteration_ > 0; }
  int iteration() const { return iteration_; }
  bool is_last() const { return iteration_ >= last_iteration_; }
  bool recording() const { return history_ != nullptr; }
  void end(Status status) { over_ = true, status_ = status; }
  bool due() const { return iteration_ % pace_.test_interval == 0 || is_last(); }
  bool due(const Change& c) const {
    const double allowed = trigger_ * std::sqrt(c.size) + absolute_;
    return due() || c.change <= allowed * allowed;
  }
  bool likely(double relative_change) const { return relative_change <= trigger_; }
  // After an iteration: history; if it is due, judge and stall; time. True to go on.
  bool take(const ContactProblem& problem, const double* lambda, bool due = true,
            double relative_change = std::numeric_limits<double>::infinity());
  // After a refusal: the change that should do next time.
  void learn(double relative_change) {
    if (last_.ratio > 1.0) trigger_ = std::min(trigger_, 2.0 * relative_change / last_.ratio);
  }
  bool stalled();
  void forgive() { halved_at_ = iteration_; }  // the stall is counted from here
  // Brent's detector: whether λ has returned. The period stands in the report.
  bool cycles(double change, const double* lambda, int rows);

  // The law's own residual, with R; nothing is kept.
  const Residual& judge(const ContactProblem& problem, const double* lambda);
  // Judges λ and keeps it if it is better. True if this λ is accepted.
  bool offer(const ContactProblem& problem, const double* lambda);
  // Once per iteration: writes to the history if there is one, and changes nothing else.
  void observe(const ContactProblem& problem, const double* lambda, int iteration) {
    if (history_) history_->add(problem, Eigen::Map<const Vec>(lambda, problem.rows()), tolerance_, iteration);
  }
  const Residual& last() const { return last_; }
  double ratio() const { return residual_.ratio; }
  double b3() const { return std::min(residual_.b3, 1.0); }
  bool accepted() const { return residual_.accepted(); }
  const double* lambda() const { return lambda_.data(); }

  // Before a step that cannot be stopped: ends the time if the step, as long as the estimate, would overrun it by more than a
  // tenth. Without an estimate, as long as the time since the last question.
  void ask_for(double seconds);
  void ask_again() { ask_for(since(asked_)); }
  bool out_of_time() const { return time_limit_ > 0.0 && (expired_ || since(start_) > time_limit_); }
  bool time_is_up() {
    if (SolveInterrupt::wanted()) expire();
    if (!(time_limit_ > 0.0)) return false;
    ask_again();
    return out_of_time();
  }
  // For the time_limit of a stage: 0 without a limit, and a moment when there is none left.
  double seconds_left() const { return time_limit_ > 0.0 ? std::max(time_limit_ - since(start_), 1e-9) : 0.0; }

  // Writes the best λ and reports it; the status is how the loop ended, or the one given, unless the judge has accepted.
  // Data that are not finite make it invalid_problem.
  Report finish(const ContactProblem& problem, const char* path, VecOut lambda, int factorisations = 0);
  Report finish(const ContactProblem& problem, Status otherwise, const char* path, VecOut lambda,
                int factorisations = 0) {
    status_ = otherwise;
    return finish(problem, path, lambda, factorisations);
  }

 private:
  void expire();  // as if a time limit had passed
  using Clock = std::chrono::steady_clock;
  double since(Clock::time_point then) const {  // no clock is read without a limit
    return time_limit_ > 0.0 ? std::chrono::duration<double>(Clock::now() - then).count() : 0.0;
  }

  GrowingVec lambda_, snapshot_;
  Residual residual_, last_;  // of the best λ, and of the one judged last
  Tolerance tolerance_;
  JudgeWork work_;
  History* history_ = nullptr;
  Pace pace_;
  Status status_ = Status::max_iterations;
  bool over_ = false, expired_ = false;
  int iteration_ = 0, last_iteration_ = 0;
  int halved_at_ = 0, snapshot_at_ = 0, cycle_ = 0;
  double halved_ = 0.0;                    // ratio at the last halving
  double trigger_ = 0.0, absolute_ = 0.0;  // relative and absolute change below which the judge is asked
  double time_limit_ = 0.0;
  Clock::time_point start_, asked_;
};

}  // namespace stiction
