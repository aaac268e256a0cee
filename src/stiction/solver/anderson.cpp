// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/anderson.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kCutOff = 1e-10;

double dot(const double* a, const double* b, int n) {
  double even = 0.0, odd = 0.0;
  int i = 0;
  for (; i + 1 < n; i += 2) even += a[i] * b[i], odd += a[i + 1] * b[i + 1];
  return i < n ? even + odd + a[i] * b[i] : even + odd;
}

void subtract_scaled(double* y, double a, const double* x, int n) {
  for (int i = 0; i < n; ++i) y[i] -= a * x[i];
}

}  // namespace

void Anderson::begin(int rows, int window) {
  rows_ = rows, window_ = window;
  columns_ = newest_ = restarts_ = 0;
  has_last_ = false;
  smallest_ = std::numeric_limits<double>::infinity();
  f_.resize(rows), last_f_.resize(rows), last_g_.resize(rows);
  delta_f_.resize(rows * window), delta_g_.resize(rows * window), basis_.resize(rows * window);
  triangle_.resize(window * window), gamma_.resize(window);
}

bool Anderson::advance(const double* r, double* next) {
  for (int i = 0; i < rows_; ++i) f_[i] = next[i] - r[i];
  const double norm = dot(f_.data(), f_.data(), rows_);
  if (!(norm <= 4.0 * smallest_)) return restart(next);
  smallest_ = std::min(smallest_, norm);
  if (has_last_) push(f_.data(), next);
  std::copy_n(f_.data(), rows_, last_f_.data());
  std::copy_n(next, rows_, last_g_.data());
  has_last_ = true;
  if (columns_ == 0 || norm == 0.0) return false;
  extrapolate(next);
  return true;
}

bool Anderson::restart(double* next) {
  if (has_last_) std::copy_n(last_g_.data(), rows_, next);
  columns_ = 0;
  has_last_ = false;
  smallest_ = std::numeric_limits<double>::infinity();
  ++restarts_;
  return false;
}

void Anderson::push(const double* f, const double* g) {
  newest_ = columns_ == 0 ? 0 : (newest_ + 1) % window_;
  columns_ = std::min(columns_ + 1, window_);
  double *df = delta_f_.data() + newest_ * rows_, *dg = delta_g_.data() + newest_ * rows_;
  for (int i = 0; i < rows_; ++i) df[i] = f[i] - last_f_[i];
  for (int i = 0; i < rows_; ++i) dg[i] = g[i] - last_g_[i];
}

// ΔF = Q T by modified Gram-Schmidt; γ = T⁻¹ Qᵀ f. Column j of Q is the j-th newest; dropped columns get T_jj = 0.
void Anderson::extrapolate(double* next) {
  for (int j = 0; j < columns_; ++j) {
    double* q = basis_.data() + j * rows_;
    const int slot = (newest_ - j + window_) % window_;
    std::copy_n(delta_f_.data() + slot * rows_, rows_, q);
    const double before = dot(q, q, rows_);
    for (int k = 0; k < j; ++k) {
      const double* qk = basis_.data() + k * rows_;
      const double t = triangle_[k * window_ + k] > 0.0 ? dot(qk, q, rows_) : 0.0;
      triangle_[k * window_ + j] = t;
      if (t != 0.0) subtract_scaled(q, t, qk, rows_);
    }
    const double norm2 = dot(q, q, rows_);
    const bool kept = norm2 > kCutOff * kCutOff * before;
    const double norm = kept ? std::sqrt(norm2) : 0.0;
    triangle_[j * window_ + j] = norm;
    gamma_[j] = 0.0;
    if (!kept) continue;
    for (int i = 0; i < rows_; ++i) q[i] /= norm;
    gamma_[j] = dot(q, f_.data(), rows_);
    subtract_scaled(f_.data(), gamma_[j], q, rows_);
  }
  for (int j = columns_ - 1; j >= 0; --j) {
    const double pivot = triangle_[j * window_ + j];
    if (!(pivot > 0.0)) continue;
    gamma_[j] /= pivot;
    for (int k = 0; k < j; ++k) gamma_[k] -= triangle_[k * window_ + j] * gamma_[j];
    const int slot = (newest_ - j + window_) % window_;
    subtract_scaled(next, gamma_[j], delta_g_.data() + slot * rows_, rows_);
  }
}

}  // namespace stiction
