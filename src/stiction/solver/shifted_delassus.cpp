// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/dense_factor.h>
#include <stiction/solver/shifted_delassus.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void ShiftedDelassus::prepare(const ContactProblem& p) {
  const int n = p.rows();
  body_space_ = p.G.storage == Delassus::Storage::body_space && n > p.G.body.velocities;
  unsymmetric_ = !p.G.symmetric && !body_space_;
  if (body_space_) {
    inverse_d_.resize(n), b_.resize(n), residual_.resize(n);
    factor_.resize(at(p.G.body.velocities) * at(p.G.body.velocities));
    return;
  }
  matrix_.resize(at(n) * at(n)), factor_.resize(at(n) * at(n));
  if (unsymmetric_) pivot_.resize(at(n));
  write_out(p);
}

// G as a dense row-major matrix.
void ShiftedDelassus::write_out(const ContactProblem& p) {
  const int n = p.rows();
  const Delassus& G = p.G;
  if (G.storage == Delassus::Storage::dense) {
    std::copy(G.dense.begin(), G.dense.end(), matrix_.begin());
    return;
  }
  std::fill(matrix_.begin(), matrix_.end(), 0.0);
  if (G.storage == Delassus::Storage::block_sparse) {
    for (int i = 0; i < G.blocks(); ++i)
      for (int k = G.row_start[at(i)]; k < G.row_start[at(i) + 1]; ++k) {
        const int j = G.column[at(k)], first = G.start[at(j)], cols = G.start[at(j) + 1] - first;
        const double* block = G.values.data() + G.value_start[at(k)];
        for (int r = G.start[at(i)]; r < G.start[at(i) + 1]; ++r, block += cols)
          std::copy_n(block, cols, matrix_.data() + at(r) * at(n) + first);
      }
    return;
  }
  power_.assign(n, 0.0);
  for (int j = 0; j < n; ++j) {  // symmetric: column j is row j
    power_[j] = 1.0;
    G.multiply(power_.data(), matrix_.data() + at(j) * at(n), scratch_);
    power_[j] = 0.0;
  }
}

bool ShiftedDelassus::factor(const ContactProblem& p, double sigma) {
  const int n = p.rows();
  sigma_ = sigma;
  if (body_space_) {
    for (int r = 0; r < n; ++r) inverse_d_[r] = 1.0 / (p.R(r) + sigma);
    add_body_matrix(p);
    return factor_cholesky(factor_.data(), p.G.body.velocities);
  }
  std::copy(matrix_.begin(), matrix_.end(), factor_.begin());
  for (int r = 0; r < n; ++r) factor_[at(r) * at(n) + at(r)] += p.R(r) + sigma;
  return unsymmetric_ ? factor_lu(factor_.data(), n, pivot_.data()) : factor_cholesky(factor_.data(), n);
}

// I + HᵀD⁻¹H, lower triangle.
void ShiftedDelassus::add_body_matrix(const ContactProblem& p) {
  const BodySpace& body = p.G.body;
  const int m = body.velocities;
  std::fill(factor_.begin(), factor_.end(), 0.0);
  for (int v = 0; v < m; ++v) factor_[at(v) * at(m) + at(v)] = 1.0;
  for (int i = 0; i < p.G.blocks(); ++i)
    for (int s = body.term_start[at(i)]; s < body.term_start[at(i) + 1]; ++s)
      for (int t = body.term_start[at(i)]; t < body.term_start[at(i) + 1]; ++t) {
        const BodySpace::Term &a = body.terms[at(s)], &b = body.terms[at(t)];
        const double *ha = body.values.data() + a.offset, *hb = body.values.data() + b.offset;
        const int *ca = body.column.data() + a.columns, *cb = body.column.data() + b.columns;
        for (int r = p.G.start[at(i)]; r < p.G.start[at(i) + 1]; ++r, ha += a.width, hb += b.width)
          for (int j = 0; j < a.width; ++j) {
            const double f = ha[j] * inverse_d_[r];
            double* row = factor_.data() + at(ca[j]) * at(m);
            for (int k = 0; k < b.width; ++k)
              if (cb[k] <= ca[j]) row[cb[k]] += f * hb[k];
          }
      }
}

void ShiftedDelassus::solve_woodbury(const ContactProblem& p, const double* b, double* x) {
  const int n = p.rows();
  for (int r = 0; r < n; ++r) x[r] = inverse_d_[r] * b[r];
  velocity_.assign(p.G.body.velocities, 0.0);
  for (int i = 0; i < p.G.blocks(); ++i) p.G.add_transposed(i, x + p.G.start[at(i)], velocity_.data());
  solve_cholesky(factor_.data(), p.G.body.velocities, velocity_.data());
  for (int i = 0; i < p.G.blocks(); ++i)
    p.G.multiply_velocity(i, velocity_.data(), residual_.data() + p.G.start[at(i)]);
  for (int r = 0; r < n; ++r) x[r] -= inverse_d_[r] * residual_[r];
}

void ShiftedDelassus::solve(const ContactProblem& p, double* x) {
  const int n = p.rows();
  if (!body_space_) {
    if (unsymmetric_)
      solve_lu(factor_.data(), n, pivot_.data(), x);
    else
      solve_cholesky(factor_.data(), n, x);
    return;
  }
  b_.resize(n), power_.resize(n);
  std::copy_n(x, n, b_.data());
  solve_woodbury(p, b_.data(), x);
  multiply(p, x, power_.data());
  for (int r = 0; r < n; ++r) b_[r] -= power_[r] + sigma_ * x[r];
  solve_woodbury(p, b_.data(), power_.data());
  for (int r = 0; r < n; ++r) x[r] += power_[r];
}

void ShiftedDelassus::multiply(const ContactProblem& p, const double* x, double* y) {
  p.G.multiply(x, y, scratch_);
  if (p.compliant())
    for (int r = 0; r < p.rows(); ++r) y[r] += p.compliance[r] * x[r];
}

double ShiftedDelassus::largest_eigenvalue(const ContactProblem& p) {
  const int n = p.rows();
  if (n == 0) return 0.0;
  power_.assign(n, 1.0 / std::sqrt(n));
  b_.resize(n);
  double value = 0.0;
  for (int k = 0; k < 20; ++k) {
    multiply(p, power_.data(), b_.data());
    const double norm = b_.vec().norm();
    if (!(norm > 0.0) || !std::isfinite(norm)) return value;
    const bool settled = std::abs(norm - value) <= 1e-8 * norm;
    value = norm;
    if (settled) break;
    power_.vec() = b_.vec() / norm;
  }
  return value;
}

}  // namespace stiction
