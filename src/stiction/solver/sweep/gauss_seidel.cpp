// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/entry.h>
#include <stiction/solver/sweep/gauss_seidel.h>

#include <limits>

namespace stiction {
namespace {

constexpr double kLikely = 30.0;  // relative change, in tolerances, from which acceptance is worth asking for
constexpr double kRecurrence = 1e-3;
constexpr int kHopeFrom = 10;  // sweep from which on a contraction counts
constexpr int kMeasured = 5;   // sweeps over which a contraction is measured
constexpr double kFast = 0.1;  // contraction of plain sweeps that Anderson is not asked to better

}  // namespace

void SweepOptions::check_sweep(const char* owner) const {
  require_option(over_relaxation > 0.0 && over_relaxation < 2.0, owner, "over_relaxation", over_relaxation,
                 "a value in ]0, 2[");
  require_option(anderson >= 0 && anderson <= 50, owner, "anderson", anderson, "a window from 0 (off) to 50");
  require_option(restart_budget >= 0, owner, "restart_budget", restart_budget, "an integer >= 0");
  require_option(test_interval >= 1, owner, "test_interval", test_interval, "an integer >= 1");
  require_option(stall_window >= 0, owner, "stall_window", stall_window, "an integer >= 0, 0 for no detection");
}

void GaussSeidel::begin(const ContactProblem& p, const SweepOptions& o, VecOut lambda) {
  best_.begin(p, o, lambda, history);
  int largest = 0;
  for (const Block& b : p.blocks) largest = std::max(largest, b.size);
  u_.resize(largest), old_.resize(largest);
  accelerated_ = o.anderson > 0;
  if (accelerated_) {
    anderson_.begin(p.rows(), o.anderson);
    previous_.resize(p.rows());
  }
  snapshot_.resize(p.rows());
  trigger_ = kLikely * o.tolerance;
  halved_ratio_ = std::numeric_limits<double>::infinity();
  halved_sweep_ = 0;
  hoped_ratio_ = halved_ratio_, hoped_sweep_ = 0;
  last_change_ = 0.0;
  due_ = o.test_interval, power_ = cycle_ = 0;
  moved(p, lambda.data());
}

// λ was changed outside a sweep: what is kept beside it is made anew. ŵ = Hᵀλ from scratch in body space.
void GaussSeidel::moved(const ContactProblem& p, const double* lambda) {
  if (dense_) return dense_->load(lambda);
  if (p.G.storage != Delassus::Storage::body_space) return;
  velocity_.assign(p.G.body.velocities, 0.0);
  for (int i = 0; i < p.G.blocks(); ++i) p.G.add_transposed(i, lambda + p.G.start[i], velocity_.data());
}

bool GaussSeidel::judge_is_due(const ContactProblem& p, const SweepOptions& o, int sweep, Change c) const {
  if (sweep >= due_ || sweep >= o.max_iterations) return true;
  const double absolute = p.dt ? o.force_tolerance * *p.dt : 0.0;
  const double allowed = trigger_ * std::sqrt(c.size) + absolute;
  return c.change <= allowed * allowed;
}

GaussSeidel::Next GaussSeidel::after_sweep(const ContactProblem& p, const SweepOptions& o, int sweep, Change c,
                                           const VecRef& lambda) {
  if (!std::isfinite(c.change) || !std::isfinite(c.size)) return Next::failed;
  if (judge_is_due(p, o, sweep, c)) {
    if (sweep >= due_) due_ += o.test_interval;
    if (best_.accepts(p, lambda)) return Next::converged;
    const double ratio = best_.last().ratio, relative = c.size > 0.0 ? std::sqrt(c.change / c.size) : 0.0;
    // The change that should do next time, if error and change fall together.
    if (ratio > 1.0) trigger_ = std::min(trigger_, 2.0 * relative / ratio);
    if (o.hope > 0 && hopeless(o, sweep)) return Next::stalled;
    if (best_.best_ratio() <= 0.5 * halved_ratio_)
      halved_ratio_ = best_.best_ratio(), halved_sweep_ = sweep;
    else if (o.stall_window > 0 && sweep - halved_sweep_ >= o.stall_window) {
      if (!accelerated_) return Next::stalled;
      accelerated_ = false;  // the plain sweep gets its own chance
      halved_sweep_ = sweep;
    }
  }
  if (accelerated_ || !cycles(sweep, c.change, lambda.data())) return Next::go_on;
  return best_.accepts(p, lambda) ? Next::converged : Next::cycles;  // it may be the first to be judged
}

// Whether the contraction of the best residual over the last sweeps leaves more than twice the sweeps that are left.
bool GaussSeidel::hopeless(const SweepOptions& o, int sweep) {
  const int since = sweep - hoped_sweep_;
  if (since < kMeasured) return false;
  const double now = best_.best_ratio(), rate = now / hoped_ratio_;
  hoped_ratio_ = now, hoped_sweep_ = sweep;
  if (sweep < kHopeFrom || !(rate > 0.0)) return false;
  return !(rate < 1.0) || std::log(now) * since > -std::log(rate) * 2.0 * (o.hope - sweep);
}

// Brent's detector. `change` is the largest ‖Δλ_i‖² of this sweep.
bool GaussSeidel::cycles(int sweep, double change, const double* lambda) {
  const int rows = snapshot_.size();
  if ((sweep & (sweep - 1)) == 0) {
    std::copy_n(lambda, rows, snapshot_.data());
    power_ = sweep;
    return false;
  }
  if (power_ == 0 || sweep - power_ < 2) return false;  // no snapshot since Anderson was given up
  double distance = 0.0;
  for (int i = 0; i < rows; ++i) {
    const double d = lambda[i] - snapshot_[i];
    distance += d * d;
    if (distance > kRecurrence * kRecurrence * change) return false;
  }
  if (change > 0.0) cycle_ = sweep - power_;
  return change > 0.0;
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
  if (extrapolated || anderson_.restarts() > before) moved(p, lambda);
}

}  // namespace stiction
