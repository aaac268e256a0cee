// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/growing.h>
#include <stiction/cone/box.h>
#include <stiction/cone/half_line.h>
#include <stiction/cone/round_cone.h>
#include <stiction/solver/local/local_blocks.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kPivot = 1e-12, kProximal = 1e-6;

// W + shift I = L Lᵀ, lower triangle, row-major; false at a pivot that is too small.
bool cholesky(int n, const double* w, double shift, double smallest, double* l) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double s = 0.5 * (w[i * n + j] + w[j * n + i]) + (i == j ? shift : 0.0);
      for (int k = 0; k < j; ++k) s -= l[i * n + k] * l[j * n + k];
      if (i != j)
        l[i * n + j] = s / l[j * n + j];
      else if (s > smallest)
        l[i * n + i] = std::sqrt(s);
      else
        return false;
    }
  return true;
}

void solve_cholesky(int n, const double* l, double* x) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= l[i * n + k] * x[k];
    x[i] /= l[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= l[k * n + i] * x[k];
    x[i] /= l[i * n + i];
  }
}

}  // namespace

void LocalBlocks::prepare(const ContactProblem& problem, bool exact) {
  const Delassus& G = problem.G;
  start_.assign(G.diagonal_start.begin(), G.diagonal_start.end());
  const int numbers = start_.empty() ? 0 : start_.back();
  diagonal_.resize(numbers);
  std::copy_n(G.diagonal.data(), numbers, diagonal_.data());
  factor_.resize(numbers);
  contacts_.resize(problem.blocks.size());
  if (has_patches(problem)) patches_.resize(problem.blocks.size());
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& block = problem.blocks[i];
    double* w = diagonal_.data() + start_[i];
    if (problem.compliant())
      for (int r = 0; r < block.size; ++r) w[r * (block.size + 1)] += problem.compliance[block.row + r];
    if (block.kind == BlockKind::coulomb && exact) contacts_[i].prepare(w, block.mu);
    if (block.kind == BlockKind::patch)
      patches_[i].prepare(block.size, w, block.mu, problem.law.kind == FrictionLaw::convex);
    if (block.kind == BlockKind::bilateral) factor(block.size, w, factor_.data() + start_[i]);
  }
}

void LocalBlocks::factor(int n, const double* w, double* l) const {
  double largest = 0.0, trace = 0.0;
  for (int r = 0; r < n; ++r) largest = std::max(largest, w[r * (n + 1)]), trace += w[r * (n + 1)];
  if (cholesky(n, w, 0.0, kPivot * largest, l)) return;
  if (trace > 0.0 && cholesky(n, w, kProximal * trace / n, 0.0, l)) return;
  std::fill_n(l, n * n, 0.0);  // no mass at all: λ is left alone
}

// λ ← ω solve + (1 − ω) λ; the cone is convex, so that ω ≤ 1 stays inside it.
void LocalBlocks::solve_patch(const Block& block, int i, double relaxation, double* u, double* lambda) const {
  const double* w = diagonal(i);
  const int n = block.size;
  double b[kMostPatchRows] = {}, r[kMostPatchRows];
  for (int k = 0; k < n; ++k) {
    b[k] = u[k];
    for (int c = 0; c < n; ++c) b[k] -= w[n * k + c] * lambda[c];
  }
  patches_[i].solve(b, r);
  for (int k = 0; k < n; ++k) lambda[k] = relaxation == 1.0 ? r[k] : relaxation * r[k] + (1.0 - relaxation) * lambda[k];
  if (relaxation > 1.0) RoundCone{block.mu, n}.project(lambda);
}

void LocalBlocks::solve_other(const Block& block, int i, double relaxation, double* u, double* lambda) const {
  const double* w = diagonal(i);
  if (block.kind == BlockKind::bilateral) {
    const double* l = factor_.data() + start_[i];
    if (l[0] == 0.0) return;
    solve_cholesky(block.size, l, u);
    for (int r = 0; r < block.size; ++r) lambda[r] -= relaxation * u[r];
    return;
  }
  if (block.kind == BlockKind::patch) return solve_patch(block, i, relaxation, u, lambda);
  const bool movable = w[0] > 0.0;
  const double target = movable ? lambda[0] - relaxation * u[0] / w[0] : lambda[0];
  if (block.kind == BlockKind::unilateral) {
    lambda[0] = HalfLine{}.project(target);
    return;
  }
  lambda[0] = Box{block.lo, block.hi}.project(target);
  if (movable || u[0] == 0.0) return;
  const double bound = u[0] > 0.0 ? block.lo : block.hi;
  if (std::isfinite(bound)) lambda[0] = bound;
}

}  // namespace stiction
