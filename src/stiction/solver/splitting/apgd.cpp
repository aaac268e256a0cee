// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/block_sets.h>
#include <stiction/solver/local/alart_curnier.h>
#include <stiction/solver/splitting/apgd.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

namespace stiction {
namespace {

constexpr int kPowerIterations = 60, kEagerTests = 50, kBacktracks = 30;
constexpr double kMargin = 1.02;
constexpr double kRoundOff = 1e-12;  // of a quotient of differences that (1) compares with L

// Largest eigenvalue of the symmetric part of a contact's diagonal block with its compliance.
double block_norm(const ContactProblem& p, int i) {
  const double* w = p.G.diagonal_block(i);
  const int row = p.blocks[i].row;
  Mat3 W;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) W(r, c) = 0.5 * (w[3 * r + c] + w[3 * c + r]) + (r == c ? p.R(row + r) : 0.0);
  return Eigen::SelfAdjointEigenSolver<Mat3>().computeDirect(W, Eigen::EigenvaluesOnly).eigenvalues()[2];
}

}  // namespace

double Apgd::largest_eigenvalue(const ContactProblem& p) {
  const int n = p.rows();
  // Entries of both signs and of many sizes: a vector of ones is orthogonal to the modes of symmetric stacks.
  for (int i = 0; i < n; ++i) power_[i] = 1.0 + 0.5 * std::sin(1.0 + i);
  double value = 0.0;
  for (int k = 0; k < kPowerIterations; ++k) {
    const double norm = power_.vec().norm();
    if (!(norm > 0.0) || !std::isfinite(norm)) break;
    value = k > 0 ? norm : 0.0;
    for (int i = 0; i < n; ++i) next_[i] = power_[i] / (norm * std::sqrt(d_[i]));
    p.multiply(next_.data(), power_.data(), scratch_);
    for (int i = 0; i < n; ++i) power_[i] /= std::sqrt(d_[i]);
  }
  return value > 0.0 ? value : 1.0;
}

void Apgd::prepare(const ContactProblem& p, const double* guess) {
  const int n = p.rows();
  for (GrowingVec* v : {&d_, &lambda_, &y_, &s_, &next_, &W_lambda_, &W_y_, &W_next_, &power_}) v->resize(n);
  const double mean = mean_diagonal(p), floor = 1e-14 * mean;
  for (int i = 0; i < p.G.blocks(); ++i) {
    const Block& b = p.blocks[i];
    const double* w = p.G.diagonal_block(i);
    const bool cone = b.kind == BlockKind::coulomb || b.kind == BlockKind::patch;
    const double contact = cone ? block_norm(p, i) : 0.0;
    for (int k = 0; k < b.size; ++k) {
      const double d = cone ? contact : w[k * b.size + k] + p.R(b.row + k);
      d_[b.row + k] = d > floor ? d : mean;  // a row that nothing moves: any step will do
    }
  }
  L_ = kMargin * largest_eigenvalue(p);
  theta_ = 1.0;
  std::copy_n(guess, n, lambda_.data());
  project_blocks(p, lambda_.data());
  p.multiply(lambda_.data(), W_lambda_.data(), scratch_);
  std::copy_n(lambda_.data(), n, y_.data());
  std::copy_n(W_lambda_.data(), n, W_y_.data());
}

// (1), and Wλ⁺; false if something is not finite.
bool Apgd::step(const ContactProblem& p, bool shifted) {
  const int n = p.rows();
  for (int i = 0; i < n; ++i) s_[i] = W_y_[i] + p.g[i];
  if (shifted)
    for (const Block& b : p.blocks) {
      if (b.kind == BlockKind::coulomb) s_[b.row + 2] += b.mu * std::hypot(s_[b.row], s_[b.row + 1]);
      if (b.kind == BlockKind::patch) s_[b.row + b.size - 1] += RoundCone{b.mu, b.size}.shift(s_.data() + b.row);
    }
  for (int attempt = 0;; ++attempt) {
    for (int i = 0; i < n; ++i) next_[i] = y_[i] - s_[i] / (L_ * d_[i]);
    project_blocks(p, next_.data());
    p.multiply(next_.data(), W_next_.data(), scratch_);
    double curvature = 0.0, length = 0.0;
    for (int i = 0; i < n; ++i) {
      const double move = next_[i] - y_[i];
      curvature += move * (W_next_[i] - W_y_[i]);
      length += d_[i] * move * move;
    }
    if (!std::isfinite(curvature) || !std::isfinite(length)) return false;
    // Near the solution the differences are round-off, and their quotient says nothing.
    const double noise = kRoundOff * std::abs(next_.vec().dot(W_next_.vec()));
    if (curvature <= L_ * length + noise || attempt >= kBacktracks) return true;
    L_ = std::max(kMargin * curvature / length, 1.1 * L_);
  }
}

// (2) and what follows; λ⁺ becomes λ.
void Apgd::extrapolate() {
  const int n = lambda_.size();
  double uphill = 0.0;
  for (int i = 0; i < n; ++i) uphill += (y_[i] - next_[i]) * d_[i] * (next_[i] - lambda_[i]);
  double theta = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta_ * theta_)), beta = (theta_ - 1.0) / theta;
  if (options_.restart && uphill > 0.0) theta = 1.0, beta = 0.0;
  for (int i = 0; i < n; ++i) {
    y_[i] = next_[i] + beta * (next_[i] - lambda_[i]);
    W_y_[i] = W_next_[i] + beta * (W_next_[i] - W_lambda_[i]);
  }
  std::swap(lambda_, next_);
  std::swap(W_lambda_, W_next_);
  theta_ = theta;
}

Report Apgd::solve(const ContactProblem& p, VecOut lambda) {
  if (!solves<Apgd>(p)) return refuse(kName);
  start(p, lambda, {options_.test_interval, options_.stall_window});
  prepare(p, lambda.data());
  const bool coulomb = p.law.kind == FrictionLaw::coulomb;
  while (best_.next()) {
    const int k = best_.iteration();
    if (coulomb && k == options_.convex_iterations + 1) theta_ = 1.0;  // another problem: old momentum means nothing
    if (!step(p, coulomb && k > options_.convex_iterations)) {
      best_.end(Status::numerical_failure);
      break;
    }
    extrapolate();
    if (!best_.take(p, lambda_.data(), k <= kEagerTests || best_.due())) break;
  }
  return best_.finish(p, kName, lambda);
}

}  // namespace stiction
