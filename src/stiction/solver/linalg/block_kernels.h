// SPDX-License-Identifier: BSD-2-Clause
// Dense kernels on small column-major blocks. Size 6 (free bodies) is compiled apart; the loops run down columns, which
// the compiler turns into vector code.
#pragma once

#include <cmath>
#include <utility>

namespace stiction::kernels {

// C (m×n) −= A (m×k) B (n×k)ᵀ
template <int M, int N, int K>
inline void subtract_product_fixed(double* __restrict__ C, const double* __restrict__ A, const double* __restrict__ B) {
  for (int j = 0; j < N; ++j) {
    double c[M];
    for (int i = 0; i < M; ++i) c[i] = C[j * M + i];
    for (int l = 0; l < K; ++l) {
      const double b = B[l * N + j];
      for (int i = 0; i < M; ++i) c[i] -= A[l * M + i] * b;
    }
    for (int i = 0; i < M; ++i) C[j * M + i] = c[i];
  }
}

inline void subtract_product(double* __restrict__ C, const double* __restrict__ A, const double* __restrict__ B, int m,
                             int n, int k) {
  if (m == 6 && n == 6 && k == 6) return subtract_product_fixed<6, 6, 6>(C, A, B);
  if (m == 3 && n == 3 && k == 3) return subtract_product_fixed<3, 3, 3>(C, A, B);
  for (int j = 0; j < n; ++j)
    for (int l = 0; l < k; ++l) {
      const double b = B[l * n + j];
      for (int i = 0; i < m; ++i) C[j * m + i] -= A[l * m + i] * b;
    }
}

// A = L Lᵀ, lower triangle in place; false if a pivot is not positive.
inline bool cholesky(double* A, int n) {
  for (int j = 0; j < n; ++j) {
    double* cj = A + j * n;
    for (int l = 0; l < j; ++l) {
      const double* cl = A + l * n;
      const double f = cl[j];
      for (int i = j; i < n; ++i) cj[i] -= cl[i] * f;
    }
    if (!(cj[j] > 0.0) || !std::isfinite(cj[j])) return false;
    const double inverse = 1.0 / std::sqrt(cj[j]);
    for (int i = j; i < n; ++i) cj[i] *= inverse;
  }
  return true;
}

// P A = L U in place (L has a unit diagonal), pivot[j] = row exchanged with j; false if singular or not finite.
inline bool lu(double* A, int n, int* pivot) {
  for (int j = 0; j < n; ++j) {
    int best = j;
    for (int i = j + 1; i < n; ++i)
      if (std::abs(A[j * n + i]) > std::abs(A[j * n + best])) best = i;
    pivot[j] = best;
    const double d = A[j * n + best];
    if (!(std::abs(d) > 1e-280) || !std::isfinite(d)) return false;
    if (best != j)
      for (int c = 0; c < n; ++c) std::swap(A[c * n + j], A[c * n + best]);
    const double inverse = 1.0 / d;
    for (int i = j + 1; i < n; ++i) A[j * n + i] *= inverse;
    for (int c = j + 1; c < n; ++c) {
      const double f = A[c * n + j];
      for (int i = j + 1; i < n; ++i) A[c * n + i] -= A[j * n + i] * f;
    }
  }
  return true;
}

// X (m×n) ← X L⁻ᵀ with L lower triangular (n×n).
inline void solve_right_lower_transposed(double* __restrict__ X, const double* __restrict__ L, int m, int n,
                                         bool unit) {
  for (int j = 0; j < n; ++j) {
    double* xj = X + j * m;
    for (int l = 0; l < j; ++l) {
      const double f = L[l * n + j];
      for (int i = 0; i < m; ++i) xj[i] -= X[l * m + i] * f;
    }
    if (unit) continue;
    const double inverse = 1.0 / L[j * n + j];
    for (int i = 0; i < m; ++i) xj[i] *= inverse;
  }
}

// X (m×n) ← X U⁻¹ with U upper triangular (n×n).
inline void solve_right_upper(double* __restrict__ X, const double* __restrict__ U, int m, int n) {
  for (int j = 0; j < n; ++j) {
    double* xj = X + j * m;
    for (int l = 0; l < j; ++l) {
      const double f = U[j * n + l];
      for (int i = 0; i < m; ++i) xj[i] -= X[l * m + i] * f;
    }
    const double inverse = 1.0 / U[j * n + j];
    for (int i = 0; i < m; ++i) xj[i] *= inverse;
  }
}

// y (m) −= A (m×k) x        and        y (k) −= A (m×k)ᵀ x
inline void subtract_times(double* __restrict__ y, const double* __restrict__ A, const double* __restrict__ x, int m,
                           int k) {
  for (int l = 0; l < k; ++l)
    for (int i = 0; i < m; ++i) y[i] -= A[l * m + i] * x[l];
}
inline void subtract_transposed_times(double* __restrict__ y, const double* __restrict__ A,
                                      const double* __restrict__ x, int m, int k) {
  for (int l = 0; l < k; ++l) {
    double sum = 0.0;
    for (int i = 0; i < m; ++i) sum += A[l * m + i] * x[i];
    y[l] -= sum;
  }
}

inline void solve_lower(double* x, const double* L, int n, bool unit) {
  for (int j = 0; j < n; ++j) {
    if (!unit) x[j] /= L[j * n + j];
    for (int i = j + 1; i < n; ++i) x[i] -= L[j * n + i] * x[j];
  }
}
inline void solve_lower_transposed(double* x, const double* L, int n) {
  for (int j = n - 1; j >= 0; --j) {
    for (int i = j + 1; i < n; ++i) x[j] -= L[j * n + i] * x[i];
    x[j] /= L[j * n + j];
  }
}
inline void solve_upper(double* x, const double* U, int n) {
  for (int j = n - 1; j >= 0; --j) {
    x[j] /= U[j * n + j];
    for (int i = 0; i < j; ++i) x[i] -= U[j * n + i] * x[j];
  }
}

}  // namespace stiction::kernels
