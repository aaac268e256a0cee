// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/linalg/dense_factor.h>
#include <stiction/solver/pivot/lcp_qp.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kInnerTolerance = 1e-12;
constexpr double kInfeasible = 1e-6;   // relative violation of the constraints beyond which there is no feasible point
constexpr double kStationary = 1e-13;  // relative change of z below which (2) stands still
constexpr int kPowerSteps = 50;
constexpr int kQpRefinements = 2;

}  // namespace

// −λmin(H) from below, by power iteration on ‖H‖∞ I − H.
double LcpQp::negative_curvature() {
  const int m = lcp_.size();
  const double* H = qp_.H();
  double norm = 0.0, value = 0.0;
  for (int i = 0; i < m; ++i) norm = std::max(norm, Eigen::Map<const Vec>(H + i * m, m).lpNorm<1>());
  power_.resize(m);
  for (int i = 0; i < m; ++i) power_[i] = 1.0 + 0.1 * (i % 7);  // no symmetry of the contacts is shared by it
  for (int k = 0; k < kPowerSteps; ++k) {
    power_.vec() /= power_.vec().norm();
    for (int i = 0; i < m; ++i) w_[i] = norm * power_[i] - Eigen::Map<const Vec>(H + i * m, m).dot(power_.vec());
    value = w_.vec().norm();
    if (!(value > 0.0)) break;
    std::copy_n(w_.data(), m, power_.data());
  }
  shift_ = options_.prox * (norm > 0.0 ? norm : 1.0);
  return std::max(0.0, value - norm);
}

// H + sI, made positive definite for certain: the power iteration may fall short.
bool LcpQp::shift_matrix() {
  const int m = lcp_.size();
  double curvature = negative_curvature();
  const double prox = shift_;
  for (int attempt = 0; attempt < 60; ++attempt) {
    shift_ = prox + curvature;
    std::copy_n(qp_.H(), m * m, factor_.begin());
    for (int i = 0; i < m; ++i) factor_[i * (m + 1)] += shift_;
    ++factorisations_;
    if (factor_cholesky(factor_.data(), m)) break;
    curvature = std::max(1.2 * curvature, prox);
    if (attempt == 59) return false;
  }
  for (int i = 0; i < m; ++i) qp_.H()[i * (m + 1)] += shift_;
  return true;
}

void LcpQp::compute_w() {
  const int m = lcp_.size();
  for (int i = 0; i < m; ++i) w_[i] = lcp_.q()[i] + Eigen::Map<const Vec>(lcp_.M() + i * m, m).dot(z_.vec());
}

void LcpQp::begin(const ContactProblem& p, VecOut lambda) {
  const int m = lcp_.size();
  start(p, lambda, {1, options_.stall_window});
  factorisations_ = 0;
  z_.resize(m), w_.resize(m), refined_.resize(m), factor_.resize(m * m);
  lcp_.from_lambda(p, lambda.data(), z_.data());
  qp_.resize(m, m);
  const double* M = lcp_.M();
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      qp_.H()[i * m + j] = M[i * m + j] + M[j * m + i];
      qp_.A()[i * m + j] = M[i * m + j];
    }
    qp_.b()[i] = -lcp_.q()[i];
    qp_.lo()[i] = 0.0;
    qp_.hi()[i] = std::numeric_limits<double>::infinity();
  }
}

// (2), from the z at hand.
DenseQp::Outcome LcpQp::iterate() {
  const int m = lcp_.size();
  for (int i = 0; i < m; ++i) qp_.c()[i] = lcp_.q()[i] - shift_ * z_[i];
  const DenseQp::Outcome outcome = qp_.solve(kInnerTolerance, options_.qp_iterations);
  factorisations_ += qp_.factorisations();
  double change = 0.0, size = 0.0;
  for (int i = 0; i < m; ++i) {
    const double z = std::max(qp_.x()[i], 0.0);
    change = std::max(change, std::abs(z - z_[i]));
    size = std::max(size, z);
    z_[i] = z;
  }
  change_ = size > 0.0 ? change / size : 0.0;
  return outcome;
}

bool LcpQp::accept(const ContactProblem& p, const double* z, VecOut lambda) {
  lcp_.to_lambda(z, lambda.data());
  return best_.offer(p, lambda.data());
}

// First the basis that z suggests, because it is exact if it is the right one; then z as it is.
bool LcpQp::judge(const ContactProblem& p, VecOut lambda) {
  const int m = lcp_.size();
  compute_w();
  std::copy_n(z_.data(), m, refined_.data());
  basis_.clear();
  for (int i = 0; i < m; ++i) {
    if (z_[i] > w_[i])
      basis_.add(i);
    else
      refined_[i] = 0.0;
  }
  ++factorisations_;
  basis_.factor(lcp_.M(), m);
  basis_.refine(lcp_.M(), lcp_.q(), m, refined_.data(), kQpRefinements);
  for (int i = 0; i < m; ++i) refined_[i] = std::max(refined_[i], 0.0);
  return accept(p, refined_.data(), lambda) || accept(p, z_.data(), lambda);
}

// From the guess; where that leads to a stationary point, from zero. The better λ is handed back.
Report LcpQp::solve(const ContactProblem& p, VecOut lambda) {
  if (!solves<LcpQp>(p) || !lcp_.load(p, !p.general)) return refuse(kName);
  const bool guessed = !options_.cold_start && !(options_.time_limit > 0.0) && (lambda.array() != 0.0).any();
  Report first = descend(p, lambda);
  if (!guessed || first.status != Status::stalled) return first;
  kept_.resize(static_cast<int>(lambda.size()));
  kept_.vec() = lambda;
  lambda.setZero();
  Report second = descend(p, lambda);
  add_counts(first, second);
  if (second.own.ratio < first.own.ratio) return second;
  lambda = kept_.vec();
  first.iterations = second.iterations, first.factorisations = second.factorisations;
  return first;
}

Report LcpQp::descend(const ContactProblem& p, VecOut lambda) {
  begin(p, lambda);
  const char* path = kName;
  bool sound = data_finite(p) && shift_matrix();
  if (sound) {
    qp_.prepare();
    compute_w();
    for (int i = 0; i < w_.size(); ++i) refined_[i] = std::max(w_[i], 0.0);
    qp_.start(z_.data(), z_.data(), refined_.data());
  }
  while (sound && best_.next()) {
    const DenseQp::Outcome outcome = iterate();
    sound = outcome != DenseQp::Outcome::failed;
    if (!sound) break;
    const bool accepted = judge(p, lambda);
    best_.observe(p, lambda.data(), best_.iteration());
    if (accepted) break;
    // Contacts can always push themselves apart; only plain problems may have no feasible point.
    if (p.general && outcome == DenseQp::Outcome::unsolved && qp_.infeasibility() > kInfeasible)
      best_.end(Status::numerical_failure), path = "lcp_qp:infeasible";
    else if (change_ <= kStationary || best_.stalled())
      best_.end(Status::stalled);
    if (best_.time_is_up()) break;
  }
  if (!sound) best_.end(Status::numerical_failure);
  return best_.finish(p, path, lambda, factorisations_);
}

}  // namespace stiction
