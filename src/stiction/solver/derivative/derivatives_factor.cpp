// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/dot.h>
#include <stiction/solver/derivative/derivatives_factor.h>
#include <stiction/solver/linalg/dense_factor.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-11;  // of a row's own length
constexpr double kDoubtful = 1e-7;   // likewise of pivots of the fast factors

void subtract(double* y, double a, const double* x, int n) {
  for (int i = 0; i < n; ++i) y[i] -= a * x[i];
}

void solve_lu_transposed(const double* a, int n, const int* pivot, double* x) {
  const std::ptrdiff_t stride = n;
  for (int i = 0; i < n; ++i) {  // Uᵀ, row by row of U
    x[i] /= a[i * stride + i];
    subtract(x + i + 1, x[i], a + i * stride + i + 1, n - i - 1);
  }
  for (int i = n - 1; i > 0; --i) subtract(x, x[i], a + i * stride, i);  // Lᵀ, unit diagonal
  for (int j = n - 1; j >= 0; --j)
    if (pivot[j] != j) std::swap(x[j], x[pivot[j]]);
}

}  // namespace

bool SmallFactor::factor(const double* S, int n, bool symmetric) {
  n_ = rank_ = n;
  double poison = 0.0;
  for (int i = 0; i < n * n; ++i) poison += S[i] * 0.0;
  if (!(poison == 0.0)) return false;
  return factor_fast(S, symmetric) || factor_orthogonal(S);
}

bool SmallFactor::factor_fast(const double* S, bool symmetric) {
  const std::ptrdiff_t stride = n_;
  a_.resize(n_ * n_), length_.resize(n_), pivot_.resize(n_);
  std::copy(S, S + stride * n_, a_.data());
  kind_ = symmetric ? Kind::cholesky : Kind::lu;
  if (symmetric) {
    if (!factor_cholesky(a_.data(), n_)) return false;
    for (int i = 0; i < n_; ++i) {
      const double pivot = a_[i * n_ + i];
      if (!(pivot * pivot > kDoubtful * S[i * stride + i])) return false;
    }
    return true;
  }
  if (!factor_lu(a_.data(), n_, pivot_.data())) return false;
  for (int i = 0; i < n_; ++i) {
    double largest = 0.0;
    for (int k = 0; k < n_; ++k) largest = std::max(largest, std::abs(S[i * stride + k]));
    length_[i] = largest;
  }
  for (int i = 0; i < n_; ++i) {
    std::swap(length_[i], length_[pivot_[i]]);
    if (!(std::abs(a_[i * n_ + i]) > kDoubtful * length_[i])) return false;
  }
  return true;
}

bool SmallFactor::factor_orthogonal(const double* S) {
  kind_ = Kind::orthogonal;
  a_.resize(n_ * n_), w_.resize(n_ * n_), q_.resize(n_ * n_), c_.assign(n_ * n_, 0.0), scratch_.resize(n_);
  std::copy(S, S + static_cast<std::ptrdiff_t>(n_) * n_, a_.data());
  orthonormalise_rows(S);
  orthonormalise_image(S);
  double sum = 0.0;
  for (int i = 0; i < rank_ * n_; ++i) sum += w_[i] * 0.0 + q_[i] * 0.0;
  return sum == 0.0;
}

void SmallFactor::orthonormalise_rows(const double* S) {
  const std::ptrdiff_t stride = n_;
  for (int i = 0; i < n_; ++i) length_[i] = std::sqrt(dot(S + i * stride, S + i * stride, n_));
  for (rank_ = 0; rank_ < n_; ++rank_) {
    int best = -1;
    double share = kRoundOff;
    for (int i = 0; i < n_; ++i) {
      const double left = std::sqrt(dot(row(a_, i), row(a_, i), n_));
      if (length_[i] > 0.0 && left > share * length_[i]) best = i, share = left / length_[i];
    }
    if (best < 0) return;
    double* w = row(w_, rank_);
    std::copy(row(a_, best), row(a_, best) + n_, w);
    for (int k = 0; k < rank_; ++k) subtract(w, dot(w, row(w_, k), n_), row(w_, k), n_);
    const double inverse = 1.0 / std::sqrt(dot(w, w, n_));
    for (int k = 0; k < n_; ++k) w[k] *= inverse;
    length_[best] = 0.0;  // taken
    for (int i = 0; i < n_; ++i)
      if (length_[i] > 0.0) subtract(row(a_, i), dot(row(a_, i), w, n_), w, n_);
  }
}

// Rows of (S Wᵀ)ᵀ = C Q.
void SmallFactor::orthonormalise_image(const double* S) {
  const std::ptrdiff_t stride = n_;
  for (int k = 0; k < rank_; ++k) {
    double* q = row(q_, k);
    for (int i = 0; i < n_; ++i) q[i] = dot(S + i * stride, row(w_, k), n_);
    for (int pass = 0; pass < 2; ++pass)
      for (int j = 0; j < k; ++j) {
        const double c = dot(q, row(q_, j), n_);
        c_[k * n_ + j] += c;
        subtract(q, c, row(q_, j), n_);
      }
    c_[k * n_ + k] = std::sqrt(dot(q, q, n_));
    const double inverse = 1.0 / c_[k * n_ + k];
    for (int i = 0; i < n_; ++i) q[i] *= inverse;
  }
}

void SmallFactor::solve(double* x) {
  if (kind_ == Kind::cholesky) return solve_cholesky(a_.data(), n_, x);
  if (kind_ == Kind::lu) return solve_lu(a_.data(), n_, pivot_.data(), x);
  double* y = scratch_.data();
  for (int k = 0; k < rank_; ++k) y[k] = dot(row(q_, k), x, n_);
  for (int k = rank_ - 1; k >= 0; --k) {  // Cᵀ y = Q x
    y[k] /= c_[k * n_ + k];
    subtract(y, y[k], row(c_, k), k);
  }
  std::fill(x, x + n_, 0.0);
  for (int k = 0; k < rank_; ++k) subtract(x, -y[k], row(w_, k), n_);
}

void SmallFactor::project_null(double* x) {
  if (kind_ != Kind::orthogonal) return std::fill(x, x + n_, 0.0);
  for (int k = 0; k < rank_; ++k) subtract(x, dot(row(w_, k), x, n_), row(w_, k), n_);
}

void SmallFactor::solve_transposed(double* x) {
  if (kind_ == Kind::cholesky) return solve_cholesky(a_.data(), n_, x);
  if (kind_ == Kind::lu) return solve_lu_transposed(a_.data(), n_, pivot_.data(), x);
  double* y = scratch_.data();
  for (int k = 0; k < rank_; ++k) y[k] = dot(row(w_, k), x, n_);
  for (int k = 0; k < rank_; ++k) y[k] = (y[k] - dot(row(c_, k), y, k)) / c_[k * n_ + k];  // C y = W x
  std::fill(x, x + n_, 0.0);
  for (int k = 0; k < rank_; ++k) subtract(x, -y[k], row(q_, k), n_);
}

}  // namespace stiction
