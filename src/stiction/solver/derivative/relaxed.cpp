// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/derivative/relaxed.h>
#include <stiction/solver/linalg/dense_factor.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

// ½(x + √(x² + 4t²)) without cancellation, and its slope.
struct Smooth {
  double value, slope;
  Smooth(double x, double t2) {
    const double root = std::sqrt(x * x + 4.0 * t2);
    value = x > 0.0 ? 0.5 * (x + root) : 2.0 * t2 / (root - x);
    slope = root > 0.0 ? value / root : 0.5;
  }
};

// P_t of (2) on the cone of unit slope, and its derivative.
void smooth_projection(const Vec3& x, double t2, Vec3& value, Mat3& slope) {
  const double length = std::hypot(x[0], x[1]);
  const Smooth low(x[2] - length, t2), high(x[2] + length, t2);
  const double gap = high.value - low.value;
  const double a = 0.5 * (high.slope + low.slope), b = 0.5 * (high.slope - low.slope);
  const double c = length > 1e-300 ? gap / (2.0 * length) : a;
  const Vec2 w = length > 1e-300 ? Vec2(x.head<2>() / length) : Vec2(Vec2::Zero());
  value << 0.5 * gap * w, 0.5 * (high.value + low.value);
  slope.topLeftCorner<2, 2>() = c * Mat2::Identity() + (a - c) * w * w.transpose();
  slope.topRightCorner<2, 1>() = b * w;
  slope.bottomLeftCorner<1, 2>() = b * w.transpose();
  slope(2, 2) = a;
}

double projection_step(const ContactProblem& p, int block) {
  const Block& b = p.blocks[block];
  const double* w = p.G.diagonal_block(block);
  double trace = 0.0;
  for (int k = 0; k < b.size; ++k) trace += w[k * b.size + k] + p.R(b.row + k);
  return trace > 1e-300 ? b.size / trace : 1.0;
}

}  // namespace

bool RelaxedContacts::solve(const ContactProblem& problem, double epsilon, VecOut lambda) {
  constexpr double kFirst = 1e-6;
  problem_ = &problem, epsilon_ = epsilon;
  const int n = problem.rows();
  for (const Block& b : problem.blocks)
    if (b.kind == BlockKind::patch || b.size > 3) return false;
  problem.G.densify(A_, unit_, scratch_);
  for (int i = 0; i < n; ++i) A_[i * (n + 1)] += problem.R(i);
  E_.resize(9 * problem.blocks.size()), C_.resize(9 * problem.blocks.size());
  J_.resize(static_cast<std::size_t>(n) * n), pivot_.resize(n);
  for (GrowingVec* x : {&lambda_, &trial_, &u_, &F_, &step_}) x->resize(n);
  std::copy(lambda.data(), lambda.data() + n, lambda_.data());
  evaluate(1.0);
  double size = 1e-300;
  for (int i = 0; i < n; ++i) size = std::max(size, std::abs(lambda_[i]));
  const bool there = merit() <= 1e-9 * size;  // it is the relaxed solution already
  for (double scale = there ? 1.0 : kFirst; scale < 2.0; scale *= 10.0)
    if (!newton(std::min(scale, 1.0))) return false;
  std::copy(lambda_.data(), lambda_.data() + n, lambda.data());
  return true;
}

void RelaxedContacts::evaluate_block(int block, double t2) {
  const Block& b = problem_->blocks[block];
  const double rho = projection_step(*problem_, block), t = rho * t2;
  const double *l = lambda_.data() + b.row, *u = u_.data() + b.row;
  double* F = F_.data() + b.row;
  double *E = E_.data() + 9 * block, *C = C_.data() + 9 * block;
  std::fill_n(E, 9, 0.0), std::fill_n(C, 9, 0.0);
  if (b.kind == BlockKind::bilateral) {
    for (int k = 0; k < b.size; ++k) F[k] = rho * u[k], C[k * b.size + k] = rho;
    return;
  }
  const auto interval = [&](int k, double lo, double hi) {
    const double x = l[k] - rho * u[k];
    double value = x, slope = 1.0;
    if (std::isfinite(lo)) {
      const Smooth s(x - lo, t);
      value = lo + s.value, slope = s.slope;
    }
    if (std::isfinite(hi)) {
      const Smooth s(x - hi, t);
      value -= s.value, slope -= s.slope;
    }
    F[k] = l[k] - value, E[k * b.size + k] = 1.0 - slope, C[k * b.size + k] = rho * slope;
  };
  if (b.kind == BlockKind::box) return interval(0, b.lo, b.hi);
  if (b.kind == BlockKind::unilateral) return interval(0, 0.0, std::numeric_limits<double>::infinity());
  if (!(b.mu > 0.0)) {
    for (int k = 0; k < 2; ++k) F[k] = l[k], E[k * 3 + k] = 1.0;
    return interval(2, 0.0, std::numeric_limits<double>::infinity());
  }
  const double mu = b.mu, speed = std::hypot(u[0], u[1]);
  const bool coulomb = problem_->law.kind == FrictionLaw::coulomb;
  const Vec3 wide(1.0, 1.0, mu);
  Mat3 S = Mat3::Identity();
  S(2, 2) = 1.0 / mu;
  if (coulomb && speed > 1e-300) S(2, 0) = u[0] / speed, S(2, 1) = u[1] / speed;
  const Vec3 scaled(l[0], l[1], mu * l[2]);
  const Vec3 x = scaled - rho * Vec3(u[0], u[1], u[2] / mu + (coulomb ? speed : 0.0));
  Vec3 value;
  Mat3 slope;
  smooth_projection(x, t, value, slope);
  const Vec3 residual = scaled - value;
  const Mat3 e = (Mat3::Identity() - slope) * wide.asDiagonal(), c = rho * slope * S;
  for (int r = 0; r < 3; ++r) {
    F[r] = residual[r];
    for (int k = 0; k < 3; ++k) E[3 * r + k] = e(r, k), C[3 * r + k] = c(r, k);
  }
}

void RelaxedContacts::evaluate(double scale) {
  const int n = problem_->rows();
  for (int i = 0; i < n; ++i) {
    double u = problem_->g[i];
    const double* row = A_.data() + static_cast<std::ptrdiff_t>(i) * n;
    for (int j = 0; j < n; ++j) u += row[j] * lambda_[j];
    u_[i] = u;
  }
  for (std::size_t b = 0; b < problem_->blocks.size(); ++b) evaluate_block(static_cast<int>(b), scale * epsilon_);
}

double RelaxedContacts::merit() const {
  double sum = 0.0;
  for (int i = 0; i < problem_->rows(); ++i) sum += F_[i] * F_[i];
  return std::sqrt(sum);
}

bool RelaxedContacts::newton(double scale) {
  constexpr int kSteps = 60, kHalvings = 20;
  constexpr double kSolved = 1e-13;
  const int n = problem_->rows();
  evaluate(scale);
  double now = merit();
  for (int step = 0;; ++step) {
    for (const Block& b : problem_->blocks) {
      const std::size_t block = &b - problem_->blocks.data();
      for (int r = 0; r < b.size; ++r) {
        double* row = J_.data() + static_cast<std::ptrdiff_t>(b.row + r) * n;
        std::fill(row, row + n, 0.0);
        for (int k = 0; k < b.size; ++k) {
          const double c = C_[9 * block + r * b.size + k];
          const double* a = A_.data() + static_cast<std::ptrdiff_t>(b.row + k) * n;
          for (int j = 0; j < n; ++j) row[j] += c * a[j];
        }
        for (int k = 0; k < b.size; ++k) row[b.row + k] += E_[9 * block + r * b.size + k];
      }
    }
    if (!factor_lu(J_.data(), n, pivot_.data())) return false;
    double size = 1e-300;
    for (int i = 0; i < n; ++i) size = std::max(size, std::abs(lambda_[i]));
    if (now <= kSolved * size) return true;
    if (step == kSteps) return now <= 1e3 * kSolved * size;
    for (int i = 0; i < n; ++i) step_[i] = -F_[i], trial_[i] = lambda_[i];
    solve_lu(J_.data(), n, pivot_.data(), step_.data());
    double share = 1.0, next = 0.0;
    for (int halving = 0; halving < kHalvings; ++halving, share *= 0.5) {
      for (int i = 0; i < n; ++i) lambda_[i] = trial_[i] + share * step_[i];
      evaluate(scale);
      next = merit();
      if (next < (1.0 - 1e-4 * share) * now) break;
    }
    if (!(next < now)) {  // round-off is reached, or nothing helps
      std::copy(trial_.data(), trial_.data() + n, lambda_.data());
      evaluate(scale);
      return now <= 1e3 * kSolved * size;
    }
    now = next;
  }
}

void RelaxedContacts::change(const double* dg, double* dlambda) {
  for (std::size_t b = 0; b < problem_->blocks.size(); ++b) {
    const Block& block = problem_->blocks[b];
    for (int r = 0; r < block.size; ++r) {
      double sum = 0.0;
      for (int k = 0; k < block.size; ++k) sum += C_[9 * b + r * block.size + k] * dg[block.row + k];
      dlambda[block.row + r] = -sum;
    }
  }
  solve_lu(J_.data(), problem_->rows(), pivot_.data(), dlambda);
}

}  // namespace stiction
