// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/dot.h>
#include <stiction/solver/diagnose/least_distance.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kDependent = 1e-10;     // part of a column that the others do not span
constexpr double kZeroResidual = 1e-14;  // of (1), in units of y
constexpr double kLeastProgress = 1e-9;  // of a round
constexpr int kIdleRounds = 12;

}  // namespace

// One column of A: (Hᵀ ray, g·ray/γ)/D, with the margin taken off.
void LeastDistance::write_column(const VelocityDemand& v, const double* ray) {
  const int m = rows_->velocities();
  const double s = v.sign / scale(v);
  double* a = column_.data();
  const double* h = rows_->H(v.row);
  for (int k = 0; k < m; ++k) a[k] = s * h[k];
  double free = s * g_[v.row];
  if (ray[0] != 0.0 || ray[1] != 0.0)
    for (int t = 0; t < 2; ++t) {
      const double* tangent = rows_->H(v.row - 2 + t);
      for (int k = 0; k < m; ++k) a[k] += s * ray[t] * tangent[k];
      free += s * ray[t] * g_[v.row - 2 + t];
    }
  a[m] = free - (v.kind == VelocityDemand::equal ? 0.0 : margin_);
}

void LeastDistance::add_equalities() {
  const double none[2] = {0.0, 0.0};
  for (std::size_t i = 0; i < rows_->demands().size(); ++i) {
    const VelocityDemand& v = rows_->demands()[i];
    if (v.kind != VelocityDemand::equal) continue;
    write_column(v, none);
    if (!qr_.add(column_.data(), kDependent)) continue;  // a redundant loop
    active_.push_back({static_cast<int>(i), {0.0, 0.0}});
    x_.push_back(0.0);
  }
}

// The ray of every demand that the residual points along most; r is −u·(1 + g·y/γ)/γ, so these are the constraints that the
// velocity breaks.
void LeastDistance::find_candidates() {
  const int m = rows_->velocities();
  const double last = r_[m];
  candidates_.clear();
  for (std::size_t i = 0; i < rows_->demands().size(); ++i) {
    const VelocityDemand& v = rows_->demands()[i];
    if (v.kind == VelocityDemand::equal) continue;
    const auto along = [&](int row) { return dot(rows_->H(row), r_.data(), m) + g_[row] * last; };
    Candidate c{v.sign * along(v.row), {static_cast<int>(i), {0.0, 0.0}}};
    if (cones_ && v.mu > 0.0) {
      const double a = along(v.row - 2), b = along(v.row - 1), size = std::sqrt(a * a + b * b);
      if (size > 0.0) c.entry.ray[0] = v.mu * a / size, c.entry.ray[1] = v.mu * b / size;
      c.value += v.mu * size;
    }
    c.value = c.value / scale(v) - margin_ * last;
    candidates_.push_back(c);
  }
  std::sort(candidates_.begin(), candidates_.end(),
            [](const Candidate& a, const Candidate& b) { return a.value > b.value; });
}

bool LeastDistance::add_best(int most) {
  int added = 0;
  for (const Candidate& c : candidates_) {
    if (!(c.value > 0.0) || added == most || (added > 0 && c.value < 0.3 * candidates_.front().value)) break;
    write_column(rows_->demands()[c.entry.demand], c.entry.ray);
    if (!qr_.add(column_.data(), kDependent)) continue;
    active_.push_back(c.entry);
    x_.push_back(0.0);
    ++added;
  }
  return added > 0;
}

void LeastDistance::drop(int k) {
  qr_.remove(k);
  active_.erase(active_.begin() + k);
  for (int j = k; j + 1 < x_.size(); ++j) x_[j] = x_[j + 1];
  x_.resize(x_.size() - 1);
}

// Lawson and Hanson's inner loop: towards the unconstrained minimum over the active columns, dropping those that reach zero.
void LeastDistance::step_to_solution() {
  while (true) {
    z_.resize(x_.size());
    qr_.solve(b_.data(), z_.data(), r_.data());
    double length = 1.0;
    int first = -1;
    for (int k = 0; k < x_.size(); ++k) {
      if (rows_->demands()[active_[k].demand].kind == VelocityDemand::equal || z_[k] > 0.0) continue;
      const double reach = x_[k] > 0.0 ? x_[k] / (x_[k] - z_[k]) : 0.0;
      if (first < 0 || reach < length) length = reach, first = k;
    }
    for (int k = 0; k < x_.size(); ++k) x_[k] += (first < 0 ? 1.0 : length) * (z_[k] - x_[k]);
    if (first < 0) return;
    drop(first);
  }
}

// (1). `enough`: violation of the constraints, in units of the rows, at which the velocity will do.
void LeastDistance::minimise(const ContactProblem& p, const VelocityRows& rows, bool cones, double margin,
                             double enough) {
  rows_ = &rows, margin_ = margin, rounds_ = 0;
  const int m = rows_->velocities();
  cones_ = cones;
  qr_.reset(m + 1);
  active_.clear(), x_.clear();
  column_.resize(m + 1), r_.resize(m + 1);
  b_.assign(m + 1, 0.0);
  b_[m] = -1.0;
  g_.resize(p.rows());
  for (int i = 0; i < p.rows(); ++i) g_[i] = p.g[i] / rows_->gamma();
  add_equalities();
  step_to_solution();
  const int demands = static_cast<int>(rows_->demands().size());
  int most = 1 + demands / 16, idle = 0;
  double before = r_.vec().norm();
  for (int round = 0; round < 100 + 20 * demands && idle < kIdleRounds; ++round, ++rounds_) {
    if (x_.size() > 0 && before <= kZeroResidual * (1.0 + x_.vec().lpNorm<Eigen::Infinity>())) return;
    find_candidates();
    if (candidates_.empty() || candidates_.front().value <= -enough * r_[m]) return;
    if (!add_best(most)) return;
    step_to_solution();
    const double now = r_.vec().norm();
    if (!(now < (1.0 - kLeastProgress) * before))
      ++idle, most = 1;
    else
      idle = 0;
    before = now;
  }
}

void LeastDistance::read(double factor, GrowingVec& out) const {
  out.assign(out.size(), 0.0);
  const double least = x_.size() > 0 ? 1e-12 * x_.vec().lpNorm<Eigen::Infinity>() : 0.0;
  for (int k = 0; k < x_.size(); ++k) {
    if (std::abs(x_[k]) <= least) continue;
    const Active& a = active_[k];
    const VelocityDemand& v = rows_->demands()[a.demand];
    const double amount = factor * v.sign * x_[k] / scale(v);
    out[v.row] += amount;
    for (int t = 0; t < 2; ++t)
      if (a.ray[t] != 0.0) out[v.row - 2 + t] += amount * a.ray[t];
  }
}

}  // namespace stiction
