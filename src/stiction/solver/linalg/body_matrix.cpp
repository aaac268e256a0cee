// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/linalg/body_matrix.h>

#include <algorithm>

namespace stiction {
namespace {

// C (columns `stride` apart) += XᵀY for three rows of X and Y, `width` and `other` long.
void add_three_rows(double* __restrict__ C, int stride, const double* __restrict__ X, int width,
                    const double* __restrict__ Y, int other) {
  for (int c = 0; c < other; ++c) {
    const double y0 = Y[c], y1 = Y[other + c], y2 = Y[2 * other + c];
    double* column = C + c * stride;
    for (int r = 0; r < width; ++r) column[r] += X[r] * y0 + X[width + r] * y1 + X[2 * width + r] * y2;
  }
}

void add_six(double* __restrict__ C, const double* __restrict__ X, const double* __restrict__ Y) {
  add_three_rows(C, 6, X, 6, Y, 6);
}

}  // namespace

void BodyMatrix::prepare(const ContactProblem& p, const BodySpace& body) {
  const int blocks = static_cast<int>(p.blocks.size());
  factor_.begin_pattern(body.group_start);
  for (int i = 0; i < blocks; ++i)
    for (int s = body.term_start[i]; s < body.term_start[i + 1]; ++s)
      for (int t = s + 1; t < body.term_start[i + 1]; ++t) factor_.connect(body.terms[s].group, body.terms[t].group);
  factor_.finish_pattern();
  pair_start_.clear(), pair_.clear();
  for (int i = 0; i < blocks; ++i) {
    pair_start_.push_back(static_cast<int>(pair_.size()));
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t)
      for (int s = body.term_start[i]; s < body.term_start[i + 1]; ++s) {
        const int a = body.terms[s].group, b = body.terms[t].group;
        const bool later = factor_.position(a) > factor_.position(b);
        pair_.push_back(a == b ? -1 : factor_.find_block(later ? a : b, later ? b : a));
      }
  }
}

void BodyMatrix::begin(bool symmetric) {
  symmetric_ = symmetric;
  factor_.set_identity(!symmetric);
}

// H_isᵀ (B_i H_it) for all terms s of block i; the second factor is in scaled_.
void BodyMatrix::add_products(const BodySpace& body, int i, int t, int size) {
  const int begin = body.term_start[i], end = body.term_start[i + 1], to = body.terms[t].group;
  const int* pair = pair_.data() + pair_start_[i] + (t - begin) * (end - begin);
  for (int s = begin; s < end; ++s, ++pair) {
    const int from = body.terms[s].group;
    const bool lower = *pair < 0 || factor_.position(from) > factor_.position(to);
    if (!lower && symmetric_) continue;
    double* target = *pair < 0 ? factor_.diagonal(from) : (lower ? factor_.lower(*pair) : factor_.upper(*pair));
    add_pair(body, s, t, size, target, !lower);
  }
}

// target (column-major) += H_sᵀ Y_t, or its transpose: the upper blocks are stored so.
void BodyMatrix::add_pair(const BodySpace& body, int s, int t, int size, double* target, bool transposed) {
  const BodySpace::Term &a = body.terms[transposed ? t : s], &b = body.terms[transposed ? s : t];
  const double *h = body.values.data() + body.terms[s].offset, *y = scaled_.data();
  const double *left = transposed ? y : h, *right = transposed ? h : y;
  const int *rows = body.column.data() + a.columns, *columns = body.column.data() + b.columns;
  const int first = body.group_start[a.group], other = body.group_start[b.group], stride = factor_.group_size(a.group);
  if (size == 3 && body.contiguous(a) && body.contiguous(b)) {
    if (stride == 6 && a.width == 6 && b.width == 6) return add_six(target, left, right);
    target += (columns[0] - other) * stride + rows[0] - first;
    return add_three_rows(target, stride, left, a.width, right, b.width);
  }
  for (int k = 0; k < size; ++k)
    for (int c = 0; c < b.width; ++c) {
      double* column = target + (columns[c] - other) * stride - first;
      for (int r = 0; r < a.width; ++r) column[rows[r]] += left[k * a.width + r] * right[k * b.width + c];
    }
}

void BodyMatrix::assemble(const ContactProblem& p, const BodySpace& body, const double* B, bool symmetric) {
  assemble(body, p.G.start, symmetric, [&](int i, const double* h, int width, double* out) {
    const int size = p.blocks[i].size;
    const double* w = B + p.G.diagonal_start[i];
    if (std::all_of(w, w + size * size, [](double x) { return x == 0.0; })) return false;
    for (int k = 0; k < size; ++k, out += width) {
      std::fill_n(out, width, 0.0);
      for (int l = 0; l < size; ++l) {
        const double f = w[k * size + l];
        if (f == 0.0) continue;
        for (int c = 0; c < width; ++c) out[c] += f * h[l * width + c];
      }
    }
    return true;
  });
}

}  // namespace stiction
