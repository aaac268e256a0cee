// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/derivative/derivatives.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

double inner(const double* a, const double* b, int n) {
  double sum = a[0] * b[0];
  for (int k = 1; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

// The columns of a sliding block; `first` is b₀ or c₀.
void expand_slide(const BlockTangent& t, const double* first, const double* y, double* x) {
  for (int k = 0; k < t.size; ++k) {
    x[k] = first[k] * y[0];
    for (int j = 1; j < t.width && k + 1 < t.size; ++j) x[k] += t.across[j - 1][k] * y[j];
  }
}

void gather_slide(const BlockTangent& t, const double* first, const double* x, double* y) {
  y[0] = inner(first, x, t.size);
  for (int j = 1; j < t.width; ++j) y[j] = inner(t.across[j - 1], x, t.size - 1);
}

}  // namespace

bool ContactDerivatives::factor(const ContactProblem& problem, const VecRef& lambda, double boundary_threshold) {
  problem_ = &problem;
  unknowns_ = 0;
  blocks_.clear();
  if (problem.law.kind != FrictionLaw::coulomb && problem.law.kind != FrictionLaw::convex) return false;
  if (lambda.size() != problem.rows()) return false;
  const int n = problem.rows();
  lambda_.resize(n), u_.resize(n), w_.resize(n), x_.resize(n), z_.resize(n);
  std::copy(lambda.data(), lambda.data() + n, lambda_.data());
  multiply(lambda_.data(), u_.data());
  double poison = 0.0;
  for (int i = 0; i < n; ++i) {
    u_[i] += problem.g[i];
    poison += u_[i] * 0.0;
  }
  if (!(poison == 0.0)) return false;
  classify(boundary_threshold);
  S_.resize(unknowns_ * unknowns_), y_.resize(unknowns_);
  if (problem.G.storage == Delassus::Storage::dense)
    reduce_dense();
  else
    reduce_by_columns();
  const bool symmetric = problem.G.symmetric && (problem.law.kind == FrictionLaw::convex || !slides_);
  return factor_.factor(S_.data(), unknowns_, symmetric);
}

void ContactDerivatives::classify(double threshold) {
  slides_ = false;
  const double largest = largest_velocity(*problem_, u_.data());
  for (int i = 0; i < static_cast<int>(problem_->blocks.size()); ++i) {
    BlockTangent t = classify_block(*problem_, i, lambda_.data(), u_.data(), threshold, largest);
    t.column = unknowns_;
    unknowns_ += t.width;
    slides_ = slides_ || (t.mode == BlockMode::slide && t.width > 1);
    blocks_.push_back(t);
  }
}

// One row of A B, A's row being that of G plus R on the diagonal.
void ContactDerivatives::reduce_row(const double* G, int row, double* out) const {
  for (const BlockTangent& t : blocks_) {
    const double* a = G + t.row;
    double* o = out + t.column;
    if (t.mode == BlockMode::slide)
      gather_slide(t, t.b0, a, o);
    else
      for (int k = 0; k < t.width; ++k) o[k] = a[k];
    const int k = row - t.row;
    if (!problem_->compliant() || k < 0 || k >= (t.mode == BlockMode::slide ? t.size : t.width)) continue;
    const double R = problem_->compliance[row];
    if (t.mode != BlockMode::slide) {
      o[k] += R;
    } else {
      o[0] += R * t.b0[k];
      for (int j = 1; j < t.width && k + 1 < t.size; ++j) o[j] += R * t.across[j - 1][k];
    }
  }
}

void ContactDerivatives::reduce_dense() {
  const int n = problem_->rows(), m = unknowns_;
  rows_.resize(kMostPatchRows * m);
  for (const BlockTangent& t : blocks_) {
    double* S = S_.data() + static_cast<std::ptrdiff_t>(t.column) * m;
    const double* G = problem_->G.dense.data() + static_cast<std::ptrdiff_t>(t.row) * n;
    if (t.mode != BlockMode::slide) {
      for (int k = 0; k < t.width; ++k) reduce_row(G + k * n, t.row + k, S + k * m);
      continue;
    }
    if (t.width == 1) {  // no friction: only the normal row
      reduce_row(G + (t.size - 1) * n, t.row + t.size - 1, S);
      continue;
    }
    double* r = rows_.data();
    for (int k = 0; k < t.size; ++k) reduce_row(G + k * n, t.row + k, r + k * m);
    for (int j = 0; j < m; ++j) {
      double column[kMostPatchRows] = {}, out[kMostPatchRows];
      for (int k = 0; k < t.size; ++k) column[k] = r[k * m + j];
      gather_slide(t, t.c0, column, out);
      for (int i = 0; i < t.width; ++i) S[i * m + j] = out[i];
    }
    for (int i = 1; i < t.width; ++i) S[i * m + t.column + i] += t.creep;
  }
}

void ContactDerivatives::reduce_by_columns() {
  const int m = unknowns_;
  rows_.resize(m);
  for (int j = 0; j < m; ++j) {
    std::fill(y_.data(), y_.data() + m, 0.0);
    y_[j] = 1.0;
    expand(Side::columns, y_.data(), x_.data());
    multiply(x_.data(), z_.data());
    gather(Side::rows, z_.data(), rows_.data());
    for (int i = 0; i < m; ++i) S_[i * m + j] = rows_[i];
  }
  for (const BlockTangent& t : blocks_)
    for (int j = 1; t.mode == BlockMode::slide && j < t.width; ++j) S_[(t.column + j) * (m + 1)] += t.creep;
}

void ContactDerivatives::multiply(const double* x, double* y) { problem_->multiply(x, y, scratch_); }

void ContactDerivatives::multiply_transposed(const double* x, double* y) {
  problem_->G.multiply_transposed(x, y, scratch_);
  for (int i = 0; i < problem_->compliance.size(); ++i) y[i] += problem_->compliance[i] * x[i];
}

// x = B y, or C y.
void ContactDerivatives::expand(Side side, const double* y, double* x) const {
  std::fill(x, x + problem_->rows(), 0.0);
  for (const BlockTangent& t : blocks_) {
    if (t.mode == BlockMode::slide)
      expand_slide(t, side == Side::columns ? t.b0 : t.c0, y + t.column, x + t.row);
    else
      std::copy(y + t.column, y + t.column + t.width, x + t.row);
  }
}

// y = Bᵀ x, or Cᵀ x.
void ContactDerivatives::gather(Side side, const double* x, double* y) const {
  for (const BlockTangent& t : blocks_) {
    if (t.mode == BlockMode::slide)
      gather_slide(t, side == Side::columns ? t.b0 : t.c0, x + t.row, y + t.column);
    else
      std::copy(x + t.row, x + t.row + t.width, y + t.column);
  }
}

double ContactDerivatives::newton_step(VecOut lambda) {
  const int n = problem_->rows();
  for (int i = 0; i < n; ++i) z_[i] = lambda[i];
  for (std::size_t b = 0; b < blocks_.size(); ++b) {  // what (1) asks of λ itself: z
    const BlockTangent& t = blocks_[b];
    const Block& block = problem_->blocks[b];
    if (t.mode == BlockMode::open) {
      for (int k = 0; k < t.size; ++k) z_[t.row + k] = 0.0;
    } else if (t.mode == BlockMode::bound) {
      z_[t.row] = z_[t.row] < 0.5 * (block.lo + block.hi) ? block.lo : block.hi;
    } else if (t.mode == BlockMode::slide) {
      const double along = inner(t.b0, z_.data() + t.row, t.size);
      for (int k = 0; k < t.size; ++k) z_[t.row + k] = along * t.b0[k];
    }
  }
  multiply(z_.data(), x_.data());
  for (int i = 0; i < n; ++i) x_[i] = -(x_[i] + problem_->g[i]);
  gather(Side::rows, x_.data(), y_.data());
  factor_.solve(y_.data());
  expand(Side::columns, y_.data(), x_.data());
  double change = 0.0, size = 1e-300;
  for (int i = 0; i < n; ++i) {
    const double after = z_[i] + x_[i];
    change = std::max(change, std::abs(after - lambda[i])), size = std::max(size, std::abs(after));
    lambda[i] = after;
  }
  return change / size;
}

void ContactDerivatives::jvp(const ContactTangent& in, double* dlambda, double* du) {
  const int n = problem_->rows();
  for (int i = 0; i < n; ++i) {
    double w = in.g ? in.g[i] : 0.0;
    if (in.R) w += in.R[i] * lambda_[i];
    if (in.G) {
      const double* row = in.G + static_cast<std::ptrdiff_t>(i) * n;
      for (int j = 0; j < n; ++j) w += row[j] * lambda_[j];
    }
    w_[i] = w;
  }
  std::fill(z_.data(), z_.data() + n, 0.0);  // m dμ
  bool moved = false;
  for (std::size_t i = 0; in.mu && i < blocks_.size(); ++i) {
    const BlockTangent& t = blocks_[i];
    if (t.mode != BlockMode::slide || in.mu[i] == 0.0) continue;
    for (int k = 0; k < t.size; ++k) z_[t.row + k] = t.m[k] * in.mu[i];
    moved = true;
  }
  if (moved)
    multiply(z_.data(), x_.data());
  else
    std::fill(x_.data(), x_.data() + n, 0.0);
  for (int i = 0; i < n; ++i) x_[i] = -(x_[i] + w_[i]);
  gather(Side::rows, x_.data(), y_.data());
  for (std::size_t i = 0; moved && i < blocks_.size(); ++i)
    if (blocks_[i].mode == BlockMode::slide) y_[blocks_[i].column] += blocks_[i].rate_mu * in.mu[i];
  factor_.solve(y_.data());
  expand(Side::columns, y_.data(), dlambda);
  for (int i = 0; i < n; ++i) dlambda[i] += z_[i];
  if (!du) return;
  multiply(dlambda, du);
  for (int i = 0; i < n; ++i) du[i] += w_[i];
}

void ContactDerivatives::vjp(const double* lambda_bar, const double* u_bar, const ContactCotangent& out) {
  const int n = problem_->rows();
  if (u_bar)
    multiply_transposed(u_bar, z_.data());
  else
    std::fill(z_.data(), z_.data() + n, 0.0);
  for (int i = 0; lambda_bar && i < n; ++i) z_[i] += lambda_bar[i];  // λ̄ + Aᵀū
  gather(Side::columns, z_.data(), y_.data());
  factor_.solve_transposed(y_.data());
  expand(Side::rows, y_.data(), x_.data());  // C a
  for (int i = 0; i < n; ++i) {
    const double w = (u_bar ? u_bar[i] : 0.0) - x_[i];
    if (out.g) out.g[i] = w;
    if (out.R) out.R[i] = w * lambda_[i];
  }
  if (!out.mu) return;
  multiply_transposed(x_.data(), w_.data());
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const BlockTangent& t = blocks_[i];
    out.mu[i] = 0.0;
    if (t.mode != BlockMode::slide) continue;
    for (int k = 0; k < t.size; ++k) out.mu[i] += t.m[k] * (z_[t.row + k] - w_[t.row + k]);
    out.mu[i] += t.rate_mu * y_[t.column];
  }
}

bool ContactDerivatives::velocity_unique() {
  constexpr double kSeen = 1e-6;  // directions of slip are known to about that
  const int n = problem_->rows();
  if (!hyperstatic() || problem_->law.kind == FrictionLaw::convex || !slides_) return true;
  for (int j = 0; j < unknowns_; ++j) {
    std::fill(y_.data(), y_.data() + unknowns_, 0.0);
    y_[j] = 1.0;
    expand(Side::columns, y_.data(), x_.data());
    multiply(x_.data(), z_.data());
    const double size = z_.vec().norm();
    factor_.project_null(y_.data());
    expand(Side::columns, y_.data(), x_.data());
    multiply(x_.data(), z_.data());
    if (!(z_.vec().head(n).norm() <= kSeen * size)) return false;
  }
  return true;
}

bool ContactDerivatives::boundary() const {
  return std::any_of(blocks_.begin(), blocks_.end(), [](const BlockTangent& t) { return t.boundary; });
}

}  // namespace stiction
