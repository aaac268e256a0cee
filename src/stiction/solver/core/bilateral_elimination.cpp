// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/bilateral_elimination.h>
#include <stiction/solver/core/progress.h>
#include <stiction/solver/linalg/dense_factor.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stiction {
namespace {

constexpr double kDependent =
    1e-12;  // a pivot below this share of the largest diagonal entry: the row depends on others

}  // namespace

bool BilateralElimination::needed(const ContactProblem& p) {
  return std::any_of(p.blocks.begin(), p.blocks.end(), [](const Block& b) { return b.kind == BlockKind::bilateral; });
}

bool BilateralElimination::load(const ContactProblem& p) {
  list_rows(p);
  rows_ = p.rows();
  p.G.densify(all_, unit_, product_);
  if (!factor(p)) return false;
  form_complement(p);
  return true;
}

void BilateralElimination::list_rows(const ContactProblem& p) {
  kept_.clear(), held_.clear();
  reduced_.blocks.clear();
  reduced_.G.start.clear();
  reduced_.G.start.push_back(0);
  for (const Block& b : p.blocks) {
    std::vector<int>& rows = b.kind == BlockKind::bilateral ? held_ : kept_;
    if (b.kind != BlockKind::bilateral) {
      Block copy = b;
      copy.row = reduced_.G.start.back();
      reduced_.blocks.push_back(copy);
      reduced_.G.start.push_back(copy.row + copy.size);
    }
    for (int r = 0; r < b.size; ++r) rows.push_back(b.row + r);
  }
  reduced_.law = p.law, reduced_.dt = p.dt;
  reduced_.compliance.resize(p.compliant() ? static_cast<int>(kept_.size()) : 0);
  for (int k = 0; k < reduced_.compliance.size(); ++k) reduced_.compliance[k] = p.compliance[kept_[k]];
}

bool BilateralElimination::factor(const ContactProblem& p) {
  const int n = static_cast<int>(held_.size());
  factor_.resize(n * n), order_.resize(n);
  permuted_.resize(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) factor_[i * n + j] = entry(held_[i], held_[j]);
  for (int i = 0; i < n; ++i) factor_[i * (n + 1)] += p.R(held_[i]);
  rank_ = n;
  if (!p.G.symmetric) return factor_lu(factor_.data(), n, order_.data());
  factor_pivoted();
  return true;
}

namespace {

// Rows and columns k < l of a lower triangle.
void exchange(double* a, std::size_t n, std::size_t k, std::size_t l) {
  std::swap_ranges(a + k * n, a + k * n + k, a + l * n);
  std::swap(a[k * (n + 1)], a[l * (n + 1)]);
  for (std::size_t i = k + 1; i < l; ++i) std::swap(a[i * n + k], a[l * n + i]);
  for (std::size_t i = l + 1; i < n; ++i) std::swap(a[i * n + k], a[i * n + l]);
}

// to −= factor · from.
void subtract(double factor, const double* from, double* to, std::size_t n) {
  if (factor == 0.0) return;  // joints that share no body
  for (std::size_t i = 0; i < n; ++i) to[i] -= factor * from[i];
}

// x (n × columns, row-major) ← G_B⁻¹ x with the factor of rank r: all right-hand sides side by side, each with the bits of
// solve_bilateral. y: scratch of the same size.
void solve_columns(const double* l, std::size_t n, std::size_t rank, const int* order, std::size_t columns, double* x,
                   double* y) {
  const auto row = [columns](double* of, std::size_t i) { return of + i * columns; };
  const auto divide = [&](std::size_t i) {
    for (std::size_t c = 0; c < columns; ++c) row(y, i)[c] /= l[i * (n + 1)];
  };
  for (std::size_t i = 0; i < rank; ++i) {
    std::copy_n(row(x, order[i]), columns, row(y, i));
    for (std::size_t j = 0; j < i; ++j) subtract(l[i * n + j], row(y, j), row(y, i), columns);
    divide(i);
  }
  for (std::size_t i = rank; i-- > 0;) {
    for (std::size_t j = i + 1; j < rank; ++j) subtract(l[j * n + i], row(y, j), row(y, i), columns);
    divide(i);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (i < rank)
      std::copy_n(row(y, i), columns, row(x, order[i]));
    else
      std::fill_n(row(x, order[i]), columns, 0.0);
  }
}

}  // namespace

// P G_B Pᵀ = L Lᵀ by outer products, the largest remaining diagonal entry first; ends where what is left is round-off. Only the
// lower triangle is used.
void BilateralElimination::factor_pivoted() {
  const std::size_t n = held_.size();
  double *a = factor_.data(), *column = permuted_.data();
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) order_[i] = static_cast<int>(i), largest = std::max(largest, a[i * (n + 1)]);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (a[i * (n + 1)] > a[best * (n + 1)]) best = i;
    if (!(a[best * (n + 1)] > kDependent * largest)) {
      rank_ = static_cast<int>(k);
      return;
    }
    if (best != k) exchange(a, n, k, best), std::swap(order_[k], order_[best]);
    const double d = std::sqrt(a[k * (n + 1)]);
    a[k * (n + 1)] = d;
    for (std::size_t i = k + 1; i < n; ++i) column[i] = a[i * n + k] /= d;
    for (std::size_t i = k + 1; i < n; ++i) subtract(column[i], column + k + 1, a + i * n + k + 1, i - k);
  }
}

void BilateralElimination::solve_bilateral(double* x) {
  const int n = static_cast<int>(held_.size());
  if (!reduced_.G.symmetric) return solve_lu(factor_.data(), n, order_.data(), x);
  double* y = permuted_.data();
  for (int i = 0; i < rank_; ++i) {
    y[i] = x[order_[i]];
    for (int j = 0; j < i; ++j) y[i] -= factor_[i * n + j] * y[j];
    y[i] /= factor_[i * (n + 1)];
  }
  for (int i = rank_ - 1; i >= 0; --i) {
    for (int j = i + 1; j < rank_; ++j) y[i] -= factor_[j * n + i] * y[j];
    y[i] /= factor_[i * (n + 1)];
  }
  for (int i = 0; i < n; ++i) x[order_[i]] = i < rank_ ? y[i] : 0.0;
}

// (2).
void BilateralElimination::form_complement(const ContactProblem& p) {
  const std::size_t kept = kept_.size(), held = held_.size();
  reduced_.G.storage = Delassus::Storage::dense;
  reduced_.G.symmetric = p.G.symmetric;
  const std::size_t columns = kept + 1;
  right_.resize(columns * held);
  for (std::size_t i = 0; i < held; ++i) {
    for (std::size_t k = 0; k < kept; ++k) right_[i * columns + k] = entry(held_[i], kept_[k]);
    right_[i * columns + kept] = p.g[held_[i]];
  }
  column_.resize(static_cast<int>(std::max(held * columns, held)));
  if (p.G.symmetric) {
    solve_columns(factor_.data(), held, rank_, order_.data(), columns, right_.data(), column_.data());
  } else {
    for (std::size_t k = 0; k < columns; ++k) {
      for (std::size_t i = 0; i < held; ++i) column_[static_cast<int>(i)] = right_[i * columns + k];
      solve_bilateral(column_.data());
      for (std::size_t i = 0; i < held; ++i) right_[i * columns + k] = column_[static_cast<int>(i)];
    }
  }
  reduced_.G.dense.resize(kept * kept);
  reduced_.g.resize(static_cast<int>(kept));
  for (std::size_t i = 0; i < kept; ++i) {
    double* row = column_.data();
    for (std::size_t k = 0; k < kept; ++k) row[k] = entry(kept_[i], kept_[k]);
    row[kept] = p.g[kept_[i]];
    for (std::size_t h = 0; h < held; ++h)
      subtract(entry(kept_[i], held_[h]), right_.data() + h * columns, row, columns);
    std::copy_n(row, kept, reduced_.G.dense.data() + i * kept);
    reduced_.g[static_cast<int>(i)] = row[kept];
  }
  if (p.G.symmetric)
    for (std::size_t i = 0; i < kept; ++i)
      for (std::size_t k = 0; k < i; ++k) {
        double &a = reduced_.G.dense[i * kept + k], &b = reduced_.G.dense[k * kept + i];
        a = b = 0.5 * (a + b);
      }
  for (std::size_t i = 0; i < kept; ++i) {  // round-off on rows that the bilateral ones hold fast
    double& d = reduced_.G.dense[i * (kept + 1)];
    d = d < 0.0 ? 0.0 : d;
  }
  reduced_.G.refresh_diagonal();
  diagonal_.clear();
  for (const Block& b : reduced_.blocks)
    for (int r = 0; r < b.size; ++r)
      for (int c = 0; c < b.size; ++c) diagonal_.push_back(entry(kept_[b.row + r], kept_[b.row + c]));
}

void BilateralElimination::restrict_to_reduced(const VecRef& lambda, VecOut reduced) const {
  for (std::size_t k = 0; k < kept_.size(); ++k) reduced[static_cast<Eigen::Index>(k)] = lambda[kept_[k]];
}

void BilateralElimination::expand(const ContactProblem& p, const VecRef& reduced, VecOut lambda) {
  for (std::size_t k = 0; k < kept_.size(); ++k) lambda[kept_[k]] = reduced[static_cast<Eigen::Index>(k)];
  column_.resize(static_cast<int>(held_.size()));
  for (std::size_t h = 0; h < held_.size(); ++h) {
    double s = p.g[held_[h]];
    for (std::size_t k = 0; k < kept_.size(); ++k)
      s += entry(held_[h], kept_[k]) * reduced[static_cast<Eigen::Index>(k)];
    column_[static_cast<int>(h)] = -s;
  }
  solve_bilateral(column_.data());
  for (std::size_t h = 0; h < held_.size(); ++h) lambda[held_[h]] = column_[static_cast<int>(h)];
}

EliminatingSolver::EliminatingSolver(std::unique_ptr<Solver> inner, const CommonOptions& options)
    : inner_(std::move(inner)), options_(options) {}

Report EliminatingSolver::solve(const ContactProblem& p, VecOut lambda) {
  if (!BilateralElimination::needed(p)) return inner_->solve(p, lambda);
  if (!all_finite(lambda.data(), p.rows())) lambda.setZero();
  const bool ready = data_finite(p) && elimination_.load(p);
  Report report;
  reduced_.resize(elimination_.reduced().rows());
  if (ready) {
    elimination_.restrict_to_reduced(lambda, reduced_.vec());
    report = inner_->solve(elimination_.reduced(), reduced_.vec());
    if (report.status == Status::invalid_problem) return report;
    elimination_.expand(p, reduced_.vec(), lambda);
  } else {
    report.status = data_finite(p) ? Status::numerical_failure : Status::invalid_problem;
  }
  if (!ready || !all_finite(lambda.data(), p.rows())) lambda.setZero();
  judge_into(p, lambda, options_.judge_tolerance(), work_, report);
  return report;
}

}  // namespace stiction
