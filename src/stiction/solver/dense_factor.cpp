// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/types.h>
#include <stiction/solver/dense_factor.h>

#include <cmath>
#include <utility>

namespace stiction {
namespace {

using Pair = Eigen::Map<const Vec2>;  // two doubles in one SSE2 register, at any address

double dot(const double* a, const double* b, int n) {
  Vec2 sum = Vec2::Zero();
  int k = 0;
  for (; k + 1 < n; k += 2) sum += Pair(a + k).cwiseProduct(Pair(b + k));
  return k < n ? sum.x() + sum.y() + a[k] * b[k] : sum.x() + sum.y();
}

// out_c = a · row c of the four rows at b: each a_k is loaded once.
void dot_four(const double* a, const double* b, std::ptrdiff_t stride, int n, double* out) {
  Vec2 sum[4] = {Vec2::Zero(), Vec2::Zero(), Vec2::Zero(), Vec2::Zero()};
  int k = 0;
  for (; k + 1 < n; k += 2) {
    const Vec2 x = Pair(a + k);
    for (int c = 0; c < 4; ++c) sum[c] += Pair(b + c * stride + k).cwiseProduct(x);
  }
  for (int c = 0; c < 4; ++c) out[c] = sum[c].x() + sum[c].y() + (k < n ? a[k] * b[c * stride + k] : 0.0);
}

void subtract_scaled(double* y, double a, const double* x, int n) {
  for (int i = 0; i < n; ++i) y[i] -= a * x[i];
}

}  // namespace

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
    subtract_scaled(x, x[i], a + i * stride, i);
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
      subtract_scaled(row + j + 1, row[j], a + j * stride + j + 1, n - j - 1);
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
