// SPDX-License-Identifier: BSD-2-Clause
// Products with the Delassus operator in its four storages. All loops are over plain arrays: nothing allocates except
// the velocity scratch, which only grows. Sums run in a fixed order, so that results are the
// same bits on every call.
#include <stiction/base/dot.h>
#include <stiction/problem/delassus.h>

#include <algorithm>

namespace stiction {
namespace {

using Two = Eigen::Map<const Vec2>;  // two doubles in one SSE2 register, at any address

inline double sum(const Vec2& a) { return a.x() + a.y(); }

// Row-major R rows at once: each x_j is loaded once and the R sums are independent chains.
template <int R>
void dot_rows(const double* a, int stride, const double* x, int n, double* y) {
  Vec2 acc[R];
  for (int r = 0; r < R; ++r) acc[r].setZero();
  int j = 0;
  for (; j + 1 < n; j += 2) {
    const Vec2 xj = Two(x + j);
    for (int r = 0; r < R; ++r) acc[r] += Two(a + r * stride + j).cwiseProduct(xj);
  }
  for (int r = 0; r < R; ++r) {
    y[r] = sum(acc[r]);
    if (j < n) y[r] += a[r * stride + j] * x[j];
  }
}

void dense_product(const double* a, int rows, int n, const double* x, double* y) {
  int i = 0;
  for (; i + 3 < rows; i += 4) dot_rows<4>(a + i * n, n, x, n, y + i);
  for (; i < rows; ++i) dot_rows<1>(a + i * n, n, x, n, y + i);
}

// y += B x for one small row-major block.
inline void add_block(const double* b, int rows, int cols, const double* x, double* y) {
  if (rows == 3 && cols == 3) {
    for (int r = 0; r < 3; ++r) y[r] += b[3 * r] * x[0] + b[3 * r + 1] * x[1] + b[3 * r + 2] * x[2];
    return;
  }
  for (int r = 0; r < rows; ++r) {
    double s = 0.0;
    for (int c = 0; c < cols; ++c) s += b[r * cols + c] * x[c];
    y[r] += s;
  }
}

// One row of H: ŵ += hᵀλ and h ŵ.
inline void add_row(const BodySpace& body, int i, double lambda, double* velocity) {
  for (int k = body.term_start[i]; k < body.term_start[i + 1]; ++k) {
    const BodySpace::Term& t = body.terms[k];
    const double* h = body.values.data() + t.offset;
    const int* c = body.column.data() + t.columns;
    if (t.width == 6 && body.contiguous(t)) {
      double* w = velocity + c[0];
      for (int j = 0; j < 6; ++j) w[j] += h[j] * lambda;
      continue;
    }
    for (int j = 0; j < t.width; ++j) velocity[c[j]] += h[j] * lambda;
  }
}

inline double dot_row(const BodySpace& body, int i, const double* velocity) {
  double u = 0.0;
  for (int k = body.term_start[i]; k < body.term_start[i + 1]; ++k) {
    const BodySpace::Term& t = body.terms[k];
    const double* h = body.values.data() + t.offset;
    const int* c = body.column.data() + t.columns;
    if (t.width == 6 && body.contiguous(t)) {
      u += dot_six(h, velocity + c[0]);
      continue;
    }
    for (int j = 0; j < t.width; ++j) u += h[j] * velocity[c[j]];
  }
  return u;
}

}  // namespace

void Delassus::multiply(const double* x, double* y, GrowingVec& scratch) const {
  switch (storage) {
    case Storage::dense:
      dense_product(dense.data(), rows(), rows(), x, y);
      return;
    case Storage::block_sparse:
      for (int i = 0; i < blocks(); ++i) multiply_block_row(i, x, y + start[i]);
      return;
    case Storage::body_space:
      scratch.assign(body.velocities, 0.0);
      if (rows() == blocks()) {  // frictionless
        for (int i = 0; i < rows(); ++i)
          if (x[i] != 0.0) add_row(body, i, x[i], scratch.data());
        for (int i = 0; i < rows(); ++i) y[i] = dot_row(body, i, scratch.data());
        return;
      }
      for (int i = 0; i < blocks(); ++i) add_transposed(i, x + start[i], scratch.data());
      for (int i = 0; i < blocks(); ++i) multiply_velocity(i, scratch.data(), y + start[i]);
      return;
    case Storage::matrix_free:
      product->multiply(x, y);
      return;
  }
}

void Delassus::multiply_block_row(int i, const double* x, double* y) const {
  const int first = start[i], size = start[i + 1] - first;
  if (storage == Storage::dense) {
    const int n = rows();
    if (size == 3)
      dot_rows<3>(dense.data() + first * n, n, x, n, y);
    else
      dense_product(dense.data() + first * n, size, n, x, y);
    return;
  }
  for (int r = 0; r < size; ++r) y[r] = 0.0;
  for (int k = row_start[i]; k < row_start[i + 1]; ++k) {
    const int j = column[k], cols = start[j + 1] - start[j];
    add_block(values.data() + value_start[k], size, cols, x + start[j], y);
  }
}

void Delassus::add_transposed(int i, const double* lambda_i, double* velocity) const {
  const int size = start[i + 1] - start[i];
  if (size == 1) return add_row(body, i, lambda_i[0], velocity);
  for (int k = body.term_start[i]; k < body.term_start[i + 1]; ++k) {
    const BodySpace::Term& t = body.terms[k];
    const double* h = body.values.data() + t.offset;
    const int* c = body.column.data() + t.columns;
    if (size == 3) {
      const double a = lambda_i[0], b = lambda_i[1], n = lambda_i[2];
      const double *ha = h, *hb = h + t.width, *hn = hb + t.width;
      for (int j = 0; j < t.width; ++j) velocity[c[j]] += ha[j] * a + hb[j] * b + hn[j] * n;
    } else {
      for (int r = 0; r < size; ++r, h += t.width)
        for (int j = 0; j < t.width; ++j) velocity[c[j]] += h[j] * lambda_i[r];
    }
  }
}

void Delassus::multiply_velocity(int i, const double* velocity, double* u_i) const {
  const int size = start[i + 1] - start[i];
  if (size == 1) {
    u_i[0] = dot_row(body, i, velocity);
    return;
  }
  for (int r = 0; r < size; ++r) u_i[r] = 0.0;
  for (int k = body.term_start[i]; k < body.term_start[i + 1]; ++k) {
    const BodySpace::Term& t = body.terms[k];
    const double* h = body.values.data() + t.offset;
    const int* c = body.column.data() + t.columns;
    if (size == 3) {
      const double *ha = h, *hb = h + t.width, *hn = hb + t.width;
      double a = 0.0, b = 0.0, n = 0.0;
      for (int j = 0; j < t.width; ++j) {
        const double w = velocity[c[j]];
        a += ha[j] * w, b += hb[j] * w, n += hn[j] * w;
      }
      u_i[0] += a, u_i[1] += b, u_i[2] += n;
    } else {
      for (int r = 0; r < size; ++r, h += t.width)
        for (int j = 0; j < t.width; ++j) u_i[r] += h[j] * velocity[c[j]];
    }
  }
}

void Delassus::multiply_transposed(const double* x, double* y, GrowingVec& scratch) const {
  const bool whole = storage == Storage::dense;
  if (symmetric || (!whole && storage != Storage::block_sparse)) return multiply(x, y, scratch);
  std::fill_n(y, rows(), 0.0);
  for (int i = 0; i < blocks(); ++i) {
    const int first = start[i], size = start[i + 1] - first;
    for (int k = whole ? 0 : row_start[i]; k < (whole ? 1 : row_start[i + 1]); ++k) {
      const int to = whole ? 0 : start[column[k]], width = whole ? rows() : start[column[k] + 1] - to;
      const double* b =
          whole ? dense.data() + static_cast<std::ptrdiff_t>(first) * width : values.data() + value_start[k];
      for (int r = 0; r < size; ++r)
        for (int c = 0; c < width; ++c) y[to + c] += b[r * width + c] * x[first + r];
    }
  }
}

}  // namespace stiction
