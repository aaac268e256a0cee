// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/newton/raisim_newton.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kRank = 1e-13;  // columns below this share of the largest are none

}  // namespace

void RaisimNewton::load(const ContactProblem& p) {
  n_ = p.rows();
  for (std::vector<double>* x : {&F_, &x_, &u_}) x->resize(n_);
  J_.resize(static_cast<std::size_t>(n_) * n_);
  p.G.densify(G_, unit_, scratch_);
  for (int i = 0; i < n_; ++i) G_[static_cast<std::size_t>(i) * n_ + i] += p.R(i);
}

double RaisimNewton::rho(int row, int size) const {
  double trace = 0.0;
  for (int r = row; r < row + size; ++r) trace += inertia(r)[r];
  return trace <= 1e-300 ? 1.0 : size / trace;
}

void RaisimNewton::hold(int row, double rho) {
  F_[row] = rho * u_[row];
  for (int j = 0; j < n_; ++j) matrix(row)[j] = rho * inertia(row)[j];
}

void RaisimNewton::fix(int row, double value) {
  F_[row] = x_[row] - value;
  std::fill_n(matrix(row), n_, 0.0);
  matrix(row)[row] = 1.0;
}

// (1) of one contact: rows (T1, T2, N) of the system are (cone, direction, normal) where it slips.
void RaisimNewton::contact(const Block& b) {
  const int t = b.row, n = b.row + 2;
  const double rho = this->rho(b.row, 3), push = x_[n] - rho * u_[n];
  const double a = x_[t] - rho * u_[t], c = x_[t + 1] - rho * u_[t + 1];
  if (!(push > 0.0)) {
    for (int r = t; r <= n; ++r) fix(r, 0.0);
    return;
  }
  hold(n, rho);
  if (b.mu == 0.0) return fix(t, 0.0), fix(t + 1, 0.0);
  if (std::hypot(a, c) <= b.mu * push) return hold(t, rho), hold(t + 1, rho);
  const double length = std::hypot(x_[t], x_[t + 1]);
  const double ex = length > 0.0 ? x_[t] / length : a / std::hypot(a, c);
  const double ey = length > 0.0 ? x_[t + 1] / length : c / std::hypot(a, c);
  F_[t] = length - b.mu * x_[n];
  std::fill_n(matrix(t), n_, 0.0);
  matrix(t)[t] = ex, matrix(t)[t + 1] = ey, matrix(t)[n] = -b.mu;
  const double share = inertia(n)[n] > 0.0 ? b.mu * b.mu / inertia(n)[n] : 0.0;
  const double kx = share * inertia(n)[t], ky = share * inertia(n)[t + 1];
  const double dx = -x_[t] - kx * x_[n], dy = -x_[t + 1] - ky * x_[n], size = std::hypot(dx, dy);
  const double scale = size > 1e-200 ? rho / size : rho;
  F_[t + 1] = scale * (u_[t] * dy - u_[t + 1] * dx);
  double* row = matrix(t + 1);
  for (int j = 0; j < n_; ++j) row[j] = scale * (inertia(t)[j] * dy - inertia(t + 1)[j] * dx);
  row[t] += scale * u_[t + 1], row[t + 1] -= scale * u_[t];
  row[n] += scale * (u_[t + 1] * kx - u_[t] * ky);
}

void RaisimNewton::row(const Block& b) {
  const double rho = this->rho(b.row, b.size);
  if (b.kind == BlockKind::bilateral) {
    for (int r = b.row; r < b.row + b.size; ++r) hold(r, rho);
    return;
  }
  const double push = x_[b.row] - rho * u_[b.row];
  const double lo = b.kind == BlockKind::unilateral ? 0.0 : b.lo;
  if (!(push > lo)) return fix(b.row, lo);
  if (b.kind == BlockKind::box && push >= b.hi) return fix(b.row, b.hi);
  hold(b.row, rho);
}

void RaisimNewton::linearise(const ContactProblem& p) {
  for (int i = 0; i < n_; ++i) {
    double sum = p.g[i];
    for (int j = 0; j < n_; ++j) sum += inertia(i)[j] * x_[j];
    u_[i] = sum;
  }
  for (const Block& b : p.blocks) b.kind == BlockKind::coulomb ? contact(b) : row(b);
}

bool RaisimNewton::run(const ContactProblem& problem, int steps, Progress& best) {
  load(problem);
  std::copy_n(best.lambda(), n_, x_.begin());
  for (steps_ = 0; steps_ < steps && !best.out_of_time();) {
    ++steps_;
    linearise(problem);
    if (!solve_.solve(J_.data(), n_, kRank, F_.data())) return false;
    for (int i = 0; i < n_; ++i) x_[i] -= F_[i];
    if (best.offer(problem, x_.data())) return true;
  }
  return false;
}

}  // namespace stiction
