// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/derivatives/integrate_derivatives.h>
#include <stiction/step/derivative/end_tangents.h>

#include <algorithm>

namespace stiction {

void advance_columns(const VelocityStep& step, const StepEnd& end, VelocityTangentWork& w) {
  const int nv = step.c.world.nv;
  const std::ptrdiff_t half = static_cast<std::ptrdiff_t>(nv) * w.stride;
  w.dx.resize(2 * half);
  double *dq = w.dx.data(), *dv = dq + half;
  std::fill(dq, dv, 0.0);
  std::copy(w.block.begin(), w.block.begin() + half, dv);
  const Layout& layout = step.c.model.layout;
  advance_derivative(layout, end.span, end.mean, end.face_v, w.stride, w.stride, w.mean.data(), w.stride, dv, dq);
  add_transport(layout, end.span, end.mean, w.stride, dq);
}

void precede_columns(const VelocityStep& step, double span, const double* v, VelocityTangentWork& w) {
  const int nv = step.c.world.nv, n = 2 * nv;
  const std::ptrdiff_t half = static_cast<std::ptrdiff_t>(nv) * n;
  w.start.assign(2 * half, 0.0), w.unit.assign(half, 0.0);
  double *dq = w.start.data(), *dv = dq + half;
  for (int i = 0; i < nv; ++i) w.unit[i * n + nv + i] = dv[i * n + nv + i] = 1.0;
  const Layout& layout = step.c.model.layout;
  advance_derivative(layout, span, v, step.in.v, n, n, w.unit.data(), n, dv, dq);
  add_transport(layout, span, v, n, dq);
  w.entries.clear();
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      if (const double x = w.start[k * n + j]; x != 0.0) w.entries.push_back({k, j, x});
  w.column.resize(n);
  for (int i = 0; i < n; ++i) {
    double* row = w.dx.data() + static_cast<std::ptrdiff_t>(i) * w.stride;
    std::fill(w.column.begin(), w.column.end(), 0.0);
    for (const VelocityTangentWork::Entry& e : w.entries) w.column[e.column] += row[e.row] * e.value;
    std::copy(w.column.begin(), w.column.end(), row);
  }
}

}  // namespace stiction
