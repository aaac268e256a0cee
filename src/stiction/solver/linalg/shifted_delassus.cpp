// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/growing.h>
#include <stiction/base/pair.h>
#include <stiction/solver/linalg/dense_factor.h>
#include <stiction/solver/linalg/power_iteration.h>
#include <stiction/solver/linalg/shifted_delassus.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kSettled = 1e-3;  // change of λmax at which it is known well enough: only ρ depends on it
constexpr int kSmall = 96;         // rows up to which columns beat blocked rows, and L⁻¹ fits the cache

int padded(int n) { return (n + 3) / 4 * 4; }

}  // namespace

void ShiftedDelassus::prepare(const ContactProblem& p) {
  const int n = p.rows();
  body_space_ = p.G.storage == Delassus::Storage::body_space && n > p.G.body.velocities;
  unsymmetric_ = !p.G.symmetric && !body_space_;
  b_.resize(std::max(padded(n), 4)), power_.resize(n);
  if (body_space_) {
    inverse_d_.resize(n), residual_.resize(n), velocity_.resize(p.G.body.velocities);
    weight_.assign(p.G.diagonal_start.back(), 0.0);
    body_matrix_.prepare(p, p.G.body);
    return;
  }
  factor_.resize(padded(n) * padded(n));
  diagonal_.resize(padded(n));
  if (unsymmetric_) pivot_.resize(n);
  if (p.G.storage != Delassus::Storage::dense) p.G.densify(matrix_, power_, scratch_);
}

bool ShiftedDelassus::factor(const ContactProblem& p, double sigma) {
  const int n = p.rows();
  sigma_ = sigma, solves_ = 0, inverted_ = false;
  if (body_space_) {
    for (std::size_t i = 0; i < p.blocks.size(); ++i) {
      const Block& b = p.blocks[i];
      double* w = weight_.data() + p.G.diagonal_start[i];
      for (int k = 0; k < b.size; ++k) {
        inverse_d_[b.row + k] = 1.0 / (p.R(b.row + k) + sigma);
        w[k * b.size + k] = inverse_d_[b.row + k];
      }
    }
    return body_matrix_.factor(p, p.G.body, weight_.data());
  }
  if (!unsymmetric_ && n <= kSmall) return factor_small(p);
  std::copy_n(matrix(p), n * n, factor_.data());
  for (int r = 0; r < n; ++r) factor_[r * n + r] += p.R(r) + sigma;
  if (unsymmetric_) return factor_lu(factor_.data(), n, pivot_.data());
  return factor_cholesky(factor_.data(), n);
}

// By columns, padded with those of the unit matrix.
bool ShiftedDelassus::factor_small(const ContactProblem& p) {
  const int n = p.rows(), ld = padded(n);
  const double* G = matrix(p);
  for (int j = 0; j < ld; ++j) {
    double* column = factor_.data() + j * ld;
    if (j < n) std::copy_n(G + j * n, n, column);
    std::fill(column + (j < n ? n : 0), column + ld, 0.0);
    column[j] = j < n ? column[j] + (p.R(j) + sigma_) : 1.0;
  }
  return factor_cholesky_columns(factor_.data(), ld, diagonal_.data());
}

// L⁻¹ row by row: row i = (e_i − Σ_{j<i} L_ij row j)/L_ii. L lies in columns.
void ShiftedDelassus::invert_factor(int n) {
  const int ld = padded(n);
  grow(inverse_, ld * ld);
  for (int i = 0; i < ld; ++i) {
    double* row = inverse_.data() + i * ld;
    std::fill_n(row, ld, 0.0);
    if (i >= n) continue;
    const double* l = factor_.data() + i;
    const double inverse = diagonal_[i];
    for (int j = 0; j < i; ++j) {
      const double* other = inverse_.data() + j * ld;
      const Pair f = both(-l[j * ld] * inverse);
      for (int k = 0; k <= j; k += 2) store_pair(row + k, load_pair(row + k) + f * load_pair(other + k));
    }
    row[i] = inverse;
  }
  inverted_ = true;
}

// x ← L⁻ᵀ(L⁻¹x), four rows, then four columns at a time.
void ShiftedDelassus::solve_by_inverse(int n, double* x) {
  const int ld = padded(n);
  double* __restrict__ b = b_.data();
  const double* inverse = inverse_.data();
  std::copy_n(x, n, b);
  std::fill(b + n, b + ld, 0.0);
  for (int i = ld - 4; i >= 0; i -= 4) {  // from the last rows up: they read the entries that others overwrite
    const double* row = inverse + i * ld;
    Pair s0 = both(0.0), s1 = s0, s2 = s0, s3 = s0;
    for (int k = 0; k < i + 4; k += 2) {
      const Pair y = load_pair(b + k);
      s0 += load_pair(row + k) * y, s1 += load_pair(row + ld + k) * y;
      s2 += load_pair(row + 2 * ld + k) * y, s3 += load_pair(row + 3 * ld + k) * y;
    }
    b[i] = s0[0] + s0[1], b[i + 1] = s1[0] + s1[1], b[i + 2] = s2[0] + s2[1], b[i + 3] = s3[0] + s3[1];
  }
  for (int k = 0; k < ld; k += 4) {
    Pair s0 = both(0.0), s1 = s0, t0 = s0, t1 = s0;
    for (int i = k; i < ld; i += 2) {
      const double *row = inverse + i * ld + k, *next = row + ld;
      const Pair y = both(b[i]), z = both(b[i + 1]);
      s0 += y * load_pair(row), s1 += y * load_pair(row + 2);
      t0 += z * load_pair(next), t1 += z * load_pair(next + 2);
    }
    s0 += t0, s1 += t1;
    const double out[4] = {s0[0], s0[1], s1[0], s1[1]};
    for (int c = 0; c < std::min(4, n - k); ++c) x[k + c] = out[c];
  }
}

void ShiftedDelassus::solve_woodbury(const ContactProblem& p, const double* b, double* x) {
  const int n = p.rows();
  for (int r = 0; r < n; ++r) x[r] = inverse_d_[r] * b[r];
  velocity_.assign(p.G.body.velocities, 0.0);
  for (int i = 0; i < p.G.blocks(); ++i) p.G.add_transposed(i, x + p.G.start[i], velocity_.data());
  body_matrix_.solve(velocity_.data());
  for (int i = 0; i < p.G.blocks(); ++i) p.G.multiply_velocity(i, velocity_.data(), residual_.data() + p.G.start[i]);
  for (int r = 0; r < n; ++r) x[r] -= inverse_d_[r] * residual_[r];
}

void ShiftedDelassus::solve(const ContactProblem& p, double* x) {
  const int n = p.rows();
  if (!body_space_) {
    if (unsymmetric_) return solve_lu(factor_.data(), n, pivot_.data(), x);
    if (!inverted_ && ++solves_ == 2 && n <= kSmall) invert_factor(n);
    if (inverted_) return solve_by_inverse(n, x);
    if (n > kSmall) return solve_cholesky(factor_.data(), n, x);
    std::copy_n(x, n, b_.data());
    std::fill(b_.data() + n, b_.data() + padded(n), 0.0);
    solve_cholesky_columns(factor_.data(), padded(n), diagonal_.data(), b_.data());
    std::copy_n(b_.data(), n, x);
    return;
  }
  std::copy_n(x, n, b_.data());
  solve_woodbury(p, b_.data(), x);
  multiply(p, x, power_.data());
  for (int r = 0; r < n; ++r) b_[r] -= power_[r] + sigma_ * x[r];
  solve_woodbury(p, b_.data(), power_.data());
  for (int r = 0; r < n; ++r) x[r] += power_[r];
}

double ShiftedDelassus::largest_eigenvalue(const ContactProblem& p) {
  const int n = p.rows();
  if (n == 0) return 0.0;
  power_.assign(n, 1.0 / std::sqrt(n));
  return power_iteration(n, 20, kSettled, power_.data(), b_.data(),
                         [&](const double* x, double* y) { multiply(p, x, y); });
}

}  // namespace stiction
