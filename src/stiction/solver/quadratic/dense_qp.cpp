// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/finite.h>
#include <stiction/solver/linalg/dense_factor.h>
#include <stiction/solver/quadratic/dense_qp.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kRho = 1e-7;      // ρ
constexpr double kFirstMu = 1e-2;  // μ at the start: (2) loses 1/μ in digits, so it is not smaller than needed
constexpr double kSmallestMu = 1e-6;
constexpr double kNearlySolved = 1e-6;
constexpr int kNewtonSteps = 200;  // in one minimisation (3)
constexpr int kSearchSteps = 60;

using ConstMap = Eigen::Map<const Vec>;

double largest(const GrowingVec& x) { return x.size() > 0 ? x.vec().lpNorm<Eigen::Infinity>() : 0.0; }

// y = Mx for r rows of n numbers.
void multiply(const std::vector<double>& M, int rows, int n, const double* x, double* y) {
  for (int i = 0; i < rows; ++i) y[i] = ConstMap(M.data() + i * n, n).dot(ConstMap(x, n));
}

}  // namespace

void DenseQp::resize(int n, int m) {
  n_ = n, m_ = m;
  H_.resize(n * n), A_.resize(m * n);
  scaled_H_.resize(n * n), scaled_A_.resize(m * n);
  matrix_.resize(n * n), factor_.resize(n * n);
  for (GrowingVec* v :
       {&c_, &lo_, &hi_, &scaled_c_, &x_, &w_, &centre_, &w_out_, &Hx_, &new_w_, &pull_, &gradient_, &d_, &Hd_})
    v->resize(n);
  for (GrowingVec* v : {&b_, &length_, &scaled_b_, &y_, &y_out_, &Ax_, &new_y_, &Ad_}) v->resize(m);
  row_active_.assign(m, 0), row_in_.assign(m, 0);
  bound_active_.assign(n, 0), bound_in_.assign(n, 0);
  start_cold();
}

void DenseQp::start_cold() {
  std::fill_n(x_.data(), n_, 0.0), std::fill_n(w_.data(), n_, 0.0), std::fill_n(y_.data(), m_, 0.0);
}

void DenseQp::start(const double* x, const double* rows, const double* bounds) {
  std::copy_n(x, n_, x_.data());
  for (int i = 0; i < m_; ++i) y_[i] = rows[i] * length_[i] / scale_;
  for (int j = 0; j < n_; ++j) w_[j] = bounds[j] / scale_;
}

void DenseQp::prepare() {
  scale_ = 0.0;
  for (int j = 0; j < n_; ++j) scale_ = std::max(scale_, ConstMap(H_.data() + j * n_, n_).lpNorm<1>());
  if (!(scale_ > 0.0)) scale_ = std::max(largest(c_), 1e-300);
  for (std::size_t k = 0; k < H_.size(); ++k) scaled_H_[k] = H_[k] / scale_;
  for (int i = 0; i < m_; ++i) {
    const double norm = ConstMap(A_.data() + i * n_, n_).norm();
    length_[i] = norm > 0.0 ? norm : 1.0;
    for (int j = 0; j < n_; ++j) scaled_A_[i * n_ + j] = A_[i * n_ + j] / length_[i];
    scaled_b_[i] = b_[i] / length_[i];
  }
  mu_ = kFirstMu;
  factored_ = false;
}

// (2) and the active sets.
void DenseQp::multipliers() {
  for (int i = 0; i < m_; ++i) {
    const double y = y_[i] + (scaled_b_[i] - Ax_[i]) / mu_;
    row_active_[i] = y > 0.0;
    new_y_[i] = y > 0.0 ? y : 0.0;
  }
  for (int j = 0; j < n_; ++j) {
    const double s = x_[j] - mu_ * w_[j];
    const double low = w_[j] + (lo_[j] - x_[j]) / mu_, high = w_[j] + (hi_[j] - x_[j]) / mu_;
    bound_active_[j] = s < lo_[j] || s > hi_[j];
    new_w_[j] = s < lo_[j] ? low : (s > hi_[j] ? high : 0.0);
  }
}

// Of (3); returns the largest entry beside the largest of its terms.
double DenseQp::gradient() {
  multipliers();
  std::copy_n(new_w_.data(), n_, pull_.data());
  for (int i = 0; i < m_; ++i)
    if (new_y_[i] != 0.0) pull_.vec() += new_y_[i] * ConstMap(scaled_A_.data() + i * n_, n_);
  for (int j = 0; j < n_; ++j) gradient_[j] = Hx_[j] + scaled_c_[j] + kRho * (x_[j] - centre_[j]) - pull_[j];
  const double scale = std::max({largest(Hx_), largest(scaled_c_), largest(pull_)});
  return scale > 0.0 ? largest(gradient_) / scale : 0.0;
}

// (4) for the present active sets: only the constraints that changed are added or taken away.
bool DenseQp::update_factor() {
  bool changed = !factored_;
  if (!factored_) {
    std::copy(scaled_H_.begin(), scaled_H_.end(), matrix_.begin());
    for (int j = 0; j < n_; ++j) matrix_[j * (n_ + 1)] += kRho;
    std::fill(row_in_.begin(), row_in_.end(), 0), std::fill(bound_in_.begin(), bound_in_.end(), 0);
  }
  for (int i = 0; i < m_; ++i) {
    if (row_active_[i] == row_in_[i]) continue;
    const double weight = (row_active_[i] ? 1.0 : -1.0) / mu_, *a = scaled_A_.data() + i * n_;
    for (int j = 0; j < n_; ++j) {
      const double f = weight * a[j];
      double* row = matrix_.data() + j * n_;
      for (int k = 0; f != 0.0 && k <= j; ++k) row[k] += f * a[k];
    }
    row_in_[i] = row_active_[i];
    changed = true;
  }
  for (int j = 0; j < n_; ++j) {
    if (bound_active_[j] == bound_in_[j]) continue;
    matrix_[j * (n_ + 1)] += (bound_active_[j] ? 1.0 : -1.0) / mu_;
    bound_in_[j] = bound_active_[j];
    changed = true;
  }
  if (!changed) return true;
  ++factorisations_;
  std::copy(matrix_.begin(), matrix_.end(), factor_.begin());
  factored_ = factor_cholesky(factor_.data(), n_);
  return factored_;
}

// Derivative of the function that (3) minimises, along x + αd; monotone and piecewise linear in α.
double DenseQp::slope(double alpha, double& curvature) const {
  double value = 0.0;
  curvature = 0.0;
  for (int j = 0; j < n_; ++j) {
    const double x = x_[j] + alpha * d_[j], s = x - mu_ * w_[j];
    value += d_[j] * (Hx_[j] + scaled_c_[j] + kRho * (x - centre_[j]) + alpha * Hd_[j]);
    curvature += d_[j] * (Hd_[j] + kRho * d_[j]);
    if (s >= lo_[j] && s <= hi_[j]) continue;
    value -= d_[j] * (w_[j] + ((s < lo_[j] ? lo_[j] : hi_[j]) - x) / mu_);
    curvature += d_[j] * d_[j] / mu_;
  }
  for (int i = 0; i < m_; ++i) {
    const double y = y_[i] + (scaled_b_[i] - Ax_[i] - alpha * Ad_[i]) / mu_;
    if (!(y > 0.0)) continue;
    value -= Ad_[i] * y;
    curvature += Ad_[i] * Ad_[i] / mu_;
  }
  return value;
}

// The zero of slope(): Newton between brackets.
double DenseQp::line_search() const {
  double curvature, low = 0.0, high = std::numeric_limits<double>::infinity(), alpha = 1.0;
  const double start = std::abs(slope(0.0, curvature));
  for (int k = 0; k < kSearchSteps; ++k) {
    const double s = slope(alpha, curvature);
    if (std::abs(s) <= 1e-10 * start) break;
    (s > 0.0 ? high : low) = alpha;
    double next = curvature > 0.0 ? alpha - s / curvature : 2.0 * alpha;
    if (!(next > low && next < high)) next = std::isfinite(high) ? 0.5 * (low + high) : 2.0 * alpha;
    if (next == alpha) break;
    alpha = next;
  }
  return alpha;
}

void DenseQp::products() {
  multiply(scaled_H_, n_, n_, x_.data(), Hx_.data());
  multiply(scaled_A_, m_, n_, x_.data(), Ax_.data());
}

// (3); false if the factorisation fails. Ends when the gradient is below the tolerance, or when a full step within one
// piece no longer lowers it: that is round-off.
bool DenseQp::minimise(double tolerance) {
  std::copy_n(x_.data(), n_, centre_.data());
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kNewtonSteps; ++k) {
    products();
    const double g = gradient();
    if (!std::isfinite(g)) return false;
    const int before = factorisations_;
    if (!update_factor()) return false;
    if (g <= tolerance || (before == factorisations_ && g > 0.5 * last)) return true;
    last = g;
    for (int j = 0; j < n_; ++j) d_[j] = -gradient_[j];
    solve_cholesky(factor_.data(), n_, d_.data());
    multiply(scaled_H_, n_, n_, d_.data(), Hd_.data());
    multiply(scaled_A_, m_, n_, d_.data(), Ad_.data());
    const double alpha = line_search();
    for (int j = 0; j < n_; ++j) x_[j] += alpha * d_[j];
  }
  products();
  return std::isfinite(gradient()) && update_factor();
}

// (2) multiplies the round-off in Ax by 1/μ. With the constraints kept active and feasibility left as it is,
//   d = −F⁻¹ r,  x += d,  y_J −= A_J d/μ,  w_K −= d_K/μ   takes the stationarity error r out again: r⁺ = −ρd.
void DenseQp::restore_stationarity() {
  for (int j = 0; j < n_; ++j) d_[j] = -(Hx_[j] + scaled_c_[j] - pull_[j]);
  solve_cholesky(factor_.data(), n_, d_.data());
  multiply(scaled_A_, m_, n_, d_.data(), Ad_.data());
  for (int j = 0; j < n_; ++j) {
    x_[j] += d_[j];
    if (bound_in_[j]) w_[j] -= d_[j] / mu_;
  }
  for (int i = 0; i < m_; ++i)
    if (row_in_[i]) y_[i] = std::max(0.0, y_[i] - Ad_[i] / mu_);
  products();
  std::copy_n(w_.data(), n_, pull_.data());
  for (int i = 0; i < m_; ++i)
    if (y_[i] != 0.0) pull_.vec() += y_[i] * ConstMap(scaled_A_.data() + i * n_, n_);
}

// Largest of the three relative errors of (x, y, w); Hx, Ax and pull_ belong to them.
void DenseQp::measure() {
  const double force = std::max({largest(Hx_), largest(scaled_c_), largest(pull_), 1e-300});
  const double length = std::max({largest(Ax_), largest(scaled_b_), largest(x_), 1e-300});
  const double multiplier = std::max({largest(y_), largest(w_), force});
  double dual = 0.0, primal = 0.0, product = 0.0;
  for (int j = 0; j < n_; ++j) {
    dual = std::max(dual, std::abs(Hx_[j] + scaled_c_[j] - pull_[j]));
    primal = std::max({primal, lo_[j] - x_[j], x_[j] - hi_[j]});
    if (w_[j] != 0.0) product = std::max(product, std::abs(w_[j] * (x_[j] - (w_[j] > 0.0 ? lo_[j] : hi_[j]))));
  }
  for (int i = 0; i < m_; ++i) {
    primal = std::max(primal, scaled_b_[i] - Ax_[i]);
    product = std::max(product, std::abs(y_[i] * (scaled_b_[i] - Ax_[i])));
  }
  infeasibility_ = primal / length;
  residual_ = std::max({dual / force, infeasibility_, product / (multiplier * length)});
}

DenseQp::Outcome DenseQp::solve(double tolerance, int max_iterations) {
  iterations_ = factorisations_ = 0;
  residual_ = 1.0;
  for (int j = 0; j < n_; ++j) scaled_c_[j] = c_[j] / scale_;
  double last = std::numeric_limits<double>::infinity();
  Outcome outcome = Outcome::unsolved;
  while (iterations_ < max_iterations && outcome == Outcome::unsolved) {
    ++iterations_;
    if (!minimise(0.1 * std::max(tolerance, std::min(residual_, 0.1)))) return Outcome::failed;
    std::copy_n(new_y_.data(), m_, y_.data());
    std::copy_n(new_w_.data(), n_, w_.data());
    measure();
    if (residual_ > tolerance && residual_ <= kNearlySolved) restore_stationarity(), measure();
    if (residual_ <= tolerance) outcome = Outcome::solved;
    if (infeasibility_ > 0.1 * last && infeasibility_ > tolerance && mu_ > kSmallestMu)
      mu_ = std::max(0.1 * mu_, kSmallestMu), factored_ = false;
    last = infeasibility_;
  }
  for (int i = 0; i < m_; ++i) y_out_[i] = scale_ * y_[i] / length_[i];
  for (int j = 0; j < n_; ++j) w_out_[j] = scale_ * w_[j];
  return outcome;
}

}  // namespace stiction
