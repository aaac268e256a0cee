// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/dot.h>
#include <stiction/solver/linalg/pivoted_cholesky.h>
#include <stiction/solver/linalg/whitened_rows.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

void multiply_rows(const BodySpace& body, const std::vector<int>& start, const double* w, double* u) {
  for (std::size_t i = 0; i + 1 < body.term_start.size(); ++i) {
    const int size = start[i + 1] - start[i];
    double* ui = u + start[i];
    std::fill_n(ui, size, 0.0);
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t) {
      const BodySpace::Term& term = body.terms[t];
      const int *column = body.column.data() + term.columns, width = term.width;
      const double* h = body.values.data() + term.offset;
      if (body.contiguous(term))
        for (int k = 0; k < size; ++k, h += width)
          ui[k] += width == 6 ? dot_six(h, w + column[0]) : dot(h, w + column[0], width);
      else
        for (int k = 0; k < size; ++k, h += width)
          for (int c = 0; c < width; ++c) ui[k] += h[c] * w[column[c]];
    }
  }
}

void multiply_rows_transposed(const BodySpace& body, const std::vector<int>& start, const double* lambda, double* w) {
  std::fill_n(w, body.velocities, 0.0);
  for (std::size_t i = 0; i + 1 < body.term_start.size(); ++i) {
    const int size = start[i + 1] - start[i];
    const double* x = lambda + start[i];
    if (std::all_of(x, x + size, [](double value) { return value == 0.0; })) continue;
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t) {
      const BodySpace::Term& term = body.terms[t];
      const int *column = body.column.data() + term.columns, width = term.width;
      const double* h = body.values.data() + term.offset;
      if (size == 3 && body.contiguous(term)) {
        double* to = w + column[0];
        for (int c = 0; c < width; ++c) to[c] += h[c] * x[0] + h[width + c] * x[1] + h[2 * width + c] * x[2];
        continue;
      }
      for (int k = 0; k < size; ++k, h += width)
        for (int c = 0; c < width; ++c) w[column[c]] += h[c] * x[k];
    }
  }
}

void WhitenedRows::load(const ContactProblem& p) {
  body_ = p.G.storage == Delassus::Storage::body_space ? &p.G.body : &own_;
  if (body_ == &own_) factor(p);
}

void WhitenedRows::factor(const ContactProblem& p) {
  const int n = p.rows();
  p.G.densify(matrix_, unit_, scratch_);
  double largest = 0.0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      double &lower = matrix_[i * n + j], &upper = matrix_[j * n + i];
      lower = upper = 0.5 * (lower + upper);
    }
    largest = std::max(largest, matrix_[i * n + i]);
  }
  rows_.resize(n * n), order_.resize(n), diagonal_.resize(n);
  const double cut = 4.0 * n * std::numeric_limits<double>::epsilon() * largest;
  const auto entry = [&](int i, int j) { return matrix_[j * n + i]; };
  pack(p, factor_cholesky_pivoted(n, cut, entry, rows_.data(), diagonal_.data(), order_.data()));
}

void WhitenedRows::pack(const ContactProblem& p, int rank) {
  const int n = p.rows(), blocks = p.G.blocks();
  own_.velocities = rank;
  own_.group_start.assign({0, rank});
  own_.column.resize(rank);
  for (int c = 0; c < rank; ++c) own_.column[c] = c;
  own_.values.resize(n * rank);
  for (int r = 0; r < n; ++r) std::copy_n(rows_.data() + r * n, rank, own_.values.data() + r * rank);
  own_.terms.clear();
  own_.term_start.resize(blocks + 1);
  for (int i = 0; i <= blocks; ++i) own_.term_start[i] = i;
  for (int i = 0; i < blocks; ++i) own_.terms.push_back({0, rank, p.G.start[i] * rank, 0});
}

double WhitenedRows::lost(const ContactProblem& p) {
  if (body_ != &own_) return 0.0;
  const int n = p.rows(), rank = own_.velocities;
  double error = 0.0, largest = 0.0;
  for (int i = 0; i < n; ++i) {
    largest = std::max(largest, matrix_[i * n + i]);
    for (int j = 0; j <= i; ++j) {
      const double product = dot(rows_.data() + i * n, rows_.data() + j * n, rank);
      error = std::max(error, std::abs(matrix_[i * n + j] - product));
    }
  }
  return largest > 0.0 ? error / largest : error;
}

}  // namespace stiction
