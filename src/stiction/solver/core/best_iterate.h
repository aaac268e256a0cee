// SPDX-License-Identifier: BSD-2-Clause
// Between a solver's loop and the judge: asks the judge, keeps the best iterate by Residual.ratio, fills the Report.
// A NaN ratio is never better than anything, so that what is handed back is always finite.
#pragma once

#include <stiction/solver/core/solver.h>

#include <chrono>
#include <limits>

namespace stiction {

class BestIterate {
 public:
  // Starts a solve. The guess is λ itself; entries that are not finite make it start from zero, as does cold_start.
  void begin(const ContactProblem& problem, const CommonOptions& options, VecOut lambda, History* history = nullptr);
  // Once per iteration: writes to the history if there is one, and changes nothing else.
  void observe(const ContactProblem& problem, const VecRef& lambda, int iteration) {
    if (history_) history_->add(problem, lambda, tolerance_, iteration);
  }
  // Judges λ (own law, with R) and keeps it if it is the best so far. True if it is accepted.
  bool accepts(const ContactProblem& problem, const VecRef& lambda);
  const Residual& last() const { return last_; }
  double best_ratio() const { return best_.ratio; }
  // Once per iteration: whether another one as long as this would overrun the limit.
  bool out_of_time();

  // Writes the best iterate to λ. `status` is what the loop thinks; non-finite data turn it into invalid_problem.
  Report finish(const ContactProblem& problem, Status status, int iterations, const char* path, VecOut lambda);

 private:
  Tolerance tolerance_;
  Residual last_, best_;
  GrowingVec lambda_;  // best iterate, unless λ itself is the accepted one
  bool accepted_ = false, judged_ = false;
  JudgeWork work_;
  double time_limit_ = 0.0;
  std::chrono::steady_clock::time_point start_, asked_;
  History* history_ = nullptr;
};

// No NaN or Inf among n numbers: x·0 is 0 only for finite x.
inline bool all_finite(const double* x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * 0.0;
  return sum == 0.0;
}

// The answer to a law or block a solver does not know; λ is left untouched.
inline Report refuse(const char* path) {
  Report report;
  report.status = Status::invalid_problem;
  report.path = path;
  report.own.ratio = report.ncp.ratio = std::numeric_limits<double>::quiet_NaN();  // never reads as accepted
  return report;
}

// The polygon with more sides than the four that most solvers of the pyramid know.
inline bool too_many_facets(const FrictionLaw& law) { return law.kind == FrictionLaw::pyramid && law.facets > 4; }

bool data_finite(const ContactProblem& problem);

}  // namespace stiction
