// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/dot.h>
#include <stiction/solver/core/finite.h>
#include <stiction/solver/linalg/dense_factor.h>
#include <stiction/solver/newton/newton_system.h>

#include <algorithm>

namespace stiction {

namespace {

constexpr int kSparseRows = 120;  // fewer rows: dense is faster

// True for rows whose unknown is fixed by its own block: d = −F.
bool decided(const ContactSlope& s, int k) {
  return s.mode == Branch::open || (s.mode == Branch::slip && s.mu == 0.0 && k < 2);
}

}  // namespace

void NewtonSystem::load(const ContactProblem& problem) {
  problem_ = &problem;
  rows_ = problem.rows();
  factorisations_ = 0;
  scale_ = mean_diagonal(problem);
  for (GrowingVec* v : {&rhs_, &pull_, &image_}) v->resize(rows_);
  const Delassus& G = problem.G;
  sparse_ = G.storage == Delassus::Storage::block_sparse && rows_ > kSparseRows;
  if (sparse_) return graph_.load(G);
  const std::size_t n = rows_;
  G.densify(W_, pull_, scratch_);
  J_.resize(n * n);
  if (problem.compliant())
    for (int i = 0; i < rows_; ++i) W_[i * n + i] += problem.R(i);
}

void NewtonSystem::multiply(const double* x, double* y) const {
  if (sparse_) {
    for (int i = 0; i < problem_->G.blocks(); ++i) problem_->G.multiply_block_row(i, x, y + problem_->G.start[i]);
    if (problem_->compliant())
      for (int i = 0; i < rows_; ++i) y[i] += problem_->R(i) * x[i];
    return;
  }
  for (int i = 0; i < rows_; ++i) y[i] = dot(W_.data() + i * rows_, x, rows_);
}

void NewtonSystem::multiply_block(const Block& block, int i, const double* x, double* y) const {
  if (sparse_) {
    problem_->G.multiply_block_row(i, x, y);
    for (int k = 0; k < block.size; ++k) y[k] += problem_->R(block.row + k) * x[block.row + k];
    return;
  }
  for (int k = 0; k < block.size; ++k) y[k] = dot(W_.data() + (block.row + k) * rows_, x, rows_);
}

bool NewtonSystem::solve(const ContactProblem& problem, const std::vector<ContactSlope>& slopes, const double* rho,
                         double alpha, const double* F, double* d) {
  double damping = alpha;
  for (int attempt = 0; attempt < 4; ++attempt) {
    ++factorisations_;
    const bool ok =
        sparse_ ? solve_sparse(problem, slopes, rho, damping, F, d) : solve_dense(problem, slopes, rho, damping, F, d);
    if (ok && all_finite(d, rows_)) return true;
    damping = std::max(100.0 * damping, 1e-10 * scale_);
  }
  return false;
}

// Rows of one block of J over the active columns, appended to J_ in the order of active_.
void NewtonSystem::write_row_block(const Block& block, const ContactSlope& slope, const double* rho, double alpha) {
  const int m = static_cast<int>(active_.size());
  const std::size_t n = rows_;
  const auto row_of = [&](int r) {  // place of row r among the active ones; blocks are in row order
    return static_cast<int>(std::lower_bound(active_.begin(), active_.end(), r) - active_.begin());
  };
  if (slope.mode != Branch::slip || slope.mu == 0.0) {
    for (int k = 0; k < block.size; ++k) {
      if (decided(slope, k)) continue;
      const int r = block.row + k, place = row_of(r);
      double* out = J_.data() + place * m;
      const double* w = W_.data() + r * n;
      for (int c = 0; c < m; ++c) out[c] = w[active_[c]];
      out[place] += alpha;
    }
    return;
  }
  const int place = row_of(block.row);
  double *o0 = J_.data() + place * m, *o1 = o0 + m, *o2 = o1 + m;
  const double *w0 = W_.data() + block.row * n, *w1 = w0 + n, *w2 = w1 + n;
  const double normal = slope.mu * rho[block.row + 2] / rho[block.row], q = slope.ratio, d1 = slope.d1, d2 = slope.d2;
  const double a00 = q * (1.0 - d1 * d1), a01 = -q * d1 * d2, a11 = q * (1.0 - d2 * d2);
  for (int c = 0; c < m; ++c) {
    const int col = active_[c];
    o0[c] = a00 * w0[col] + a01 * w1[col] + normal * d1 * w2[col];
    o1[c] = a01 * w0[col] + a11 * w1[col] + normal * d2 * w2[col];
    o2[c] = w2[col];
  }
  const double inverse = 1.0 / rho[block.row];  // (I − D)/ρ, and α on the diagonal of W
  o0[place] += a00 * alpha + (1.0 - a00) * inverse;
  o0[place + 1] += a01 * alpha - a01 * inverse;
  o0[place + 2] += normal * d1 * alpha - slope.mu * d1 * inverse;
  o1[place] += a01 * alpha - a01 * inverse;
  o1[place + 1] += a11 * alpha + (1.0 - a11) * inverse;
  o1[place + 2] += normal * d2 * alpha - slope.mu * d2 * inverse;
  o2[place + 2] += alpha;
}

bool NewtonSystem::solve_dense(const ContactProblem& problem, const std::vector<ContactSlope>& slopes,
                               const double* rho, double alpha, const double* F, double* d) {
  active_.clear();
  bool symmetric = problem.G.symmetric, decided_moves = false;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& b = problem.blocks[i];
    symmetric = symmetric && slopes[i].symmetric();
    for (int k = 0; k < b.size; ++k) {
      const int r = b.row + k;
      const bool fixed = decided(slopes[i], k);
      pull_[r] = fixed ? -F[r] : 0.0;
      decided_moves = decided_moves || pull_[r] != 0.0;
      if (!fixed) active_.push_back(r);
    }
  }
  const int m = static_cast<int>(active_.size());
  std::fill(image_.data(), image_.data() + rows_, 0.0);
  if (decided_moves) multiply(pull_.data(), image_.data());  // what the decided rows do to the others
  int next = 0;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& b = problem.blocks[i];
    if (slopes[i].mode == Branch::open) continue;
    write_row_block(b, slopes[i], rho, alpha);
    const int r = b.row;
    if (slopes[i].mode == Branch::slip && slopes[i].mu > 0.0) {
      const double x[3] = {rho[r] * image_[r], rho[r + 1] * image_[r + 1], rho[r + 2] * image_[r + 2]};
      double y[3];
      slopes[i].apply_slip(x, y);
      for (int k = 0; k < 3; ++k) rhs_[next++] = (-F[r + k] - y[k]) / rho[r + k];
    } else {
      for (int k = 0; k < b.size; ++k)
        if (!decided(slopes[i], k)) rhs_[next++] = -F[r + k] / rho[r + k] - image_[r + k];
    }
  }
  pivot_.resize(m);
  const bool ok = symmetric ? factor_cholesky(J_.data(), m) : factor_lu(J_.data(), m, pivot_.data());
  if (!ok) return false;
  if (symmetric)
    solve_cholesky(J_.data(), m, rhs_.data());
  else
    solve_lu(J_.data(), m, pivot_.data(), rhs_.data());
  std::copy(pull_.data(), pull_.data() + rows_, d);
  for (int c = 0; c < m; ++c) d[active_[c]] = rhs_[c];
  return true;
}

void NewtonSystem::write_sparse_block(const ContactProblem& problem, int i, int entry, const ContactSlope& slope,
                                      const double* rho, double alpha) {
  const Delassus& G = problem.G;
  const int j = G.column[entry];
  const Block &bi = problem.blocks[i], &bj = problem.blocks[j];
  const double* v = G.values.data() + G.value_start[entry];
  const bool diagonal = i == j, lower = graph_.lower(i, j);
  double* out = graph_.block(i, j, entry);
  const auto put = [&](int r, int c, double x) { out[lower ? c * bi.size + r : r * bj.size + c] = x; };
  for (int c = 0; c < bj.size; ++c) {
    double w[3] = {0.0, 0.0, 0.0}, unit[3] = {0.0, 0.0, 0.0}, y[3], z[3];
    const auto entry_of = [&](int r) {
      return v[r * bj.size + c] + (diagonal && r == c ? alpha + problem.R(bi.row + r) : 0.0);
    };
    if (slope.mode != Branch::slip) {
      for (int r = 0; r < bi.size; ++r) put(r, c, entry_of(r));
      continue;
    }
    for (int r = 0; r < 3; ++r) w[r] = rho[bi.row + r] * entry_of(r);
    slope.apply_slip(w, y);
    if (diagonal) {
      unit[c] = 1.0;
      slope.apply_slip(unit, z);
      for (int r = 0; r < 3; ++r) y[r] += unit[r] - z[r];
    }
    for (int r = 0; r < 3; ++r) put(r, c, y[r] / rho[bi.row + r]);
  }
}

bool NewtonSystem::solve_sparse(const ContactProblem& problem, const std::vector<ContactSlope>& slopes,
                                const double* rho, double alpha, const double* F, double* d) {
  const Delassus& G = problem.G;
  graph_.set_identity();
  for (int i = 0; i < G.blocks(); ++i) {
    const Block& b = problem.blocks[i];
    const bool open = slopes[i].mode == Branch::open;
    for (int k = b.row; k < b.row + b.size; ++k) d[k] = open ? -F[k] : -F[k] / rho[k];
    if (open) continue;
    for (int e = G.row_start[i]; e < G.row_start[i + 1]; ++e) write_sparse_block(problem, i, e, slopes[i], rho, alpha);
  }
  if (!graph_.factor()) return false;
  graph_.solve(d);
  return true;
}

}  // namespace stiction
