// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/finite.h>
#include <stiction/solver/newton/newton_blocks.h>
#include <stiction/solver/newton/newton_primal.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kLongest = 1.5;  // of the exact line search
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

double dot(const GrowingVec& a, const GrowingVec& b) {
  double sum = 0.0;
  for (int i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void PrimalNewton::load(const ContactProblem& p) {
  const int n = p.rows();
  rows_.load(p);
  const int m = rows_.velocities();
  matrix_.prepare(p, rows_.body());
  for (GrowingVec* v : {&g, &u_, &lambda, &du_}) v->resize(n);
  for (GrowingVec* v : {&w, &force, &step_}) v->resize(m);
  origin.assign(n, 0.0);
  B_.resize(p.blocks.empty() ? 0 : p.G.diagonal_start.back());
  std::copy_n(p.g.data(), n, g.data());
  factorisations_ = 0;
}

void PrimalNewton::refresh(const ContactProblem& p) {
  rows_.multiply(p, w.data(), u_.data());
  for (int r = 0; r < p.rows(); ++r) u_[r] += g[r];
  for (const Block& b : p.blocks) metric_project(b, u_.data() + b.row, R.data() + b.row, lambda.data() + b.row);
  double gradient = 0.0, cost = 0.0;
  for (int r = 0; r < p.rows(); ++r) {
    du_[r] = lambda[r] - origin[r];
    cost -= du_[r] * (u_[r] + 0.5 * R[r] * (lambda[r] + origin[r]));
  }
  rows_.multiply_transposed(p, du_.data(), force.data());
  for (int i = 0; i < w.size(); ++i) {
    gradient += (w[i] - force[i]) * (w[i] - force[i]);
    cost += 0.5 * w[i] * w[i];
  }
  gradient_ = std::sqrt(gradient), cost_ = cost;
}

bool PrimalNewton::advance(const ContactProblem& p, double armijo) {
  if (!find_direction(p)) return false;
  const double a = armijo > 0.0 ? armijo_step(p, armijo) : exact_step(p);
  for (int i = 0; i < w.size(); ++i) w[i] += a * step_[i];
  refresh(p);
  return all_finite(lambda.data(), lambda.size());
}

// Δw of (2), and HΔw.
bool PrimalNewton::find_direction(const ContactProblem& p) {
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    metric_slope(b, u_.data() + b.row, R.data() + b.row, B_.data() + p.G.diagonal_start[i]);
  }
  ++factorisations_;
  if (!matrix_.factor(p, rows_.body(), B_.data())) return false;
  for (int i = 0; i < w.size(); ++i) step_[i] = force[i] - w[i];
  matrix_.solve(step_.data());
  rows_.multiply(p, step_.data(), du_.data());
  w_step_ = dot(w, step_), step_step_ = dot(step_, step_);
  return true;
}

PrimalNewton::Along PrimalNewton::along(const ContactProblem& p, double a, Wanted wanted) const {
  Along phi{0.0, w_step_ + a * step_step_, step_step_};
  double value = 0.0;
  for (const Block& b : p.blocks) {
    double u[3], l[3];
    for (int first = 0; first < b.size; first += 3) {  // bilateral blocks may be longer: their rows are apart
      Block part = b;
      part.size = std::min(3, b.size - first);
      const int row = b.row + first;
      const double *r = R.data() + row, *du = du_.data() + row, *o = origin.data() + row;
      for (int k = 0; k < part.size; ++k) u[k] = u_[row + k] + a * du[k];
      metric_project(part, u, r, l);
      for (int k = 0; k < part.size; ++k) {
        phi.first -= (l[k] - o[k]) * du[k];
        // Differences to the cost at 0 row by row: the sum of large terms would lose what the step changes.
        const double l0 = lambda[row + k];
        value -= (l[k] - o[k]) * (u[k] + 0.5 * r[k] * (l[k] + o[k])) -
                 (l0 - o[k]) * (u_[row + k] + 0.5 * r[k] * (l0 + o[k]));
      }
      if (wanted == Wanted::slope) phi.second += metric_curvature(part, u, r, du);
    }
  }
  phi.value = a * w_step_ + 0.5 * a * a * step_step_ + value;  // φ(a) − φ(0)
  return phi;
}

double PrimalNewton::exact_step(const ContactProblem& p) const {
  const double start = along(p, 0.0, Wanted::value).first;
  if (!(-start >= 1e-30 + 1e-15 * std::abs(cost_))) return 1.0;
  const Along end = along(p, kLongest, Wanted::slope);
  if (end.first <= 0.0) return kLongest;
  double low = 0.0, high = kLongest, a = std::min(-start / end.second, kLongest);
  for (int k = 0; k < 60; ++k) {
    const Along phi = along(p, a, Wanted::slope);
    if (std::abs(phi.first) <= 1e-8 * std::abs(start) || high - low <= 4.0 * kEpsilon) break;
    (phi.first < 0.0 ? low : high) = a;
    a -= phi.first / phi.second;
    if (!(a > low && a < high)) a = 0.5 * (low + high);
  }
  return a;
}

double PrimalNewton::armijo_step(const ContactProblem& p, double first) const {
  const double start = along(p, 0.0, Wanted::value).first, noise = 1e-11 * std::abs(cost_);
  double a = first;
  for (int k = 0; k < 100; ++k, a *= 0.8) {
    const Along phi = along(p, a, Wanted::value);
    if (phi.value <= 1e-4 * a * start) break;
    if (std::abs(phi.value) <= noise && std::abs(phi.first) <= std::abs(start)) break;
  }
  return a;
}

}  // namespace stiction
