// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/linalg/dense_factor.h>
#include <stiction/solver/linalg/kkt_delassus.h>

#include <algorithm>
#include <cassert>

namespace stiction {

void KktDelassus::load(const ContactProblem& p) {
  assert(p.G.storage == Delassus::Storage::body_space);
  const BodySpace& body = p.G.body;
  rows_ = p.rows();
  G_.assign(rows_ * rows_, 0.0);
  factor_.resize(G_.size());
  compliance_.resize(rows_), diagonal_.resize(rows_);
  for (int r = 0; r < rows_; ++r) compliance_[r] = p.R(r);
  for (int i = 0; i < p.G.blocks(); ++i)
    for (int j = 0; j <= i; ++j) {
      const int row_i = p.G.start[i], row_j = p.G.start[j];
      double* out = G_.data() + row_i * rows_ + row_j;
      for (int s = body.term_start[i]; s < body.term_start[i + 1]; ++s)
        for (int t = body.term_start[j]; t < body.term_start[j + 1]; ++t)
          if (body.terms[s].group == body.terms[t].group)
            add_shared_columns(body, body.terms[s], p.G.start[i + 1] - row_i, body.terms[t], p.G.start[j + 1] - row_j,
                               out, rows_);
    }
}

bool KktDelassus::set_damping(const double* damping) {
  for (int r = 0; r < rows_; ++r) diagonal_[r] = compliance_[r] + damping[r];
  return factor();
}

bool KktDelassus::set_damping(double damping) {
  for (int r = 0; r < rows_; ++r) diagonal_[r] = compliance_[r] + damping;
  return factor();
}

bool KktDelassus::factor() {
  for (int r = 0; r < rows_; ++r) {
    const std::size_t row = r * rows_;
    std::copy_n(G_.data() + row, r + 1, factor_.data() + row);
    factor_[row + r] += diagonal_[r];
  }
  return factor_cholesky(factor_.data(), rows_);
}

void KktDelassus::solve_in_place(double* x) const { solve_cholesky(factor_.data(), rows_, x); }

void KktDelassus::multiply(const double* x, double* y) const {
  for (int r = 0; r < rows_; ++r) {
    y[r] = diagonal_[r] * x[r];
    for (int c = 0; c < rows_; ++c) y[r] += entry(r, c) * x[c];
  }
}

}  // namespace stiction
