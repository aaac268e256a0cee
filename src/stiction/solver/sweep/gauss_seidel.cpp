// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/sweep/gauss_seidel.h>

#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr int kMeasuredFrom = 10;  // sweep from which on a contraction counts
constexpr int kMeasured = 5;       // sweeps over which a contraction is measured
constexpr double kFast = 0.1;      // contraction of plain sweeps that Anderson is not asked to better

}  // namespace

void GaussSeidel::begin(const ContactProblem& p, const SweepOptions& o, const double* lambda) {
  accelerated_ = o.anderson > 0;
  if (accelerated_) {
    anderson_.begin(p.rows(), o.anderson);
    previous_.resize(p.rows());
  }
  measured_ratio_ = std::numeric_limits<double>::infinity(), measured_sweep_ = 0;
  last_change_ = 0.0;
  if (dense_)
    dense_->load(lambda);
  else
    sweep_.begin(p, p.G, lambda);
}

bool GaussSeidel::goes_on(const ContactProblem& p, const SweepOptions& o, Change c, const double* lambda,
                          Progress& best) {
  const auto end = [&](Status status) {
    best.end(status);
    return false;
  };
  if (!c.finite()) return end(Status::numerical_failure);
  if (best.due(c)) {
    if (best.offer(p, lambda)) return end(Status::converged);
    best.learn(c.relative());
    if (o.affordable > 0 && too_slow(o.affordable, best)) return end(Status::stalled);
    if (best.stalled()) {
      if (!accelerated_) return end(Status::stalled);
      accelerated_ = false;  // the plain sweep gets its own chance
      best.forgive();
    }
  }
  if (accelerated_ || !best.cycles(c.change, lambda, p.rows())) return true;
  best.offer(p, lambda);  // it may be the first to be judged
  return end(Status::stalled);
}

// Whether the contraction of the best residual over the last sweeps leaves more than twice the sweeps that are left.
bool GaussSeidel::too_slow(int affordable, const Progress& best) {
  const int sweep = best.iteration(), since = sweep - measured_sweep_;
  if (since < kMeasured) return false;
  const double now = best.ratio(), rate = now / measured_ratio_;
  measured_ratio_ = now, measured_sweep_ = sweep;
  if (sweep < kMeasuredFrom || !(rate > 0.0)) return false;
  return !(rate < 1.0) || std::log(now) * since > -std::log(rate) * 2.0 * (affordable - sweep);
}

// The first sweep is always recorded, because it costs next to nothing and is the base of the first difference.
bool GaussSeidel::worth_accelerating(Change c) {
  const bool fast = c.change <= kFast * kFast * last_change_;
  last_change_ = c.change;
  return !fast || anderson_.started();
}

void GaussSeidel::accelerate(const ContactProblem& p, const SweepOptions& o, double* lambda) {
  const int before = anderson_.restarts();
  const bool extrapolated = anderson_.advance(previous_.data(), lambda);
  if (anderson_.restarts() > o.restart_budget) accelerated_ = false;
  if (extrapolated && dense_) return dense_->project_and_load(p, lambda);
  if (extrapolated) project_blocks(p, lambda);
  if (extrapolated || anderson_.restarts() > before) moved(lambda);
}

}  // namespace stiction
