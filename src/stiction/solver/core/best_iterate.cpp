// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/best_iterate.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

bool all_finite(const std::vector<double>& x) { return stiction::all_finite(x.data(), static_cast<int>(x.size())); }

}  // namespace

bool data_finite(const ContactProblem& p) {
  if (!all_finite(p.g.data(), p.g.size()) || !all_finite(p.compliance.data(), p.compliance.size())) return false;
  for (const Block& b : p.blocks)
    if (!std::isfinite(b.mu) || std::isnan(b.lo) || std::isnan(b.hi)) return false;
  switch (p.G.storage) {
    case Delassus::Storage::dense:
      return all_finite(p.G.dense);
    case Delassus::Storage::block_sparse:
      return all_finite(p.G.values);
    case Delassus::Storage::body_space:
      return all_finite(p.G.body.values);
    case Delassus::Storage::matrix_free:
      return all_finite(p.G.diagonal);
  }
  return false;
}

void BestIterate::begin(const ContactProblem& problem, const CommonOptions& options, VecOut lambda, History* history) {
  history_ = history;
  if (history) history->begin_stage();
  tolerance_ = options.judge_tolerance();
  accepted_ = judged_ = false;
  best_ = {};
  best_.ratio = std::numeric_limits<double>::infinity();
  last_ = best_;
  time_limit_ = options.time_limit;
  if (time_limit_ > 0.0) asked_ = start_ = std::chrono::steady_clock::now();
  if (options.cold_start || !all_finite(lambda.data(), static_cast<int>(lambda.size()))) lambda.setZero();
  lambda_.resize(problem.rows());
}

bool BestIterate::accepts(const ContactProblem& problem, const VecRef& lambda) {
  last_ = evaluate(problem, lambda, problem.law, true, tolerance_, work_, Detail::acceptance);
  accepted_ = last_.accepted();
  if (last_.ratio < best_.ratio) {
    best_ = last_;
    judged_ = true;
    if (!accepted_) std::copy_n(lambda.data(), lambda.size(), lambda_.data());
  }
  return accepted_;
}

bool BestIterate::out_of_time() {
  if (time_limit_ <= 0.0) return false;
  const auto now = std::chrono::steady_clock::now(), next = now + (now - asked_);
  asked_ = now;
  return std::chrono::duration<double>(next - start_).count() > time_limit_;
}

Report BestIterate::finish(const ContactProblem& problem, Status status, int iterations, const char* path,
                           VecOut lambda) {
  if (!accepted_) {
    if (judged_)
      std::copy_n(lambda_.data(), lambda.size(), lambda.data());
    else
      lambda.setZero();
    if (status == Status::converged) status = Status::stalled;
    if (!judged_) {
      status = data_finite(problem) ? Status::numerical_failure : Status::invalid_problem;
      best_ = evaluate(problem, lambda, problem.law, true, tolerance_, work_, Detail::acceptance);
    }
  }
  Report report;
  report.status = accepted_ ? Status::converged : status;
  report.iterations = iterations;
  report.path = path;
  report.own = best_;
  const bool same = problem.law.kind == FrictionLaw::coulomb && !problem.compliant();
  report.ncp =
      same ? best_ : evaluate(problem, lambda, {FrictionLaw::coulomb}, false, tolerance_, work_, Detail::acceptance);
  return report;
}

}  // namespace stiction
