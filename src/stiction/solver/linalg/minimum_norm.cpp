// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/linalg/minimum_norm.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// b ← (I − τ v vᵀ) b with v = (1, column k of A below its diagonal).
void reflect(const double* A, int rows, int columns, int k, double tau, double* b) {
  double s = b[k];
  for (int i = k + 1; i < rows; ++i) s += A[i * columns + k] * b[i];
  s *= tau;
  b[k] -= s;
  for (int i = k + 1; i < rows; ++i) b[i] -= s * A[i * columns + k];
}

}  // namespace

// A P = Q R in place, v below the diagonal; returns the rank, −1 if something is not finite.
int MinimumNorm::decompose(double* A, int rows, int columns, double cut, Factor& f) {
  f.tau.resize(columns);
  f.column.resize(columns);
  sums_.resize(columns);
  for (int j = 0; j < columns; ++j) f.column[j] = j;
  const auto row = [&](int i) { return A + i * columns; };
  double largest = 0.0;
  for (int k = 0; k < std::min(rows, columns); ++k) {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (int i = k; i < rows; ++i)
      for (int j = k; j < columns; ++j) sums_[j] += row(i)[j] * row(i)[j];
    int best = k;
    for (int j = k; j < columns; ++j) {
      if (!std::isfinite(sums_[j])) return -1;
      if (sums_[j] > sums_[best]) best = j;
    }
    const double norm = std::sqrt(sums_[best]);
    if (k == 0) largest = norm;
    if (!(norm > cut * largest)) return k;
    if (best != k) {
      for (int i = 0; i < rows; ++i) std::swap(row(i)[k], row(i)[best]);
      std::swap(f.column[k], f.column[best]);
    }
    const double head = row(k)[k], beta = head > 0.0 ? -norm : norm, tau = (beta - head) / beta;
    f.tau[k] = tau;
    row(k)[k] = beta;
    for (int i = k + 1; i < rows; ++i) row(i)[k] /= head - beta;
    std::copy(row(k) + k + 1, row(k) + columns, sums_.begin() + k + 1);
    for (int i = k + 1; i < rows; ++i)
      for (int j = k + 1; j < columns; ++j) sums_[j] += row(i)[k] * row(i)[j];
    for (int j = k + 1; j < columns; ++j) row(k)[j] -= tau * sums_[j];
    for (int i = k + 1; i < rows; ++i) {
      const double v = tau * row(i)[k];
      for (int j = k + 1; j < columns; ++j) row(i)[j] -= v * sums_[j];
    }
  }
  return std::min(rows, columns);
}

bool MinimumNorm::solve(double* A, int n, double cut, double* b) {
  rank_ = decompose(A, n, n, cut, first_);
  if (rank_ < 0) return false;
  const int r = rank_;
  for (int k = 0; k < r; ++k) reflect(A, n, n, k, first_.tau[k], b);
  transposed_.assign(n * r, 0.0);
  for (int i = 0; i < r; ++i)
    for (int j = i; j < n; ++j) transposed_[j * r + i] = A[i * n + j];
  double* B = transposed_.data();
  if (decompose(B, n, r, 0.0, second_) < r) return false;
  pivoted_.assign(n, 0.0);
  for (int i = 0; i < r; ++i) {
    double sum = b[second_.column[i]];
    for (int k = 0; k < i; ++k) sum -= B[k * r + i] * pivoted_[k];
    pivoted_[i] = sum / B[i * r + i];
  }
  for (int k = r - 1; k >= 0; --k) reflect(B, n, r, k, second_.tau[k], pivoted_.data());
  for (int j = 0; j < n; ++j) b[first_.column[j]] = pivoted_[j];
  for (int j = 0; j < n; ++j)
    if (!std::isfinite(b[j])) return false;
  return true;
}

}  // namespace stiction
