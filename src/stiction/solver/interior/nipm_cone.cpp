// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/interior/nipm_cone.h>

#include <algorithm>
#include <cmath>

namespace stiction::nipm {

double product(const double* x, const double* y, int n) {
  double sum = 0.0;
  for (int k = 0; k < n; ++k) sum += x[k] * y[k];
  return sum;
}

double tangent_norm(const double* x, int size) {
  double s = x[0] * x[0];
  for (int k = 1; k + 1 < size; ++k) s += x[k] * x[k];
  return std::sqrt(s);
}

double determinant(const double* x, int size) {
  const double t = tangent_norm(x, size), n = x[size - 1];
  return (n - t) * (n + t);
}

void multiply_arrow(const double* x, const double* y, int size, double* out) {
  const int t = size - 1;
  double product = 0.0;
  for (int k = 0; k < t; ++k) {
    out[k] = x[t] * y[k] + y[t] * x[k];
    product += x[k] * y[k];
  }
  out[t] = product + x[t] * y[t];
}

void invert_arrow(const double* x, const double* v, int size, double* out) {
  const int t = size - 1;
  double normal = x[t] * v[t];
  for (int k = 0; k < t; ++k) normal -= x[k] * v[k];
  normal /= determinant(x, size);
  for (int k = 0; k < t; ++k) out[k] = (v[k] - normal * x[k]) / x[t];
  out[t] = normal;
}

void scaling_matrix(const double* x, const double* y, int size, double* theta) {
  const int t = size - 1;
  for (int c = 0; c < size; ++c) {
    double column[kMostRows] = {};  // Arw(y) e_c
    column[t] = y[c];
    if (c < t)
      column[c] = y[t];
    else
      for (int k = 0; k < t; ++k) column[k] = y[k];
    invert_arrow(x, column, size, column);
    for (int r = 0; r < size; ++r) theta[size * r + c] = column[r];
  }
}

double longest_step(const double* x, const double* d, int size) {
  // det(x + a d) = A a² + 2 B a + C, and the height must stay positive beside it.
  const int n = size - 1;
  const double A = determinant(d, size), C = determinant(x, size);
  double B = x[n] * d[n];
  for (int k = 0; k < n; ++k) B -= x[k] * d[k];
  double step = d[n] < 0.0 ? -x[n] / d[n] : 1e300;
  const double discriminant = B * B - A * C;
  if (!(discriminant >= 0.0)) return step;
  const double q = -(B + (B < 0.0 ? -1.0 : 1.0) * std::sqrt(discriminant));
  if (A != 0.0 && q / A > 0.0) step = std::min(step, q / A);
  if (q != 0.0 && C / q > 0.0) step = std::min(step, C / q);
  return step;
}

}  // namespace stiction::nipm
