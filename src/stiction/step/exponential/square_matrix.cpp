// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/pair.h>
#include <stiction/step/exponential/square_matrix.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// y −= f x over the rows first … last − 1
void subtract_scaled(const double* x, double f, int first, int last, double* y) {
  int i = first;
  if (i < last && i % 2 != 0) y[i] -= x[i] * f, ++i;
  for (; i + 1 < last; i += 2) store_pair(y + i, load_pair(y + i) - load_pair(x + i) * both(f));
  if (i < last) y[i] -= x[i] * f;
}

int pivot_row(const double* column, int j, int n) {
  int best = j;
  for (int i = j + 1; i < n; ++i)
    if (std::abs(column[i]) > std::abs(column[best])) best = i;
  return best;
}

}  // namespace

void multiply(SquareSize size, const double* a, const double* b, double* c) {
  const int stride = size.stride;
  for (int j = 0; j < stride; j += 4) {
    for (int i = 0; i < stride; i += 4) {
      Pair top[4] = {}, bottom[4] = {};
      for (int k = 0; k < size.n; ++k) {
        const Pair x = load_pair(a + k * stride + i), y = load_pair(a + k * stride + i + 2);
        for (int l = 0; l < 4; ++l) {
          const Pair f = both(b[(j + l) * stride + k]);
          top[l] += x * f, bottom[l] += y * f;
        }
      }
      for (int l = 0; l < 4; ++l) {
        store_pair(c + (j + l) * stride + i, top[l]);
        store_pair(c + (j + l) * stride + i + 2, bottom[l]);
      }
    }
  }
}

void multiply_columns(SquareSize size, const double* a, const double* x, int columns, double* y) {
  const int stride = size.stride;
  std::fill(y, y + columns * stride, 0.0);
  for (int c = 0; c < columns; ++c)
    for (int k = 0; k < size.n; ++k) subtract_scaled(a + k * stride, -x[c * stride + k], 0, stride, y + c * stride);
}

void solve_in_place(SquareSize size, double* a, double* x, int columns) {
  const int n = size.n, stride = size.stride;
  for (int j = 0; j < n; ++j) {
    double* column = a + j * stride;
    if (const int row = pivot_row(column, j, n); row != j) {
      for (int k = j; k < n; ++k) std::swap(a[k * stride + j], a[k * stride + row]);
      for (int c = 0; c < columns; ++c) std::swap(x[c * stride + j], x[c * stride + row]);
    }
    const double inverse = 1.0 / column[j];
    for (int i = j + 1; i < stride; ++i) column[i] *= inverse;
    for (int k = j + 1; k < n; ++k) subtract_scaled(column, a[k * stride + j], j + 1, stride, a + k * stride);
    for (int c = 0; c < columns; ++c) subtract_scaled(column, x[c * stride + j], j + 1, stride, x + c * stride);
  }
  for (int c = 0; c < columns; ++c) {
    double* y = x + c * stride;
    for (int j = n - 1; j >= 0; --j) {
      y[j] /= a[j * stride + j];
      subtract_scaled(a + j * stride, y[j], 0, j, y);
    }
  }
}

double norm_1(SquareSize size, const double* a) {
  double largest = 0.0;
  for (int j = 0; j < size.n; ++j) {
    double sum = 0.0;
    for (int i = 0; i < size.n; ++i) sum += std::abs(a[j * size.stride + i]);
    largest = sum <= largest ? largest : sum;  // NaN comes through
  }
  return largest;
}

}  // namespace stiction
