// SPDX-License-Identifier: BSD-2-Clause
// Products with the Delassus operator in its four storages. All loops are over plain arrays: nothing allocates except
// the velocity scratch (which only grows), to_dense and from_dense. Sums run in a fixed order, so that results are the
// same bits on every call.
#include <stiction/base/invalid_input.h>
#include <stiction/problem/delassus.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

using Pair = Eigen::Map<const Vec2>;  // two doubles in one SSE2 register, at any address

inline double sum(const Vec2& a) { return a.x() + a.y(); }

// Row-major R rows at once: each x_j is loaded once and the R sums are independent chains.
template <int R>
void dot_rows(const double* a, int stride, const double* x, int n, double* y) {
  Vec2 acc[R];
  for (int r = 0; r < R; ++r) acc[r].setZero();
  int j = 0;
  for (; j + 1 < n; j += 2) {
    const Vec2 xj = Pair(x + j);
    for (int r = 0; r < R; ++r) acc[r] += Pair(a + r * stride + j).cwiseProduct(xj);
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

// The velocities of free bodies and of short chains lie side by side: no index per entry is read then.
inline bool side_by_side(const int* column, int width) { return column[width - 1] - column[0] == width - 1; }

// One row of H: ŵ += hᵀλ and h ŵ.
inline void add_row(const BodySpace& body, int i, double lambda, double* velocity) {
  for (int k = body.term_start[i]; k < body.term_start[i + 1]; ++k) {
    const BodySpace::Term& t = body.terms[k];
    const double* h = body.values.data() + t.offset;
    const int* c = body.column.data() + t.columns;
    if (t.width == 6 && side_by_side(c, 6)) {
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
    if (t.width == 6 && side_by_side(c, 6)) {
      const double* w = velocity + c[0];
      u += (h[0] * w[0] + h[1] * w[1]) + (h[2] * w[2] + h[3] * w[3]) + (h[4] * w[4] + h[5] * w[5]);
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

namespace {

// D += A Bᵀ over the columns that terms a and b share.
void add_shared_columns(const BodySpace& body, const BodySpace::Term& a, const BodySpace::Term& b, int size,
                        double* d) {
  const double *ha = body.values.data() + a.offset, *hb = body.values.data() + b.offset;
  const int *ca = body.column.data() + a.columns, *cb = body.column.data() + b.columns;
  for (int j = 0, k = 0; j < a.width && k < b.width;) {
    if (ca[j] < cb[k]) {
      ++j;
    } else if (ca[j] > cb[k]) {
      ++k;
    } else {
      for (int r = 0; r < size; ++r)
        for (int c = 0; c < size; ++c) d[r * size + c] += ha[r * a.width + j] * hb[c * b.width + k];
      ++j, ++k;
    }
  }
}

inline double squared_norm(const double* h, int width) {
  double even = 0.0, odd = 0.0;
  int j = 0;
  for (; j + 1 < width; j += 2) even += h[j] * h[j], odd += h[j + 1] * h[j + 1];
  return j < width ? even + odd + h[j] * h[j] : even + odd;
}

// The diagonal block of one block row; body space sums over all pairs of terms, because a self-contact has two.
void diagonal_of(const Delassus& G, int i, double* d) {
  const int first = G.start[i], size = G.start[i + 1] - first;
  std::fill(d, d + size * size, 0.0);
  if (G.storage == Delassus::Storage::dense) {
    for (int r = 0; r < size; ++r) std::copy_n(G.dense.data() + (first + r) * G.rows() + first, size, d + r * size);
  } else if (G.storage == Delassus::Storage::block_sparse) {
    for (int k = G.row_start[i]; k < G.row_start[i + 1]; ++k)
      if (G.column[k] == i) std::copy_n(G.values.data() + G.value_start[k], size * size, d);
  } else if (G.storage == Delassus::Storage::matrix_free) {
    G.product->diagonal_block(G.rows(), first, size, d);
  } else {
    const BodySpace& body = G.body;
    const int terms = body.term_start[i + 1] - body.term_start[i];
    const BodySpace::Term* t = body.terms.data() + body.term_start[i];
    if (size == 1 && terms <= 2 && (terms < 2 || t[0].group != t[1].group)) {
      for (int k = 0; k < terms; ++k) d[0] += squared_norm(body.values.data() + t[k].offset, t[k].width);
      return;
    }
    for (int a = body.term_start[i]; a < body.term_start[i + 1]; ++a)
      for (int b = body.term_start[i]; b < body.term_start[i + 1]; ++b)
        if (body.terms[a].group == body.terms[b].group) add_shared_columns(body, body.terms[a], body.terms[b], size, d);
  }
}

}  // namespace

void Delassus::refresh_diagonal() {
  diagonal_start.resize(blocks() + 1);
  diagonal_start[0] = 0;
  for (int i = 0; i < blocks(); ++i) {
    const int size = start[i + 1] - start[i];
    diagonal_start[i + 1] = diagonal_start[i] + size * size;
  }
  diagonal.resize(diagonal_start.back());
  for (int i = 0; i < blocks(); ++i) diagonal_of(*this, i, diagonal.data() + diagonal_start[i]);
}

void DelassusProduct::diagonal_block(int rows, int first, int size, double* out) const {
  Vec unit = Vec::Zero(rows), column(rows);
  for (int c = 0; c < size; ++c) {
    unit[first + c] = 1.0;
    multiply(unit.data(), column.data());
    unit[first + c] = 0.0;
    for (int r = 0; r < size; ++r) out[r * size + c] = column[first + r];
  }
}

void Delassus::write_out(Delassus& out, GrowingVec& unit, GrowingVec& scratch) const {
  const int n = rows();
  out.storage = Storage::dense;
  out.symmetric = symmetric;
  out.start.assign(start.begin(), start.end());
  out.dense.resize(n * n);
  unit.assign(n, 0.0);
  for (int j = 0; j < n; ++j) {
    unit[j] = 1.0;
    multiply(unit.data(), out.dense.data() + j * n, scratch);
    unit[j] = 0.0;
  }
  for (int i = 0; i < n; ++i)  // columns were written as rows
    for (int j = 0; j < i; ++j) std::swap(out.dense[i * n + j], out.dense[j * n + i]);
  out.refresh_diagonal();
}

Mat Delassus::to_dense() const {
  const int n = rows();
  Mat G(n, n);
  if (storage == Storage::dense) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) G(i, j) = dense[i * n + j];
    return G;
  }
  GrowingVec scratch;
  Vec unit = Vec::Zero(n);
  for (int j = 0; j < n; ++j) {
    unit[j] = 1.0;
    multiply(unit.data(), G.col(j).data(), scratch);
    unit[j] = 0.0;
  }
  return G;
}

Delassus Delassus::from_dense(const Mat& G, std::vector<int> start) {
  if (G.rows() != G.cols() || start.empty() || start.front() != 0 || start.back() != G.rows())
    throw InvalidInput("Delassus.from_dense: G is " + std::to_string(G.rows()) + " x " + std::to_string(G.cols()) +
                       ", expected a square matrix of " + std::to_string(start.empty() ? 0 : start.back()) + " rows");
  Delassus d;
  d.start = std::move(start);
  d.dense.resize(G.size());
  const auto n = G.rows();
  double largest = 0.0, skew = 0.0;
  for (int i = 0; i < G.rows(); ++i)
    for (int j = 0; j < G.cols(); ++j) {
      d.dense[i * n + j] = G(i, j);
      largest = std::max(largest, std::abs(G(i, j)));
      skew = std::max(skew, std::abs(G(i, j) - G(j, i)));
    }
  d.symmetric = skew <= 1e-10 * largest;  // round-off of a product J M⁻¹ Jᵀ, not a gyroscopic term
  d.refresh_diagonal();
  return d;
}

}  // namespace stiction
