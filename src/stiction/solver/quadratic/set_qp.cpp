// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/dot.h>
#include <stiction/cone/box.h>
#include <stiction/cone/disc.h>
#include <stiction/cone/pyramid_set.h>
#include <stiction/solver/core/finite.h>
#include <stiction/solver/linalg/dense_factor.h>
#include <stiction/solver/linalg/power_iteration.h>
#include <stiction/solver/quadratic/set_qp.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kBalance = 10.0;       // ratio of r_p and r_d at which ρ is changed
constexpr int kRefactorisations = 60;   // changes of ρ allowed between two calls of prepare()
constexpr double kStartExponent = 0.4;  // ρ = √(Lμ_p) κ^0.4
constexpr double kChangeExponent = 0.1;

}  // namespace

void SimpleSet::project(double* x) const {
  if (kind == interval) {
    x[0] = Box{lo, hi}.project(x[0]);
    return;
  }
  const Vec2 t(x[0], x[1]);
  const Vec2 p = kind == disc ? Disc{radius}.project(t) : PyramidSet{1.0, angle, 4}.project_tangent(t, radius);
  x[0] = p.x(), x[1] = p.y();
}

void SetQp::resize(int n) {
  n_ = n;
  matrix_.resize(n * n), factor_.resize(n * n), pivot_.resize(n);
  x_.resize(n), z_.resize(n), gamma_.resize(n), x_old_.resize(n);
}

double SetQp::largest_eigenvalue() {
  if (n_ == 0) return 0.0;
  x_.assign(n_, 1.0 / std::sqrt(n_));
  return power_iteration(n_, 20, 1e-8, x_.data(), z_.data(), [&](const double* x, double* y) {
    for (int r = 0; r < n_; ++r) y[r] = dot(matrix_.data() + r * n_, x, n_);
  });
}

bool SetQp::prepare(double prox, bool symmetric) {
  prox_ = prox, symmetric_ = symmetric;
  iterations_ = factorisations_ = 0;
  largest_ = std::max(largest_eigenvalue(), prox);
  const double kappa = largest_ / prox;
  rho_high_ = 1e3 * largest_;
  rho_low_ = std::min(std::max(1e-6, 1e-12 * largest_), rho_high_);
  rho_ = std::clamp(std::sqrt(largest_ * prox) * std::pow(kappa, kStartExponent), rho_low_, rho_high_);
  factor_of_change_ = std::pow(kappa, kChangeExponent);
  return factor();
}

bool SetQp::factor() {
  if (n_ == 0) return true;
  ++factorisations_;
  std::copy_n(matrix_.begin(), n_ * n_, factor_.begin());
  for (int r = 0; r < n_; ++r) factor_[r * (n_ + 1)] += rho_ + prox_;
  return symmetric_ ? factor_cholesky(factor_.data(), n_) : factor_lu(factor_.data(), n_, pivot_.data());
}

void SetQp::start(const double* x, const double* u) {
  for (int r = 0; r < n_; ++r) gamma_[r] = z_[r] = x[r] - u[r] / largest_;
  for (const SimpleSet& s : sets_) s.project(z_.data() + s.row);
  for (int r = 0; r < n_; ++r) gamma_[r] = largest_ * (gamma_[r] - z_[r]);
  std::copy_n(x, n_, x_.data());
}

// One pass of (2).
SetQp::Step SetQp::iterate(const double* b) {
  for (int r = 0; r < n_; ++r) {
    x_old_[r] = x_[r];
    x_[r] = -b[r] - gamma_[r] + rho_ * z_[r] + prox_ * x_[r];
  }
  if (symmetric_)
    solve_cholesky(factor_.data(), n_, x_.data());
  else
    solve_lu(factor_.data(), n_, pivot_.data(), x_.data());
  Step step{0.0, 0.0};
  for (const SimpleSet& s : sets_) {
    double target[2], z[2];
    for (int c = 0; c < s.size(); ++c) target[c] = z[c] = x_[s.row + c] + gamma_[s.row + c] / rho_;
    s.project(z);
    for (int c = 0; c < s.size(); ++c) {
      const int r = s.row + c;
      step.primal = std::max(step.primal, std::abs(x_[r] - z[c]));
      step.dual = std::max(step.dual, std::abs(rho_ * (z[c] - z_[r]) + prox_ * (x_[r] - x_old_[r])));
      gamma_[r] = rho_ * (target[c] - z[c]);
      z_[r] = z[c];
    }
  }
  return step;
}

// (3); false if the new factorisation fails.
bool SetQp::rebalance(const Step& s) {
  if (factorisations_ > kRefactorisations) return true;
  double rho = rho_;
  if (s.primal > kBalance * s.dual)
    rho *= factor_of_change_;
  else if (s.dual > kBalance * s.primal)
    rho /= factor_of_change_;
  rho = std::clamp(rho, rho_low_, rho_high_);
  if (rho == rho_) return true;
  rho_ = rho;
  return factor();
}

SetQp::Outcome SetQp::solve(const double* b, const Limits& limits) {
  if (n_ == 0) return Outcome::settled;
  for (const SimpleSet& s : sets_) s.project(z_.data() + s.row);  // the sets may have moved
  for (int k = 0; k < limits.iterations; ++k) {
    ++iterations_;
    const Step step = iterate(b);
    if (!all_finite(z_.data(), n_) || !all_finite(x_.data(), n_)) return Outcome::failed;
    if (step.primal <= limits.primal && step.dual <= limits.dual) return Outcome::settled;
    if (!rebalance(step)) return Outcome::failed;
  }
  return Outcome::unsettled;
}

}  // namespace stiction
