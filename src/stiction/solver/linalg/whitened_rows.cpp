// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/growing.h>
#include <stiction/solver/linalg/whitened_rows.h>
#include <stiction/solver/linalg/write_out.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

double dot(const double* a, const double* b, int n) {
  double even = 0.0, odd = 0.0;
  int i = 0;
  for (; i + 1 < n; i += 2) even += a[i] * b[i], odd += a[i + 1] * b[i + 1];
  return i < n ? even + odd + a[i] * b[i] : even + odd;
}

}  // namespace

void WhitenedRows::load(const ContactProblem& p) {
  if (p.G.storage == Delassus::Storage::body_space) {
    body_ = &p.G.body;
    return;
  }
  body_ = &own_;
  factor_pivoted(p);
}

void WhitenedRows::factor_pivoted(const ContactProblem& p) {
  const int n = p.rows();
  write_out(p.G, matrix_, unit_, scratch_);
  double* a = matrix_.data();
  double largest = 0.0;
  diagonal_.resize(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      double &lower = a[i * n + j], &upper = a[j * n + i];
      lower = upper = 0.5 * (lower + upper);
    }
    diagonal_[i] = a[i * n + i];
    largest = std::max(largest, diagonal_[i]);
  }
  rows_.assign(n * n, 0.0);
  taken_.assign(n, 0);
  const double cut = 4.0 * n * std::numeric_limits<double>::epsilon() * largest;
  int rank = 0;
  for (; rank < n; ++rank) {
    int p_row = -1;
    for (int i = 0; i < n; ++i)
      if (!taken_[i] && (p_row < 0 || diagonal_[i] > diagonal_[p_row])) p_row = i;
    if (!(diagonal_[p_row] > cut)) break;
    taken_[p_row] = 1;
    double* pivot = rows_.data() + p_row * n;
    pivot[rank] = std::sqrt(diagonal_[p_row]);
    const double inverse = 1.0 / pivot[rank];
    for (int i = 0; i < n; ++i) {
      if (taken_[i]) continue;
      double* row = rows_.data() + i * n;
      row[rank] = (a[p_row * n + i] - dot(row, pivot, rank)) * inverse;
      diagonal_[i] -= row[rank] * row[rank];
    }
  }
  pack(p, rank);
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

void WhitenedRows::multiply(const ContactProblem& p, const double* w, double* u) const {
  const BodySpace& body = *body_;
  for (const Block& b : p.blocks) std::fill_n(u + b.row, b.size, 0.0);
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t) {
      const BodySpace::Term& term = body.terms[t];
      const int* column = body.column.data() + term.columns;
      const double* h = body.values.data() + term.offset;
      const bool packed = term.width > 0 && column[term.width - 1] - column[0] == term.width - 1;
      for (int k = p.blocks[i].row; k < p.blocks[i].row + p.blocks[i].size; ++k, h += term.width) {
        if (packed)
          u[k] += dot(h, w + column[0], term.width);
        else
          for (int c = 0; c < term.width; ++c) u[k] += h[c] * w[column[c]];
      }
    }
}

void WhitenedRows::multiply_transposed(const ContactProblem& p, const double* lambda, double* w) const {
  const BodySpace& body = *body_;
  std::fill_n(w, body.velocities, 0.0);
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t) {
      const BodySpace::Term& term = body.terms[t];
      const int* column = body.column.data() + term.columns;
      const double* h = body.values.data() + term.offset;
      for (int k = p.blocks[i].row; k < p.blocks[i].row + p.blocks[i].size; ++k, h += term.width) {
        const double x = lambda[k];
        if (x == 0.0) continue;
        for (int c = 0; c < term.width; ++c) w[column[c]] += h[c] * x;
      }
    }
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

void WhitenedMatrix::prepare(const ContactProblem& p, const BodySpace& body) {
  factor_.begin_pattern(body.group_start);
  packed_.clear(), pair_.clear();
  for (const BodySpace::Term& t : body.terms) {
    const int* column = body.column.data() + t.columns;
    packed_.push_back(t.width > 0 && column[t.width - 1] - column[0] == t.width - 1);
  }
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    for (int s = body.term_start[i]; s < body.term_start[i + 1]; ++s)
      for (int t = s + 1; t < body.term_start[i + 1]; ++t) factor_.connect(body.terms[s].group, body.terms[t].group);
  factor_.finish_pattern();
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t)
      for (int s = body.term_start[i]; s < body.term_start[i + 1]; ++s) {
        const int a = body.terms[s].group, b = body.terms[t].group;
        const bool lower = factor_.position(a) > factor_.position(b);
        pair_.push_back(a == b ? -1 : (lower ? factor_.find_block(a, b) : -2));
      }
}

// target(group of s, group of t) += H_sᵀ (B H_t); the second factor is in scaled_. Of a diagonal block only the lower
// triangle is written: Cholesky reads no more.
void WhitenedMatrix::add_pair(const BodySpace& body, int s, int t, int size, double* target) {
  const BodySpace::Term &a = body.terms[s], &b = body.terms[t];
  const bool same = a.group == b.group;
  const double* h = body.values.data() + a.offset;
  const double* y = scaled_.data();
  const int *ca = body.column.data() + a.columns, *cb = body.column.data() + b.columns;
  const int a0 = body.group_start[a.group], b0 = body.group_start[b.group], ld = factor_.group_size(a.group);
  if (packed_[s] && packed_[t] && size == 3) {
    const int shift = ca[0] - a0;
    for (int c = 0; c < b.width; ++c) {
      const int j = cb[c] - b0;
      double* __restrict__ column = target + j * ld + shift;
      const double y0 = y[c], y1 = y[b.width + c], y2 = y[2 * b.width + c];
      const double *h0 = h, *h1 = h + a.width, *h2 = h1 + a.width;
      for (int r = same ? std::max(0, j - shift) : 0; r < a.width; ++r)
        column[r] += h0[r] * y0 + h1[r] * y1 + h2[r] * y2;
    }
    return;
  }
  for (int k = 0; k < size; ++k)
    for (int c = 0; c < b.width; ++c) {
      const double factor = y[k * b.width + c];
      const int j = cb[c] - b0;
      for (int r = 0; r < a.width; ++r) {
        const int i = ca[r] - a0;
        if (!same || i >= j) target[j * ld + i] += h[k * a.width + r] * factor;
      }
    }
}

bool WhitenedMatrix::factor(const ContactProblem& p, const BodySpace& body, const double* B) {
  factor_.set_identity(false);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const int size = p.blocks[i].size, begin = body.term_start[i], end = body.term_start[i + 1];
    const double* w = B + p.G.diagonal_start[i];
    const bool open = std::all_of(w, w + size * size, [](double x) { return x == 0.0; });
    for (int t = begin; t < end; ++t) {
      if (open) {
        pair += end - begin;
        continue;
      }
      const BodySpace::Term& term = body.terms[t];
      const double* h = body.values.data() + term.offset;
      grow(scaled_, size * term.width);
      for (int k = 0; k < size; ++k) {
        double* y = scaled_.data() + k * term.width;
        std::fill_n(y, term.width, 0.0);
        for (int l = 0; l < size; ++l) {
          const double f = w[k * size + l];
          if (f == 0.0) continue;
          for (int c = 0; c < term.width; ++c) y[c] += f * h[l * term.width + c];
        }
      }
      for (int s = begin; s < end; ++s) {
        const int block = pair_[pair++];
        if (block == -2) continue;
        add_pair(body, s, t, size, block == -1 ? factor_.diagonal(term.group) : factor_.lower(block));
      }
    }
  }
  return factor_.factor_cholesky();
}

}  // namespace stiction
