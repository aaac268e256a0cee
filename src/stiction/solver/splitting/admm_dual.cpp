// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/block_sets.h>
#include <stiction/solver/splitting/admm_dual.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// The first dual of a block, in place of its velocity u (shift included): z = L(P(s) − s) with s = y − u/L. By Moreau's
// decomposition −z is normal to the set at P(s), so z is u itself where (y, u) solves the block, and P*(u) at y = 0.
// The plain P*(u) would take the velocity left over by the tolerance at a sticking contact for slip, which then has
// to be iterated away; here y is inside the set by more than u/L, and z is exactly 0.
void first_dual(const Block& b, const FrictionLaw& law, double L, const double* y, double* z) {
  double s[kMostPatchRows], projected[kMostPatchRows];
  for (int first = 0; first < b.size; first += kMostPatchRows) {  // bilateral blocks may be longer: they are free
    const int count = std::min(kMostPatchRows, b.size - first);
    for (int c = 0; c < count; ++c) s[c] = projected[c] = y[first + c] - z[first + c] / L;
    project_block(b, law, projected);
    for (int c = 0; c < count; ++c) z[first + c] = L * (projected[c] - s[c]);
  }
}

}  // namespace

void AdmmDual::begin(const ContactProblem& p, const AdmmWeights& weights, const VecRef& guess) {
  const int n = p.rows();
  w_ = weights;
  largest_g_ = 0.0;
  for (int r = 0; r < n; ++r) raise(largest_g_, std::abs(p.g[r]));
  const double least = n > 0 && p.compliant() ? p.compliance.vec().minCoeff() : 0.0;
  L_ = std::max(operator_.largest_eigenvalue(p), w_.prox + least);
  for (GrowingVec* v : {&x_, &x_old_, &y_, &z_, &target_, &state_}) v->resize(n);
  std::copy_n(guess.data(), n, x_.data());
  std::copy_n(guess.data(), n, y_.data());
  project_blocks(p, y_.data());
  operator_.multiply(p, y_.data(), z_.data());
  for (int r = 0; r < n; ++r) z_[r] += p.g[r];
  for (const Block& b : p.blocks) {
    double* z = z_.data() + b.row;
    if (b.kind == BlockKind::coulomb && p.law.kind == FrictionLaw::coulomb) z[2] += b.mu * length(z[0], z[1]);
    if (b.kind == BlockKind::patch && p.law.kind == FrictionLaw::coulomb)
      z[b.size - 1] += RoundCone{b.mu, b.size}.shift(z);
    first_dual(b, p.law, L_, y_.data() + b.row, z);
  }
}

bool AdmmDual::use_rho(const ContactProblem& p, double rho) {
  penalty_ = w_.tau * rho;
  if (w_.window > 0) {  // another ρ is another map
    anderson_.begin(p.rows(), w_.window);
    for (int r = 0; r < p.rows(); ++r) state_[r] = y_[r] - z_[r] / penalty_;
  }
  return operator_.factor(p, w_.prox + penalty_);
}

AdmmStep AdmmDual::iterate(const ContactProblem& p) {
  const int n = p.rows();
  const double alpha = w_.relaxation, inverse = 1.0 / penalty_;
  double *x = x_.data(), *old = x_old_.data(), *y = y_.data(), *z = z_.data(), *t = target_.data();
  for (int r = 0; r < n; ++r) {
    old[r] = x[r];
    x[r] = (penalty_ * y[r] + w_.prox * x[r]) + (z[r] - p.g[r]);
  }
  if (p.law.kind == FrictionLaw::coulomb)
    for (const Block& b : p.blocks) {
      if (b.kind == BlockKind::coulomb) x[b.row + 2] -= b.mu * length(z[b.row], z[b.row + 1]);
      if (b.kind == BlockKind::patch) x[b.row + b.size - 1] -= RoundCone{b.mu, b.size}.shift(z + b.row);
    }
  operator_.solve(p, x);

  for (int r = 0; r < n; ++r) t[r] = alpha * x[r] + (1.0 - alpha) * y[r] - z[r] * inverse;
  AdmmStep step;
  step.largest_velocity = largest_g_;
  double poison = 0.0;
  for (const Block& b : p.blocks) {
    double next[kMostPatchRows];
    for (int r = b.row; r < b.row + b.size; r += kMostPatchRows) {  // see first_dual
      const int count = std::min(kMostPatchRows, b.row + b.size - r);
      std::copy_n(t + r, count, next);
      project_block(b, p.law, next);
      for (int c = 0; c < count; ++c) {
        const int k = r + c;
        raise(step.impulse, std::abs(x[k] - next[c]));
        raise(step.velocity, std::abs(penalty_ * (next[c] - y[k]) + w_.prox * (x[k] - old[k])));
        const double dual = penalty_ * (next[c] - t[k]);
        z[k] = dual + w_.momentum * (dual - z[k]);
        y[k] = next[c];
        raise(step.largest_impulse, std::abs(next[c]));
        raise(step.largest_velocity, std::abs(dual));
        poison += (next[c] + dual) * 0.0;
      }
    }
  }
  step.finite = poison == 0.0;
  return step;
}

void AdmmDual::accelerate(const ContactProblem& p) {
  if (w_.window <= 0) return;
  const int n = p.rows();
  const double inverse = 1.0 / penalty_;
  for (int r = 0; r < n; ++r) target_[r] = y_[r] - z_[r] * inverse;  // t itself unless there is momentum
  anderson_.advance(state_.data(), target_.data());                  // also a restart moves t: back to an earlier one
  std::copy_n(target_.data(), n, y_.data());
  project_blocks(p, y_.data());
  for (int r = 0; r < n; ++r) z_[r] = penalty_ * (y_[r] - target_[r]);
  std::copy_n(target_.data(), n, state_.data());
}

}  // namespace stiction
