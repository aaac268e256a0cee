// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/solver/admm.h>
#include <stiction/solver/block_sets.h>
#include <stiction/solver/catalog.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kBalance = 10.0;  // ratio of r_p and r_d at which ρ is changed
constexpr double kLikely = 30.0;   // relative change, in tolerances, from which acceptance is worth asking for

double largest(const GrowingVec& x) { return x.size() > 0 ? x.vec().lpNorm<Eigen::Infinity>() : 0.0; }

// The first dual of a block, in place of its velocity u (shift included): z = L(P(s) − s) with s = y − u/L. By Moreau's
// decomposition −z is normal to the set at P(s), so z is u itself where (y, u) solves the block, and P*(u) at y = 0.
// The plain P*(u) would take the velocity left over by the tolerance at a sticking contact for slip, which then has
// to be iterated away; here y is inside the set by more than u/L, and z is exactly 0.
void first_dual(const Block& b, const FrictionLaw& law, double L, const double* y, double* z) {
  double s[3], projected[3];
  for (int first = 0; first < b.size; first += 3) {  // see Admm::iterate
    const int count = std::min(3, b.size - first);
    for (int c = 0; c < count; ++c) s[c] = projected[c] = y[first + c] - z[first + c] / L;
    project_block(b, law, projected);
    for (int c = 0; c < count; ++c) z[first + c] = L * (projected[c] - s[c]);
  }
}

}  // namespace

void AdmmOptions::check() const {
  if (preset != "pinocchio" && preset != "contactbench")
    throw InvalidInput("admm.preset is '" + preset + "', expected 'pinocchio' or 'contactbench'");
  require_option(std::isfinite(tau) && tau >= 0.0, "admm", "tau", tau, "a finite value > 0, or 0 for the preset's");
  require_option(std::isfinite(rho) && rho >= 0.0, "admm", "rho", rho, "a finite value > 0, or 0 for the rule");
  require_option(std::isfinite(prox) && prox > 0.0, "admm", "prox", prox, "a finite value > 0");
  require_option(over_relaxation > 0.0 && over_relaxation < 2.0, "admm", "over_relaxation", over_relaxation,
                 "a value in ]0, 2[");
  require_option(refactorisations >= 0, "admm", "refactorisations", refactorisations, "an integer >= 0");
  require_option(test_interval >= 1, "admm", "test_interval", test_interval, "an integer >= 1");
  require_option(stall_window >= 0, "admm", "stall_window", stall_window, "an integer >= 0, 0 for no detection");
}

Admm::Admm(const Options& options) : options_(options) {
  if (options.preset == "contactbench") start_exponent_ = 0.4, change_exponent_ = 0.1, tau_ = 1.0;
  if (options.tau > 0.0) tau_ = options.tau;
}

bool Admm::begin(const ContactProblem& p, VecOut lambda) {
  const int n = p.rows();
  best_.begin(p, options_, lambda);
  trigger_ = kLikely * options_.tolerance;
  halved_ratio_ = std::numeric_limits<double>::infinity();
  halved_iteration_ = factorisations_ = 0;
  largest_g_ = largest(p.g);
  operator_.prepare(p);
  double least = n > 0 && p.compliant() ? p.compliance.vec().minCoeff() : 0.0;
  const double m = options_.prox + least, L = std::max(operator_.largest_eigenvalue(p), m);
  kappa_ = L / m;
  rho_high_ = 1e3 * L;
  rho_low_ = std::min(std::max(1e-6, 1e-12 * L), rho_high_);
  rho_ = options_.rho > 0.0 ? options_.rho : std::sqrt(L * m) * std::pow(kappa_, start_exponent_);
  rho_ = std::clamp(rho_, rho_low_, rho_high_);

  x_.resize(n), x_old_.resize(n), y_.resize(n), z_.resize(n), target_.resize(n);
  std::copy_n(lambda.data(), n, x_.data());
  std::copy_n(lambda.data(), n, y_.data());
  project_blocks(p, y_.data());
  operator_.multiply(p, y_.data(), z_.data());
  for (int r = 0; r < n; ++r) z_[r] += p.g[r];
  for (const Block& b : p.blocks) {
    double* z = z_.data() + b.row;
    if (b.kind == BlockKind::coulomb && p.law.kind == FrictionLaw::coulomb) z[2] += b.mu * std::hypot(z[0], z[1]);
    first_dual(b, p.law, L, y_.data() + b.row, z);
  }
  ++factorisations_;
  return operator_.factor(p, options_.prox + tau_ * rho_);
}

// One pass of (1) and (2).
Admm::Step Admm::iterate(const ContactProblem& p) {
  const int n = p.rows();
  const double weight = tau_ * rho_, prox = options_.prox, alpha = options_.over_relaxation;
  const bool shifted = p.law.kind == FrictionLaw::coulomb;
  for (int r = 0; r < n; ++r) {
    x_old_[r] = x_[r];
    x_[r] = -p.g[r] + weight * y_[r] + prox * x_[r] + z_[r];
  }
  for (const Block& b : p.blocks)
    if (shifted && b.kind == BlockKind::coulomb) x_[b.row + 2] -= b.mu * std::hypot(z_[b.row], z_[b.row + 1]);
  operator_.solve(p, x_.data());

  Step step{0.0, 0.0, 0.0, 0.0};
  for (int r = 0; r < n; ++r) target_[r] = alpha * x_[r] + (1.0 - alpha) * y_[r] - z_[r] / weight;
  for (const Block& b : p.blocks) {
    double y[3];
    for (int r = b.row; r < b.row + b.size; r += 3) {  // bilateral blocks may be longer than three rows: they are free
      const int count = std::min(3, b.row + b.size - r);
      std::copy_n(target_.data() + r, count, y);
      project_block(b, p.law, y);
      for (int c = 0; c < count; ++c) {
        const int k = r + c;
        step.primal = std::max(step.primal, std::abs(x_[k] - y[c]));
        step.dual = std::max(step.dual, std::abs(weight * (y[c] - y_[k]) + prox * (x_[k] - x_old_[k])));
        z_[k] = weight * (y[c] - target_[k]);
        y_[k] = y[c];
        step.largest_y = std::max(step.largest_y, std::abs(y[c]));
        step.largest_z = std::max(step.largest_z, std::abs(z_[k]));
      }
    }
  }
  return step;
}

// (3); false if the new factorisation fails.
bool Admm::rebalance(const ContactProblem& p, const Step& s) {
  if (factorisations_ > options_.refactorisations) return true;
  double rho = rho_;
  if (s.primal > kBalance * s.dual)
    rho *= std::pow(kappa_, change_exponent_);
  else if (s.dual > kBalance * s.primal)
    rho /= std::pow(kappa_, change_exponent_);
  rho = std::clamp(rho, rho_low_, rho_high_);
  if (rho == rho_) return true;
  rho_ = rho;
  ++factorisations_;
  return operator_.factor(p, options_.prox + tau_ * rho_);
}

double Admm::relative_change(const Step& s) const {
  const double velocity = std::max(largest_g_, s.largest_z);
  const double primal = s.largest_y > 0.0 ? s.primal / s.largest_y : 0.0;
  return std::max(primal, velocity > 0.0 ? s.dual / velocity : 0.0);
}

bool Admm::judge_is_due(const ContactProblem& p, int iteration, double relative, const Step& s) const {
  if (iteration % options_.test_interval == 0 || iteration >= options_.max_iterations) return true;
  const bool tiny = p.dt && s.primal <= options_.force_tolerance * *p.dt && s.dual <= options_.velocity_tolerance;
  return relative <= trigger_ || tiny;
}

bool Admm::stalled(int iteration) {
  if (best_.best_ratio() <= 0.5 * halved_ratio_) {
    halved_ratio_ = best_.best_ratio();
    halved_iteration_ = iteration;
    return false;
  }
  return options_.stall_window > 0 && iteration - halved_iteration_ >= options_.stall_window;
}

Report Admm::solve(const ContactProblem& p, VecOut lambda) {
  if (p.law.kind != FrictionLaw::coulomb && p.law.kind != FrictionLaw::convex) return refuse(kName);
  Status status = Status::max_iterations;
  int k = 0;
  bool factored = begin(p, lambda);
  while (factored && k < options_.max_iterations) {
    ++k;
    const Step step = iterate(p);
    if (!all_finite(y_.data(), y_.size()) || !all_finite(z_.data(), z_.size())) {
      status = Status::numerical_failure;
      break;
    }
    const double relative = relative_change(step);
    if (judge_is_due(p, k, relative, step)) {
      if (best_.accepts(p, y_.vec())) {
        std::copy_n(y_.data(), y_.size(), lambda.data());
        status = Status::converged;
        break;
      }
      if (best_.last().ratio > 1.0) trigger_ = std::min(trigger_, 2.0 * relative / best_.last().ratio);
      if (stalled(k)) status = Status::stalled;
    }
    if (status == Status::stalled || best_.out_of_time()) break;
    factored = rebalance(p, step);
  }
  if (!factored) status = Status::numerical_failure;
  Report report = best_.finish(p, status, k, kName, lambda);
  report.factorisations = factorisations_;
  return report;
}

SolverInfo admm_info() {
  return describe_solver<Admm>("proximal ADMM with a spectral penalty rule",
                               "Carpentier, Le Lidec, Montaut 2024; Le Lidec et al. 2024, Alg. 3",
                               "no guarantee for coulomb; slow when the right penalty differs much between contacts",
                               {FrictionLaw::coulomb, FrictionLaw::convex});
}

}  // namespace stiction
