// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/dot.h>
#include <stiction/solver/linalg/anderson.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kCutOff = 1e-10;
constexpr double kIndependent = 1e-4;
constexpr int kFewRows = 64;

// a·x and a·y
void dot_both(const double* a, const double* x, const double* y, int n, double& ax, double& ay) {
  Pair sx = {0.0, 0.0}, sy = {0.0, 0.0};
  int i = 0;
  for (; i + 1 < n; i += 2) {
    const Pair ai = load_pair(a + i);
    sx += ai * load_pair(x + i), sy += ai * load_pair(y + i);
  }
  ax = sx[0] + sx[1], ay = sy[0] + sy[1];
  if (i < n) ax += a[i] * x[i], ay += a[i] * y[i];
}

void subtract_scaled(double* __restrict__ y, double a, const double* __restrict__ x, int n) {
  for (int i = 0; i < n; ++i) y[i] -= a * x[i];
}

// d = x − last, last = x
void difference(double* __restrict__ d, const double* __restrict__ x, double* __restrict__ last, int n) {
  for (int i = 0; i < n; ++i) d[i] = x[i] - last[i], last[i] = x[i];
}

}  // namespace

void Anderson::begin(int rows, int window) {
  rows_ = rows, window_ = window;
  columns_ = newest_ = restarts_ = 0;
  has_last_ = false;
  smallest_ = std::numeric_limits<double>::infinity();
  f_.resize(rows), last_f_.resize(rows), last_g_.resize(rows);
  delta_f_.resize(rows * window), delta_g_.resize(rows * window), basis_.resize(rows * window);
  gram_.resize(window * window), right_.resize(window), triangle_.resize(window * window), gamma_.resize(window);
}

bool Anderson::advance(const double* r, double* next) {
  double* __restrict__ f = f_.data();
  for (int i = 0; i < rows_; ++i) f[i] = next[i] - r[i];
  const double norm = dot(f, f, rows_);
  if (!(norm <= 4.0 * smallest_)) return restart(next);
  smallest_ = std::min(smallest_, norm);
  if (!has_last_) {
    std::copy_n(f, rows_, last_f_.data());
    std::copy_n(next, rows_, last_g_.data());
    has_last_ = true;
    return false;
  }
  push(next);
  if (norm == 0.0) return false;
  if (rows_ > kFewRows || !solve_normal_equations()) solve_gram_schmidt();
  for (int j = columns_ - 1; j >= 0; --j) subtract_scaled(next, gamma_[j], delta_g_.data() + slot(j) * rows_, rows_);
  return true;
}

// next −= ΔG γ, oldest column first, with few passes over `next`.
void Anderson::subtract_images(double* __restrict__ next) const {
  int j = columns_ - 1;
  const auto column = [this](int k) { return delta_g_.data() + slot(k) * rows_; };
  for (; j >= 1; j -= 2) {
    const double* __restrict__ x = column(j), * __restrict__ y = column(j - 1);
    const double a = gamma_[j], b = gamma_[j - 1];
    for (int i = 0; i < rows_; ++i) next[i] = next[i] - a * x[i] - b * y[i];
  }
  if (j == 0) subtract_scaled(next, gamma_[0], column(0), rows_);
}

bool Anderson::restart(double* next) {
  if (has_last_) std::copy_n(last_g_.data(), rows_, next);
  columns_ = 0;
  has_last_ = false;
  smallest_ = std::numeric_limits<double>::infinity();
  ++restarts_;
  return false;
}

void Anderson::push(const double* next) {
  newest_ = columns_ == 0 ? 0 : (newest_ + 1 == window_ ? 0 : newest_ + 1);
  columns_ = std::min(columns_ + 1, window_);
  double* df = delta_f_.data() + newest_ * rows_;
  difference(df, f_.data(), last_f_.data(), rows_);
  difference(delta_g_.data() + newest_ * rows_, next, last_g_.data(), rows_);
  for (int s = 0; rows_ <= kFewRows && s < columns_; ++s) {  // the slots in use are the first ones
    double product;
    dot_both(delta_f_.data() + s * rows_, df, f_.data(), rows_, product, right_[s]);
    gram_[newest_ * window_ + s] = gram_[s * window_ + newest_] = product;
  }
}

// ΔFᵀΔF = L D Lᵀ, newest column first; false if a pivot is too small to be trusted. Entry (j, k) of `triangle_` is L_jk
// for k < j; its diagonal holds 1/D_jj.
bool Anderson::solve_normal_equations() {
  double *l = triangle_.data(), *gamma = gamma_.data();
  const int window = window_;
  for (int j = 0; j < columns_; ++j) {
    const int own = slot(j);
    const double* gram = gram_.data() + own * window;
    double *row = l + j * window, pivot = gram[own], right = right_[own];
    const double smallest = kIndependent * kIndependent * pivot;
    for (int k = 0, at = newest_; k < j; ++k, at = at == 0 ? window - 1 : at - 1) {
      double s = gram[at];  // D_kk L_jk
      const double* above = l + k * window;
      for (int i = 0; i < k; ++i) s -= row[i] * above[i];
      row[k] = s;
    }
    for (int k = 0; k < j; ++k) {
      const double scaled = row[k] * l[k * (window + 1)];
      pivot -= row[k] * scaled, right -= scaled * gamma[k];
      row[k] = scaled;
    }
    if (!(pivot > smallest)) return false;
    row[j] = 1.0 / pivot, gamma[j] = right;
  }
  for (int j = columns_ - 1; j >= 0; --j) {
    gamma[j] *= l[j * (window + 1)];
    for (int i = j + 1; i < columns_; ++i) gamma[j] -= l[i * window + j] * gamma[i];
  }
  return true;
}

// ΔF = Q T by modified Gram-Schmidt; γ = T⁻¹ Qᵀ f. Column j of Q is the j-th newest; dropped columns get T_jj = γ_j = 0.
void Anderson::solve_gram_schmidt() {
  for (int j = 0; j < columns_; ++j) {
    double* q = basis_.data() + j * rows_;
    std::copy_n(delta_f_.data() + slot(j) * rows_, rows_, q);
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
  }
}

}  // namespace stiction
