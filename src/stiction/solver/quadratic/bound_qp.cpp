// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/linalg/dense_factor.h>
#include <stiction/solver/quadratic/bound_qp.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kNegative = -1e-13;  // of a bounded unknown [N s]
constexpr double kRelease = -1e-10;   // of a fixed row's gradient

}  // namespace

void BoundQp::resize(int n, int group) {
  n_ = n, group_ = group;
  Q_.resize(n * n), factor_.resize(n * n);
  for (std::vector<double>* v : {&g_, &x_, &rhs_}) v->resize(n);
  fixed_.resize(n);
  free_.reserve(n);
}

double BoundQp::gradient(int i) const {
  double sum = g_[i];
  const double* row = Q_.data() + i * n_;
  for (int j = 0; j < n_; ++j) sum += row[j] * x_[j];
  return sum;
}

// x on the free rows, zero on the others.
bool BoundQp::solve_free() {
  free_.clear();
  for (int i = 0; i < n_; ++i)
    if (!fixed_[i]) free_.push_back(i);
  const int m = static_cast<int>(free_.size());
  for (int i = 0; i < m; ++i) {
    const double* row = Q_.data() + free_[i] * n_;
    for (int j = 0; j <= i; ++j) factor_[i * m + j] = row[free_[j]];
    rhs_[i] = -g_[free_[i]];
  }
  std::fill(x_.begin(), x_.end(), 0.0);
  if (!factor_cholesky(factor_.data(), m)) return false;
  solve_cholesky(factor_.data(), m, rhs_.data());
  for (int i = 0; i < m; ++i) x_[free_[i]] = rhs_[i];
  return true;
}

bool BoundQp::solve() {
  std::fill(fixed_.begin(), fixed_.end(), 0);
  const int cap = 10 * (n_ / group_) + 20;
  for (rounds_ = 1; rounds_ <= cap; ++rounds_) {
    if (!solve_free()) return false;
    bool changed = false;
    for (int i = group_ - 1; i < n_; i += group_)
      if (!fixed_[i] && x_[i] < kNegative) fixed_[i] = 1, changed = true;
    if (changed) continue;
    int worst = -1;
    double least = kRelease;
    for (int i = group_ - 1; i < n_; i += group_) {
      if (!fixed_[i]) continue;
      if (const double slope = gradient(i); slope < least) least = slope, worst = i;
    }
    if (worst < 0) {
      for (int i = group_ - 1; i < n_; i += group_) x_[i] = std::max(0.0, x_[i]);
      return true;
    }
    fixed_[worst] = 0;
  }
  return sweep_to_solution();
}

// Projected Gauss-Seidel from the last x.
bool BoundQp::sweep_to_solution() {
  for (int i = group_ - 1; i < n_; i += group_) x_[i] = std::max(0.0, x_[i]);
  for (int sweep = 0; sweep < 20000; ++sweep, ++rounds_) {
    double change = 0.0, size = 0.0;
    for (int i = 0; i < n_; ++i) {
      double next = x_[i] - gradient(i) / Q_[i * n_ + i];
      if (i % group_ == group_ - 1) next = std::max(0.0, next);
      change = std::max(change, std::abs(next - x_[i]));
      size = std::max(size, std::abs(next));
      x_[i] = next;
    }
    if (change <= 1e-14 * size) return true;
  }
  return false;
}

bool BoundQp::solve_omitting() {
  std::fill(fixed_.begin(), fixed_.end(), 0);
  for (rounds_ = 1;; ++rounds_) {
    if (!solve_free()) return false;
    bool changed = false;
    for (int i = group_ - 1; i < n_; i += group_)
      if (!fixed_[i] && x_[i] < 0.0) {
        std::fill(fixed_.begin() + (i - group_ + 1), fixed_.begin() + (i + 1), 1);
        changed = true;
      }
    if (!changed) return true;
  }
}

}  // namespace stiction
