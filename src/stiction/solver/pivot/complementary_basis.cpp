// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/pivot/complementary_basis.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stiction {
namespace {

constexpr double kDependent = 1e-12;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void ComplementaryBasis::factor(const double* M, int n) {
  const int m = size();
  lu_.resize(at(m) * at(m)), row_order_.resize(at(m)), column_order_.resize(at(m));
  std::iota(row_order_.begin(), row_order_.end(), 0);
  std::iota(column_order_.begin(), column_order_.end(), 0);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) lu_[at(i) * at(m) + at(j)] = M[at(active_[at(i)]) * at(n) + at(active_[at(j)])];
  double largest = 0.0;
  for (rank_ = 0; rank_ < m; ++rank_) {
    int row = rank_, column = rank_;
    double best = -1.0;
    for (int i = rank_; i < m; ++i)
      for (int j = rank_; j < m; ++j)
        if (std::abs(lu_[at(i) * at(m) + at(j)]) > best)
          best = std::abs(lu_[at(i) * at(m) + at(j)]), row = i, column = j;
    largest = std::max(largest, best);
    if (!(best > kDependent * largest)) return;
    for (int j = 0; row != rank_ && j < m; ++j) std::swap(lu_[at(row) * at(m) + at(j)], lu_[at(rank_) * at(m) + at(j)]);
    for (int i = 0; column != rank_ && i < m; ++i)
      std::swap(lu_[at(i) * at(m) + at(column)], lu_[at(i) * at(m) + at(rank_)]);
    std::swap(row_order_[at(row)], row_order_[at(rank_)]);
    std::swap(column_order_[at(column)], column_order_[at(rank_)]);
    const double* pivot = lu_.data() + at(rank_) * at(m);
    for (int i = rank_ + 1; i < m; ++i) {
      double* other = lu_.data() + at(i) * at(m);
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
    y[i] = x[row_order_[at(i)]];
    for (int j = 0; j < i; ++j) y[i] -= lu_[at(i) * at(m) + at(j)] * y[j];
  }
  for (int i = rank_ - 1; i >= 0; --i) {
    for (int j = i + 1; j < rank_; ++j) y[i] -= lu_[at(i) * at(m) + at(j)] * y[j];
    y[i] /= lu_[at(i) * at(m + 1)];
  }
  for (int i = 0; i < m; ++i) x[column_order_[at(i)]] = i < rank_ ? y[i] : 0.0;
}

void ComplementaryBasis::refine(const double* M, const double* q, int n, double* z, int steps) {
  const int m = size();
  residual_.resize(m), permuted_.resize(m);
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < m; ++i) {
      const double* row = M + at(active_[at(i)]) * at(n);
      double r = q[active_[at(i)]];
      for (const int j : active_) r += row[j] * z[j];
      residual_[i] = r;
    }
    solve(residual_.data());
    for (int i = 0; i < m; ++i) z[active_[at(i)]] -= residual_[i];
  }
}

}  // namespace stiction
