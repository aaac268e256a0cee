// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/dot.h>
#include <stiction/base/types.h>
#include <stiction/solver/linalg/dense_factor.h>

#include <cmath>
#include <utility>

namespace stiction {
namespace {

using Two = Eigen::Map<const Vec2>;  // two doubles in one SSE2 register, at any address

// out_c = a · row c of the four rows at b: each a_k is loaded once.
void dot_four(const double* a, const double* b, std::ptrdiff_t stride, int n, double* out) {
  Vec2 sum[4] = {Vec2::Zero(), Vec2::Zero(), Vec2::Zero(), Vec2::Zero()};
  int k = 0;
  for (; k + 1 < n; k += 2) {
    const Vec2 x = Two(a + k);
    for (int c = 0; c < 4; ++c) sum[c] += Two(b + c * stride + k).cwiseProduct(x);
  }
  for (int c = 0; c < 4; ++c) out[c] = sum[c].x() + sum[c].y() + (k < n ? a[k] * b[c * stride + k] : 0.0);
}

void subtract_multiple(double* y, double a, const double* x, int n) {
  for (int i = 0; i < n; ++i) y[i] -= a * x[i];
}

// The 4×4 tile at (i, j) minus what the columns before j take from it.
void subtract_columns_before(double* a, int stride, int i, int j) {
  double* tile = a + j * stride + i;
  Pair top[4], bottom[4];
  for (int c = 0; c < 4; ++c) top[c] = load_pair(tile + c * stride), bottom[c] = load_pair(tile + c * stride + 2);
  for (int l = 0; l < j; ++l) {
    const double* column = a + l * stride;
    const Pair x = load_pair(column + i), y = load_pair(column + i + 2);
    for (int c = 0; c < 4; ++c) {
      const Pair f = both(column[j + c]);
      top[c] -= x * f, bottom[c] -= y * f;
    }
  }
  for (int c = 0; c < 4; ++c) store_pair(tile + c * stride, top[c]), store_pair(tile + c * stride + 2, bottom[c]);
}

}  // namespace

bool factor_cholesky_columns(double* a, int stride, double* inverse_diagonal) {
  for (int j = 0; j < stride; j += 4) {
    for (int i = j; i < stride; i += 4) subtract_columns_before(a, stride, i, j);
    double l[4][4];  // the triangle where the four columns meet, first by itself: nothing waits for the long columns
    for (int c = 0; c < 4; ++c) {
      for (int r = c; r < 4; ++r) {
        double value = a[(j + c) * stride + j + r];
        for (int k = 0; k < c; ++k) value -= l[r][k] * l[c][k];
        l[r][c] = value;
      }
      if (!(l[c][c] > 0.0) || !std::isfinite(l[c][c])) return false;
      const double root = std::sqrt(l[c][c]), inverse = 1.0 / root;
      inverse_diagonal[j + c] = inverse;
      l[c][c] = root;
      for (int r = c + 1; r < 4; ++r) l[r][c] *= inverse;
      for (int r = c; r < 4; ++r) a[(j + c) * stride + j + r] = l[r][c];
    }
    for (int i = j + 4; i < stride; i += 2) {
      Pair x[4];
      for (int c = 0; c < 4; ++c) {
        x[c] = load_pair(a + (j + c) * stride + i);
        for (int k = 0; k < c; ++k) x[c] -= x[k] * both(l[c][k]);
        x[c] *= both(inverse_diagonal[j + c]);
        store_pair(a + (j + c) * stride + i, x[c]);
      }
    }
  }
  return true;
}

void solve_cholesky_columns(const double* a, int stride, const double* inverse_diagonal, double* __restrict__ x) {
  for (int j = 0; j < stride; j += 2) {
    const double *c = a + j * stride, *d = c + stride;
    const double p = x[j] * inverse_diagonal[j], q = (x[j + 1] - c[j + 1] * p) * inverse_diagonal[j + 1];
    x[j] = p, x[j + 1] = q;
    const Pair f = both(p), g = both(q);
    for (int i = j + 2; i < stride; i += 2)
      store_pair(x + i, load_pair(x + i) - load_pair(c + i) * f - load_pair(d + i) * g);
  }
  for (int j = stride - 2; j >= 0; j -= 2) {
    const double *c = a + j * stride, *d = c + stride;
    Pair s = both(0.0), t = s;
    for (int i = j + 2; i < stride; i += 2) {
      const Pair y = load_pair(x + i);
      s += load_pair(c + i) * y, t += load_pair(d + i) * y;
    }
    x[j + 1] = (x[j + 1] - (t[0] + t[1])) * inverse_diagonal[j + 1];
    x[j] = (x[j] - (s[0] + s[1]) - c[j + 1] * x[j + 1]) * inverse_diagonal[j];
  }
}

bool factor_cholesky(double* a, int n) {
  const std::ptrdiff_t stride = n;
  for (int i = 0; i < n; ++i) {
    double* row = a + i * stride;
    int j = 0;
    for (; j + 3 < i; j += 4) {
      const double* other = a + j * stride;
      double s[4];
      dot_four(row, other, stride, j, s);
      for (int c = 0; c < 4; ++c) {  // the small triangle where the four columns meet
        double value = row[j + c] - s[c];
        for (int k = 0; k < c; ++k) value -= row[j + k] * other[c * stride + j + k];
        row[j + c] = value / other[c * stride + j + c];
      }
    }
    for (; j < i; ++j) row[j] = (row[j] - dot(row, a + j * stride, j)) / a[j * stride + j];
    const double pivot = row[i] - dot(row, row, i);
    if (!(pivot > 0.0) || !std::isfinite(pivot)) return false;
    row[i] = std::sqrt(pivot);
  }
  return true;
}

void solve_cholesky(const double* a, int n, double* x) {
  const std::ptrdiff_t stride = n;
  for (int i = 0; i < n; ++i) x[i] = (x[i] - dot(a + i * stride, x, i)) / a[i * stride + i];
  for (int i = n - 1; i >= 0; --i) {
    x[i] /= a[i * stride + i];
    subtract_multiple(x, x[i], a + i * stride, i);
  }
}

bool factor_lu(double* a, int n, int* pivot) {
  const std::ptrdiff_t stride = n;
  for (int j = 0; j < n; ++j) {
    int best = j;
    for (int i = j + 1; i < n; ++i)
      if (std::abs(a[i * stride + j]) > std::abs(a[best * stride + j])) best = i;
    pivot[j] = best;
    for (int k = 0; best != j && k < n; ++k) std::swap(a[j * stride + k], a[best * stride + k]);
    const double d = a[j * stride + j];
    if (!(std::abs(d) > 0.0) || !std::isfinite(d)) return false;
    for (int i = j + 1; i < n; ++i) {
      double* row = a + i * stride;
      row[j] /= d;
      subtract_multiple(row + j + 1, row[j], a + j * stride + j + 1, n - j - 1);
    }
  }
  return true;
}

void solve_lu(const double* a, int n, const int* pivot, double* x) {
  const std::ptrdiff_t stride = n;
  for (int j = 0; j < n; ++j)
    if (pivot[j] != j) std::swap(x[j], x[pivot[j]]);
  for (int i = 0; i < n; ++i) x[i] -= dot(a + i * stride, x, i);
  for (int i = n - 1; i >= 0; --i)
    x[i] = (x[i] - dot(a + i * stride + i + 1, x + i + 1, n - i - 1)) / a[i * stride + i];
}

}  // namespace stiction
