// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/dot.h>
#include <stiction/base/growing.h>
#include <stiction/solver/interior/nipm_system.h>
#include <stiction/solver/linalg/dense_factor.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr int kSparseRows = 120;  // fewer rows: dense is faster
constexpr int kBodyRows = 300;    // more rows: body space is faster, even if the velocities are more still

}  // namespace

void NipmSystem::load(const ContactProblem& p, const double* scale, double mean) {
  const int n = p.rows();
  scale_ = scale, mean_ = mean;
  residual_.resize(n), wide_.resize(n);
  form_ = Form::dense;
  if (p.G.storage == Delassus::Storage::body_space && (n > p.G.body.velocities || n > kBodyRows)) form_ = Form::body;
  if (p.G.storage == Delassus::Storage::block_sparse && n > kSparseRows) form_ = Form::sparse;
  if (form_ == Form::sparse) return graph_.load(p.G);
  if (form_ == Form::body) {
    P_.resize(p.G.diagonal_start.back()), weight_.resize(p.G.diagonal_start.back());
    velocity_.resize(p.G.body.velocities);
    return body_.prepare(p, p.G.body);
  }
  p.G.densify(W_, unit_, scratch_);
  J_.resize(W_.size()), pivot_.resize(n);
  for (int r = 0; r < n; ++r) {
    double* row = W_.data() + r * n;
    row[r] += p.R(r);
    for (int c = 0; c < n; ++c) row[c] *= scale[r] * scale[c] / mean;
  }
}

void NipmSystem::multiply(const ContactProblem& p, const double* x, double* y) {
  const int n = p.rows();
  if (form_ != Form::dense) {
    for (int r = 0; r < n; ++r) wide_[r] = scale_[r] * x[r];
    p.G.multiply(wide_.data(), y, scratch_);
    for (int r = 0; r < n; ++r) y[r] = (y[r] + p.R(r) * wide_[r]) * (scale_[r] / mean_);
    return;
  }
  for (int r = 0; r < n; ++r) y[r] = dot(W_.data() + r * n, x, n);
}

void NipmSystem::multiply_blocks(const ContactProblem& p, const double* blocks, const double* x, double* y) const {
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    const double* B = blocks + p.G.diagonal_start[i];
    for (int r = 0; r < b.size; ++r)
      for (int c = 0; c < b.size; ++c) y[b.row + r] += B[r * b.size + c] * x[b.row + c];
  }
}

bool NipmSystem::factor(const ContactProblem& p, const double* B, const std::vector<char>& fixed) {
  B_ = B, fixed_ = &fixed;
  return form_ == Form::dense ? factor_dense(p) : (form_ == Form::sparse ? factor_sparse(p) : factor_body(p));
}

bool NipmSystem::factor_dense(const ContactProblem& p) {
  const int n = p.rows();
  std::copy_n(W_.begin(), n * n, J_.begin());
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    for (int r = 0; r < b.size; ++r)
      for (int c = 0; c < b.size; ++c) J_[(b.row + r) * n + (b.row + c)] += B_[p.G.diagonal_start[i] + r * b.size + c];
  }
  for (int r = 0; r < n; ++r)
    if ((*fixed_)[r]) {
      std::fill_n(J_.begin() + static_cast<std::ptrdiff_t>(r * n), n, 0.0);
      J_[r * n + r] = 1.0;
    }
  return factor_lu(J_.data(), n, pivot_.data());
}

bool NipmSystem::factor_sparse(const ContactProblem& p) {
  const Delassus& G = p.G;
  graph_.set_identity();
  for (int i = 0; i < G.blocks(); ++i)
    for (int e = G.row_start[i]; e < G.row_start[i + 1]; ++e) {
      const int j = G.column[e];
      const Block &bi = p.blocks[i], &bj = p.blocks[j];
      const double *v = G.values.data() + G.value_start[e], *B = B_ + G.diagonal_start[i];
      const bool lower = graph_.lower(i, j);
      double* out = graph_.block(i, j, e);
      for (int r = 0; r < bi.size; ++r)
        for (int c = 0; c < bj.size; ++c) {
          const int row = bi.row + r, col = bj.row + c;
          double x = (v[r * bj.size + c] + (row == col ? p.R(row) : 0.0)) * (scale_[row] * scale_[col] / mean_);
          if (i == j) x += B[r * bi.size + c];
          if ((*fixed_)[row]) x = row == col ? 1.0 : 0.0;
          out[lower ? c * bi.size + r : r * bj.size + c] = x;
        }
    }
  return graph_.factor();
}

bool NipmSystem::factor_body(const ContactProblem& p) {
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    const int first = p.G.diagonal_start[i], k = b.size;
    grow(small_, k * k);
    grow(column_, k);
    grow(pivot_, k);
    const auto fixed = [&](int r) { return (*fixed_)[b.row + r] != 0; };
    for (int r = 0; r < k; ++r)
      for (int c = 0; c < k; ++c) {
        const double d = scale_[b.row + r];
        const double x = B_[first + r * k + c] + (r == c ? p.R(b.row + r) * (d * d / mean_) : 0.0);
        small_[r * k + c] = fixed(r) || fixed(c) ? (r == c ? 1.0 : 0.0) : x;
      }
    if (!factor_lu(small_.data(), k, pivot_.data())) return false;
    for (int c = 0; c < k; ++c) {
      std::fill_n(column_.data(), k, 0.0);
      column_[c] = 1.0;
      solve_lu(small_.data(), k, pivot_.data(), column_.data());
      for (int r = 0; r < k; ++r) {
        const double x = fixed(r) || fixed(c) ? 0.0 : column_[r];
        P_[first + r * k + c] = x;
        weight_[first + r * k + c] = x * (scale_[b.row + r] * scale_[b.row + c] / mean_);
      }
    }
  }
  return body_.factor(p, p.G.body, weight_.data(), false);
}

void NipmSystem::solve_once(const ContactProblem& p, double* x) {
  const int n = p.rows();
  if (form_ == Form::dense) return solve_lu(J_.data(), n, pivot_.data(), x);
  if (form_ == Form::sparse) return graph_.solve(x);
  const double root = 1.0 / std::sqrt(mean_);
  std::fill_n(wide_.data(), n, 0.0);
  multiply_blocks(p, P_.data(), x, wide_.data());
  for (int r = 0; r < n; ++r) wide_[r] *= scale_[r] * root;
  std::fill_n(velocity_.data(), velocity_.size(), 0.0);
  for (int i = 0; i < p.G.blocks(); ++i) p.G.add_transposed(i, wide_.data() + p.G.start[i], velocity_.data());
  body_.solve(velocity_.data());
  for (int i = 0; i < p.G.blocks(); ++i) p.G.multiply_velocity(i, velocity_.data(), wide_.data() + p.G.start[i]);
  for (int r = 0; r < n; ++r) wide_[r] = x[r] - scale_[r] * root * wide_[r];
  std::fill_n(x, n, 0.0);
  multiply_blocks(p, P_.data(), wide_.data(), x);
}

void NipmSystem::solve(const ContactProblem& p, const double* rhs, double* x) {
  const int n = p.rows();
  const auto free = [&](int r) { return (*fixed_)[r] == 0; };
  for (int r = 0; r < n; ++r) x[r] = free(r) ? rhs[r] : 0.0;
  solve_once(p, x);
  double* d = residual_.data();
  for (int pass = form_ == Form::dense ? 1 : 0; pass < 2; ++pass) {
    multiply(p, x, d);
    multiply_blocks(p, B_, x, d);
    for (int r = 0; r < n; ++r) d[r] = free(r) ? rhs[r] - d[r] : 0.0;
    solve_once(p, d);
    for (int r = 0; r < n; ++r) x[r] += d[r];
  }
}

}  // namespace stiction
