// SPDX-License-Identifier: BSD-2-Clause
// Entries of the Delassus operator: its diagonal blocks, and the whole of it as a dense matrix.
#include <stiction/base/dot.h>
#include <stiction/base/invalid_input.h>
#include <stiction/problem/delassus.h>

#include <algorithm>
#include <cmath>

namespace stiction {

void add_shared_columns(const BodySpace& body, const BodySpace::Term& a, int rows_a, const BodySpace::Term& b,
                        int rows_b, double* out, int stride) {
  const double *ha = body.values.data() + a.offset, *hb = body.values.data() + b.offset;
  const int *ca = body.column.data() + a.columns, *cb = body.column.data() + b.columns;
  for (int j = 0, k = 0; j < a.width && k < b.width;) {
    if (ca[j] != cb[k]) {
      ca[j] < cb[k] ? ++j : ++k;
      continue;
    }
    for (int r = 0; r < rows_a; ++r)
      for (int s = 0; s < rows_b; ++s) out[r * stride + s] += ha[r * a.width + j] * hb[s * b.width + k];
    ++j, ++k;
  }
}

namespace {

// The diagonal block of one block row; body space sums over all pairs of terms, because a self-contact has two.
void diagonal_of(const Delassus& G, int i, double* d) {
  const int first = G.start[i], size = G.start[i + 1] - first;
  if (G.storage == Delassus::Storage::dense && size == 3) {
    const double* from = G.dense.data() + first * G.rows() + first;
    for (int r = 0; r < 3; ++r, from += G.rows(), d += 3) d[0] = from[0], d[1] = from[1], d[2] = from[2];
    return;
  }
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
      for (int k = 0; k < terms; ++k) {
        const double* h = body.values.data() + t[k].offset;
        d[0] += dot(h, h, t[k].width);
      }
      return;
    }
    for (int a = body.term_start[i]; a < body.term_start[i + 1]; ++a)
      for (int b = body.term_start[i]; b < body.term_start[i + 1]; ++b)
        if (body.terms[a].group == body.terms[b].group)
          add_shared_columns(body, body.terms[a], size, body.terms[b], size, d, size);
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

void Delassus::densify(std::vector<double>& out, GrowingVec& unit, GrowingVec& scratch) const {
  const std::ptrdiff_t n = rows();  // n² may not fit an int
  out.resize(n * n);
  if (storage == Storage::dense) {
    std::copy_n(dense.begin(), n * n, out.begin());
    return;
  }
  if (storage == Storage::block_sparse) {
    std::fill(out.begin(), out.end(), 0.0);
    for (int i = 0; i < blocks(); ++i)
      for (int k = row_start[i]; k < row_start[i + 1]; ++k) {
        const int first = start[column[k]], cols = start[column[k] + 1] - first;
        const double* block = values.data() + value_start[k];
        for (int r = start[i]; r < start[i + 1]; ++r, block += cols)
          std::copy_n(block, cols, out.data() + r * n + first);
      }
    return;
  }
  unit.assign(n, 0.0);
  for (int j = 0; j < n; ++j) {  // column j, which is row j
    unit[j] = 1.0;
    multiply(unit.data(), out.data() + j * n, scratch);
    unit[j] = 0.0;
  }
  if (storage != Storage::matrix_free) return;
  for (int i = 0; i < n; ++i)  // a product of others may be symmetric up to round-off only: columns are columns
    for (int j = 0; j < i; ++j) std::swap(out[i * n + j], out[j * n + i]);
}

void Delassus::densify(Delassus& out, GrowingVec& unit, GrowingVec& scratch) const {
  out.storage = Storage::dense;
  out.symmetric = symmetric;
  out.start.assign(start.begin(), start.end());
  densify(out.dense, unit, scratch);
  out.refresh_diagonal();
}

Mat Delassus::densify() const {
  std::vector<double> out;
  GrowingVec unit, scratch;
  densify(out, unit, scratch);
  return Eigen::Map<const Mat>(out.data(), rows(), rows()).transpose();
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
