// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/block_sets.h>
#include <stiction/solver/splitting/admm_primal.h>

#include <algorithm>
#include <cmath>

namespace stiction {

bool AdmmPrimal::applies(const ContactProblem& p) {
  for (int r = 0; r < p.rows(); ++r)
    if (!(p.R(r) > 0.0)) return false;
  return true;
}

void AdmmPrimal::begin(const ContactProblem& p, const AdmmWeights& weights, const VecRef& guess) {
  const int n = p.rows();
  w_ = weights;
  largest_g_ = 0.0;
  for (int r = 0; r < n; ++r) raise(largest_g_, std::abs(p.g[r]));
  operator_.prepare(p);
  L_ = std::max(operator_.largest_eigenvalue(p), w_.prox);
  rows_.load(p);
  matrix_.prepare(p, rows_.body());
  for (GrowingVec* v : {&sigma_, &z_, &lambda_, &free_, &a_, &u_, &inverse_}) v->resize(n);
  for (GrowingVec* v : {&velocity_, &old_velocity_}) v->resize(rows_.velocities());
  B_.assign(p.blocks.empty() ? 0 : p.G.diagonal_start.back(), 0.0);
  std::copy_n(guess.data(), n, lambda_.data());
  project_blocks(p, lambda_.data());
  rows_.multiply_transposed(p, lambda_.data(), velocity_.data());
  operator_.multiply(p, lambda_.data(), z_.data());
  for (int r = 0; r < n; ++r) {
    sigma_[r] = -p.R(r) * lambda_[r];
    z_[r] += p.g[r];
  }
}

bool AdmmPrimal::use_rho(const ContactProblem& p, double rho) {
  r_ = 1.0 / (w_.tau * rho);
  const double whole = 1.0 + w_.prox;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    double* B = B_.data() + p.G.diagonal_start[i];
    for (int k = 0; k < b.size; ++k) {
      inverse_[b.row + k] = 1.0 / (whole / p.R(b.row + k) + r_);
      // r(1 − rD) without the difference: r (1 + μ_p)/R · D
      B[k * b.size + k] = r_ * (whole / p.R(b.row + k)) * inverse_[b.row + k] / whole;
    }
  }
  return matrix_.factor(p, rows_.body(), B_.data());
}

// g + s with De Saxcé's shift of the present z.
void AdmmPrimal::shift(const ContactProblem& p) {
  std::copy_n(p.g.data(), p.rows(), free_.data());
  if (p.law.kind != FrictionLaw::coulomb) return;
  for (const Block& b : p.blocks)
    if (b.kind == BlockKind::patch)
      free_[b.row + b.size - 1] += RoundCone{b.mu, b.size}.shift(z_.data() + b.row);
    else if (b.kind == BlockKind::coulomb)
      free_[b.row + 2] += b.mu * std::sqrt(z_[b.row] * z_[b.row] + z_[b.row + 1] * z_[b.row + 1]);
}

AdmmStep AdmmPrimal::iterate(const ContactProblem& p) {
  const int n = p.rows(), m = velocity_.size();
  const double prox = w_.prox, alpha = w_.relaxation;
  shift(p);
  std::copy_n(velocity_.data(), m, old_velocity_.data());
  for (int r = 0; r < n; ++r) {
    a_[r] = -lambda_[r] + r_ * (free_[r] - z_[r]);
    const double kept = (1.0 + prox) / p.R(r) * inverse_[r];  // 1 − rD
    u_[r] = -(kept * a_[r] - r_ * inverse_[r] * prox / p.R(r) * sigma_[r]);
  }
  rows_.multiply_transposed(p, u_.data(), velocity_.data());
  for (int i = 0; i < m; ++i) velocity_[i] = (velocity_[i] + prox * old_velocity_[i]) / (1.0 + prox);
  matrix_.solve(velocity_.data());
  rows_.multiply(p, velocity_.data(), u_.data());

  AdmmStep step;
  step.largest_velocity = largest_g_;
  double poison = 0.0;
  for (int r = 0; r < n; ++r) {
    sigma_[r] = inverse_[r] * (a_[r] + r_ * u_[r] + prox / p.R(r) * sigma_[r]);
    u_[r] += free_[r] - sigma_[r];
    a_[r] = lambda_[r] - r_ * (alpha * u_[r] + (1.0 - alpha) * z_[r]);  // rt
    lambda_[r] = a_[r];
  }
  project_blocks(p, lambda_.data());
  for (int r = 0; r < n; ++r) {
    const double z = (lambda_[r] - a_[r]) / r_;
    raise(step.velocity, std::abs(u_[r] - z));
    raise(step.impulse, r_ * std::abs(z - z_[r]));
    z_[r] = z;
    raise(step.largest_impulse, std::abs(lambda_[r]));
    raise(step.largest_velocity, std::abs(z));
    poison += (z + lambda_[r]) * 0.0;
  }
  step.finite = poison == 0.0;
  return step;
}

}  // namespace stiction
