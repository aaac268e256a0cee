// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/interior/nipm_cone.h>

#include <algorithm>
#include <cmath>

namespace stiction::nipm {

double determinant(const double* x) {
  const double t = std::sqrt(x[0] * x[0] + x[1] * x[1]);
  return (x[2] - t) * (x[2] + t);
}

void multiply_arrow(const double* x, const double* y, double* out) {
  out[0] = x[2] * y[0] + y[2] * x[0];
  out[1] = x[2] * y[1] + y[2] * x[1];
  out[2] = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

void invert_arrow(const double* x, const double* v, double* out) {
  const double normal = (x[2] * v[2] - x[0] * v[0] - x[1] * v[1]) / determinant(x);
  out[0] = (v[0] - normal * x[0]) / x[2];
  out[1] = (v[1] - normal * x[1]) / x[2];
  out[2] = normal;
}

void scaling_matrix(const double* x, const double* y, double* theta) {
  for (int c = 0; c < 3; ++c) {
    double column[3] = {0.0, 0.0, y[c]};  // Arw(y) e_c
    if (c < 2)
      column[c] = y[2];
    else
      column[0] = y[0], column[1] = y[1];
    invert_arrow(x, column, column);
    for (int r = 0; r < 3; ++r) theta[3 * r + c] = column[r];
  }
}

double longest_step(const double* x, const double* d) {
  // det(x + a d) = A a² + 2 B a + C, and the height must stay positive beside it.
  const double t = std::sqrt(d[0] * d[0] + d[1] * d[1]);
  const double A = (d[2] - t) * (d[2] + t), B = x[2] * d[2] - x[0] * d[0] - x[1] * d[1], C = determinant(x);
  double step = d[2] < 0.0 ? -x[2] / d[2] : 1e300;
  const double discriminant = B * B - A * C;
  if (!(discriminant >= 0.0)) return step;
  const double q = -(B + (B < 0.0 ? -1.0 : 1.0) * std::sqrt(discriminant));
  if (A != 0.0 && q / A > 0.0) step = std::min(step, q / A);
  if (q != 0.0 && C / q > 0.0) step = std::min(step, C / q);
  return step;
}

}  // namespace stiction::nipm
