// SPDX-License-Identifier: BSD-2-Clause
// The best impulse that the stages of a Newton solve have met, by the judge and nobody else, and the Report about it.
// Unlike BestIterate, which follows one loop, it is handed from stage to stage.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/solver/core/solver.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace stiction {

class JudgedBest {
 public:
  // Forgets everything; λ = 0 is the fallback of last resort.
  void reset(const ContactProblem& problem, const Tolerance& tolerance) {
    tolerance_ = tolerance;
    lambda_.assign(problem.rows(), 0.0);
    residual_ = {};
    residual_.ratio = residual_.b3 = std::numeric_limits<double>::infinity();
  }

  // Starts the clock of a solve; 0 is no limit, and then no clock is read.
  void limit_time(double seconds, History* history = nullptr) {
    history_ = history;
    if (history) history->begin_stage();
    time_limit_ = seconds;
    expired_ = false;
    if (seconds > 0.0) step_ = start_ = std::chrono::steady_clock::now();
  }
  // Before a step that cannot be stopped: ends the time if the step, as long as the estimate, would overrun it. Without an
  // estimate, as long as the time since the last question.
  void ask_for(double seconds) {
    if (!(time_limit_ > 0.0)) return;
    const auto now = std::chrono::steady_clock::now();
    const double used = std::chrono::duration<double>(now - start_).count();
    expired_ = expired_ || used + seconds > kGrace * time_limit_;
    step_ = now;
  }
  void ask_again() {
    if (time_limit_ > 0.0) ask_for(std::chrono::duration<double>(std::chrono::steady_clock::now() - step_).count());
  }
  // For the time_limit of a stage: 0 without a limit, and a moment when there is none left.
  double seconds_left() const {
    if (!(time_limit_ > 0.0)) return 0.0;
    const double used = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return std::max(time_limit_ - used, 1e-9);
  }
  bool out_of_time() const {
    return time_limit_ > 0.0 &&
           (expired_ || std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() > time_limit_);
  }

  // The law's own residual, with R; nothing is kept.
  const Residual& judge(const ContactProblem& problem, const double* lambda) {
    const Eigen::Map<const Vec> x(lambda, problem.rows());
    return last_ = evaluate(problem, x, problem.law, true, tolerance_, work_, Detail::acceptance);
  }
  // Once per iteration, see BestIterate.
  void observe(const ContactProblem& problem, const double* lambda, int iteration) {
    if (history_) history_->add(problem, Eigen::Map<const Vec>(lambda, problem.rows()), tolerance_, iteration);
  }
  // Judges λ and keeps it if it is better (NaN never is). True if this λ is accepted.
  bool offer(const ContactProblem& problem, const double* lambda) {
    if (judge(problem, lambda).ratio < residual_.ratio) {
      std::copy(lambda, lambda + problem.rows(), lambda_.data());
      residual_ = last_;
    }
    return last_.accepted();
  }

  double ratio() const { return residual_.ratio; }
  double b3() const { return std::min(residual_.b3, 1.0); }
  bool accepted() const { return residual_.accepted(); }
  const double* lambda() const { return lambda_.data(); }

  // Writes the best λ and reports it; `otherwise` is the status if it is not accepted.
  Report finish(const ContactProblem& problem, Status otherwise, const char* path, VecOut lambda) {
    Report report;
    std::copy(lambda_.data(), lambda_.data() + lambda_.size(), lambda.data());
    if (!std::isfinite(residual_.ratio)) {
      judge(problem, lambda_.data());
      residual_ = last_;
    }
    report.status = accepted() ? Status::converged : otherwise;
    report.path = path;
    report.own = residual_;
    const bool same = problem.law.kind == FrictionLaw::coulomb && !problem.compliant();
    report.ncp = same ? residual_
                      : evaluate(problem, lambda, {FrictionLaw::coulomb}, false, tolerance_, work_, Detail::acceptance);
    return report;
  }

 private:
  GrowingVec lambda_;
  Residual residual_, last_;
  Tolerance tolerance_;
  JudgeWork work_;
  static constexpr double kGrace = 1.1;  // of the time limit that a last step may end at
  double time_limit_ = 0.0;
  bool expired_ = false;
  std::chrono::steady_clock::time_point start_, step_;
  History* history_ = nullptr;
};

}  // namespace stiction
