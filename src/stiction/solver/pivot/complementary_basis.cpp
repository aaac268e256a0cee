// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/pivot/complementary_basis.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stiction {
namespace {

constexpr double kDependent = 1e-12;

}  // namespace

void ComplementaryBasis::factor(const double* M, int n) {
  const int m = size();
  lu_.resize(m * m), row_order_.resize(m), column_order_.resize(m);
  std::iota(row_order_.begin(), row_order_.end(), 0);
  std::iota(column_order_.begin(), column_order_.end(), 0);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) lu_[i * m + j] = M[active_[i] * n + active_[j]];
  double largest = 0.0;
  for (rank_ = 0; rank_ < m; ++rank_) {
    int row = rank_, column = rank_;
    double best = -1.0;
    for (int i = rank_; i < m; ++i)
      for (int j = rank_; j < m; ++j)
        if (std::abs(lu_[i * m + j]) > best) best = std::abs(lu_[i * m + j]), row = i, column = j;
    largest = std::max(largest, best);
    if (!(best > kDependent * largest)) return;
    for (int j = 0; row != rank_ && j < m; ++j) std::swap(lu_[row * m + j], lu_[rank_ * m + j]);
    for (int i = 0; column != rank_ && i < m; ++i) std::swap(lu_[i * m + column], lu_[i * m + rank_]);
    std::swap(row_order_[row], row_order_[rank_]);
    std::swap(column_order_[column], column_order_[rank_]);
    const double* pivot = lu_.data() + rank_ * m;
    for (int i = rank_ + 1; i < m; ++i) {
      double* other = lu_.data() + i * m;
      const double factor = other[rank_] /= pivot[rank_];
      if (factor == 0.0) continue;
      for (int j = rank_ + 1; j < m; ++j) other[j] -= factor * pivot[j];
    }
  }
}

void ComplementaryBasis::solve(double* x) {
  const int m = size();
  double* y = permuted_.data();
  for (int i = 0; i < rank_; ++i) {
    y[i] = x[row_order_[i]];
    for (int j = 0; j < i; ++j) y[i] -= lu_[i * m + j] * y[j];
  }
  for (int i = rank_ - 1; i >= 0; --i) {
    for (int j = i + 1; j < rank_; ++j) y[i] -= lu_[i * m + j] * y[j];
    y[i] /= lu_[i * (m + 1)];
  }
  for (int i = 0; i < m; ++i) x[column_order_[i]] = i < rank_ ? y[i] : 0.0;
}

void ComplementaryBasis::refine(const double* M, const double* q, int n, double* z, int steps) {
  const int m = size();
  residual_.resize(m), permuted_.resize(m);
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < m; ++i) {
      const double* row = M + active_[i] * n;
      double r = q[active_[i]];
      for (const int j : active_) r += row[j] * z[j];
      residual_[i] = r;
    }
    solve(residual_.data());
    for (int i = 0; i < m; ++i) z[active_[i]] -= residual_[i];
  }
}

}  // namespace stiction
