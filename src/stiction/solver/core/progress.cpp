// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/deadline.h>
#include <stiction/solver/core/progress.h>

namespace stiction {
namespace {

constexpr double kLikely = 30.0;      // relative change, in tolerances, from which acceptance is worth asking for
constexpr double kRecurrence = 1e-3;  // of the last change: λ has returned
constexpr double kGrace = 1.1;        // of the time limit that a last step may end at
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Residual rigid(const ContactProblem& p, const VecRef& lambda, const Residual& own, const Tolerance& tolerance,
               JudgeWork& work) {
  if (p.law.kind == FrictionLaw::coulomb && !p.compliant()) return own;
  return evaluate(p, lambda, {FrictionLaw::coulomb}, false, tolerance, work, Detail::acceptance);
}

}  // namespace

void judge_into(const ContactProblem& p, const VecRef& lambda, const Tolerance& tolerance, JudgeWork& work,
                Report& report) {
  report.own = evaluate(p, lambda, p.law, true, tolerance, work, Detail::acceptance);
  report.ncp = rigid(p, lambda, report.own, tolerance, work);
  if (report.own.accepted())
    report.status = Status::converged;
  else if (report.status == Status::converged)
    report.status = Status::stalled;
}

void Progress::begin_clock(const CommonOptions& options, History* history) {
  history_ = history;
  if (history) history->begin_stage();
  time_limit_ = options.time_limit;
  if (SolveDeadline::is_set()) {
    const double left = SolveDeadline::seconds_left();
    time_limit_ = time_limit_ > 0.0 ? std::min(time_limit_, left) : left;
  }
  if (time_limit_ > 0.0) asked_ = start_ = Clock::now();
  expired_ = false;
}

void Progress::begin(const ContactProblem& problem, const CommonOptions& options, VecOut lambda, History* history,
                     Pace pace) {
  begin_clock(options, history);
  over_ = false;
  pace_ = pace;
  iteration_ = halved_at_ = snapshot_at_ = cycle_ = 0;
  last_iteration_ = options.max_iterations;
  status_ = Status::max_iterations;
  halved_ = kInfinity;
  trigger_ = kLikely * options.tolerance;
  absolute_ = problem.dt ? options.force_tolerance * *problem.dt : 0.0;
  if (options.cold_start || !all_finite(lambda.data(), problem.rows())) lambda.setZero();
  reset(problem, options.judge_tolerance());
}

void Progress::reset(const ContactProblem& problem, const Tolerance& tolerance) {
  tolerance_ = tolerance;
  lambda_.assign(problem.rows(), 0.0);
  residual_ = {};
  residual_.ratio = residual_.b3 = kInfinity;
  last_ = residual_;
}

const Residual& Progress::judge(const ContactProblem& problem, const double* lambda) {
  const Eigen::Map<const Vec> x(lambda, problem.rows());
  return last_ = evaluate(problem, x, problem.law, true, tolerance_, work_, Detail::acceptance);
}

bool Progress::offer(const ContactProblem& problem, const double* lambda) {
  if (judge(problem, lambda).ratio < residual_.ratio) {
    std::copy_n(lambda, problem.rows(), lambda_.data());
    residual_ = last_;
  }
  return last_.accepted();
}

bool Progress::take(const ContactProblem& problem, const double* lambda, bool due, double relative_change) {
  observe(problem, lambda, iteration_);
  if (due) {
    if (offer(problem, lambda)) end(Status::converged);
    learn(relative_change);
    if (!over_ && stalled()) end(Status::stalled);
  }
  if (!over_ && time_is_up()) end(Status::max_iterations);
  return !over_;
}

bool Progress::stalled() {
  if (residual_.ratio <= 0.5 * halved_) {
    halved_ = residual_.ratio, halved_at_ = iteration_;
    return false;
  }
  return pace_.stall_window > 0 && iteration_ - halved_at_ >= pace_.stall_window;
}

bool Progress::cycles(double change, const double* lambda, int rows) {
  const int k = iteration_;
  if ((k & (k - 1)) == 0) {
    snapshot_.resize(rows);
    std::copy_n(lambda, rows, snapshot_.data());
    snapshot_at_ = k;
    return false;
  }
  if (snapshot_at_ == 0 || k - snapshot_at_ < 2) return false;  // none yet in a loop that asks late
  double distance = 0.0;
  for (int i = 0; i < rows; ++i) {
    const double d = lambda[i] - snapshot_[i];
    distance += d * d;
    if (distance > kRecurrence * kRecurrence * change) return false;
  }
  if (change > 0.0) cycle_ = k - snapshot_at_;
  return change > 0.0;
}

void Progress::expire() {
  expired_ = true;
  if (time_limit_ > 0.0) return;
  time_limit_ = 1e-9;
  asked_ = start_ = Clock::now();
}

void Progress::ask_for(double seconds) {
  if (SolveInterrupt::wanted()) expire();
  if (!(time_limit_ > 0.0)) return;
  expired_ = expired_ || since(start_) + seconds > kGrace * time_limit_;
  asked_ = Clock::now();
}

Report Progress::finish(const ContactProblem& problem, const char* path, VecOut lambda, int factorisations) {
  std::copy_n(lambda_.data(), lambda_.size(), lambda.data());
  if (!std::isfinite(residual_.ratio)) {  // nothing was worth keeping
    if (!data_finite(problem))
      status_ = Status::invalid_problem;
    else if (status_ != Status::max_iterations)
      status_ = Status::numerical_failure;
    residual_ = judge(problem, lambda_.data());
  } else if (status_ == Status::converged) {
    status_ = Status::stalled;
  }
  Report report;
  report.status = accepted() ? Status::converged : status_;
  report.iterations = iteration_;
  report.factorisations = factorisations;
  report.path = path;
  report.own = residual_;
  report.ncp = rigid(problem, lambda, residual_, tolerance_, work_);
  report.cycle = accepted() ? 0 : cycle_;
  return report;
}

}  // namespace stiction
