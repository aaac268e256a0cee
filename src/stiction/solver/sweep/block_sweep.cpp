// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/sweep/block_sweep.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kAskBlocks = 30.0;  // relative change, in tolerances, from which acceptance is worth asking for
constexpr double kBlockRecurrence = 1e-3;
constexpr double kGrowth = 1e8, kMoving = 1e-3;  // a diverging iteration: its change grows, and is not small beside λ

}  // namespace

void BlockSweep::begin(const ContactProblem& p, const Delassus& G, const double* lambda) {
  int largest = 0;
  for (const Block& b : p.blocks) largest = std::max(largest, b.size);
  u_.resize(largest), old_.resize(largest);
  refresh(G, lambda);
}

void BlockSweep::refresh(const Delassus& G, const double* lambda) {
  if (G.storage != Delassus::Storage::body_space) return;
  velocity_.assign(G.body.velocities, 0.0);
  for (int i = 0; i < G.blocks(); ++i) G.add_transposed(i, lambda + G.start[i], velocity_.data());
}

void SweepWatch::begin(const ContactProblem& p, const CommonOptions& o, int rows, int interval) {
  interval_ = interval, last_ = o.max_iterations;
  trigger_ = kAskBlocks * o.tolerance;
  absolute_ = p.dt ? o.force_tolerance * *p.dt : 0.0;
  smallest_ = std::numeric_limits<double>::infinity();
  snapshot_.resize(rows);
}

bool SweepWatch::judge_is_due(int iteration, const SweepChange& c) const {
  if (iteration % interval_ == 0 || iteration >= last_) return true;
  const double allowed = trigger_ * std::sqrt(c.size) + absolute_;
  return c.change <= allowed * allowed;
}

void SweepWatch::learn(double ratio, const SweepChange& c) {
  const double relative = c.size > 0.0 ? std::sqrt(c.change / c.size) : 0.0;
  if (ratio > 1.0) trigger_ = std::min(trigger_, 2.0 * relative / ratio);
}

bool SweepWatch::finite(const SweepChange& c) { return std::isfinite(c.change) && std::isfinite(c.size); }

bool SweepWatch::hopeless(int iteration, const SweepChange& c, const double* lambda) {
  smallest_ = std::min(smallest_, c.change);
  if (c.change == 0.0) return true;
  if (c.change > kGrowth * kGrowth * smallest_ && c.change > kMoving * kMoving * c.size) return true;
  return returns(iteration, c.change, lambda);
}

bool SweepWatch::returns(int iteration, double change, const double* lambda) {
  const int rows = snapshot_.size();
  if ((iteration & (iteration - 1)) == 0) {
    std::copy_n(lambda, rows, snapshot_.data());
    return false;
  }
  int power = 1;
  while (2 * power <= iteration) power *= 2;
  if (iteration - power < 2) return false;
  double distance = 0.0;
  for (int i = 0; i < rows; ++i) {
    const double d = lambda[i] - snapshot_[i];
    distance += d * d;
    if (distance > kBlockRecurrence * kBlockRecurrence * change) return false;
  }
  return true;
}

}  // namespace stiction
