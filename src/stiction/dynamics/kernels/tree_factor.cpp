// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/pair.h>
#include <stiction/dynamics/kernels/tree_factor.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// Chains of floating trees start with the six velocities of the base, which are consecutive: that part of every loop has
// a fixed length and is unrolled.
constexpr int kBase = 6;

// target −= a·row on the base part.
inline void subtract_six(double a, const double* row, double* target) {
#pragma GCC unroll 3
  for (int e = 0; e < kBase; e += 2) store_pair(target + e, load_pair(target + e) - both(a) * load_pair(row + e));
}

// The 6×6 base block loses row·rowᵀ; its packed rows follow each other.
inline void subtract_from_base(const double* row, double* base) {
  const Pair r[3] = {load_pair(row), load_pair(row + 2), load_pair(row + 4)};
#pragma GCC unroll 6
  for (int d = 0; d < kBase; ++d) {
    double* target = base + d * (d + 1) / 2;
    const double a = row[d];
#pragma GCC unroll 3
    for (int e = 0; e < (d + 1) / 2; ++e) store_pair(target + 2 * e, load_pair(target + 2 * e) - both(a) * r[e]);
    if (d % 2 == 0) target[d] -= a * a;
  }
}

}  // namespace

void factorise(const Layout& layout, const Tree& tree, Kinematics& k, const char* held) {
  double* base = k.factor.data() + layout.row[tree.v];
  for (int velocity = tree.v + tree.nv - 1; velocity >= tree.v; --velocity) {
    const auto j = velocity;
    const int depth = layout.depth[j];
    double* row = k.factor.data() + layout.row[j];
    if (held != nullptr && held[j] != 0) {
      std::fill_n(row, depth + 1, 0.0);
      k.inverse_diagonal[j] = 0.0;
      continue;
    }
    const double scale = 1.0 / std::sqrt(row[depth]);
    k.inverse_diagonal[j] = scale;
    for (int d = 0; d <= depth; ++d) row[d] *= scale;
    const int* chain = layout.chain.data() + layout.chain_of[j];
    const int first = tree.floating && depth >= kBase ? kBase : 0;
    if (first != 0) subtract_from_base(row, base);
    for (int d = first; d < depth; ++d) {
      double* target = k.factor.data() + layout.row[chain[d]];
      if (first != 0) subtract_six(row[d], row, target);
      for (int e = first; e <= d; ++e) target[e] -= row[d] * row[e];
    }
  }
}

namespace {

// A free body's factor: a diagonal for positions, a triangle of three for rotations.
void solve_free_body_transposed(const double* row, const double* inverse, double* y) {
  const double *l4 = row + 10, *l5 = row + 15;  // packed rows of the last two velocities
  for (int i = 0; i < 3; ++i) y[i] *= inverse[i];
  y[5] *= inverse[5];
  y[4] = (y[4] - l5[4] * y[5]) * inverse[4];
  y[3] = (y[3] - l5[3] * y[5] - l4[3] * y[4]) * inverse[3];
}

void solve_free_body_lower(const double* row, const double* inverse, double* x) {
  const double *l4 = row + 10, *l5 = row + 15;
  for (int i = 0; i < 4; ++i) x[i] *= inverse[i];
  x[4] = (x[4] - l4[3] * x[3]) * inverse[4];
  x[5] = (x[5] - l5[3] * x[3] - l5[4] * x[4]) * inverse[5];
}

}  // namespace

void solve_transposed(const Layout& layout, const Tree& tree, const Kinematics& k, double* y) {
  if (tree.free_body) {
    const auto v = tree.v;
    return solve_free_body_transposed(k.factor.data() + layout.row[v], k.inverse_diagonal.data() + v, y + tree.v);
  }
  for (int velocity = tree.v + tree.nv - 1; velocity >= tree.v; --velocity) {
    const auto j = velocity;
    const int depth = layout.depth[j];
    const double* row = k.factor.data() + layout.row[j];
    const int* chain = layout.chain.data() + layout.chain_of[j];
    const double yj = y[velocity] * k.inverse_diagonal[j];
    y[velocity] = yj;
    const int first = tree.floating && depth >= kBase ? kBase : 0;
    if (first != 0) subtract_six(yj, row, y + tree.v);
    for (int d = first; d < depth; ++d) y[chain[d]] -= row[d] * yj;
  }
}

void solve_lower(const Layout& layout, const Tree& tree, const Kinematics& k, double* x) {
  if (tree.free_body) {
    const auto v = tree.v;
    return solve_free_body_lower(k.factor.data() + layout.row[v], k.inverse_diagonal.data() + v, x + tree.v);
  }
  for (int velocity = tree.v; velocity < tree.v + tree.nv; ++velocity) {
    const auto j = velocity;
    const int depth = layout.depth[j];
    const double* row = k.factor.data() + layout.row[j];
    const int* chain = layout.chain.data() + layout.chain_of[j];
    double sum = x[velocity];
    const int first = tree.floating && depth >= kBase ? kBase : 0;
    if (first != 0) {
      const double* b = x + tree.v;  // two sums: the chain of additions is half as long
      sum -= (row[0] * b[0] + row[1] * b[1] + row[2] * b[2]) + (row[3] * b[3] + row[4] * b[4] + row[5] * b[5]);
    }
    for (int d = first; d < depth; ++d) sum -= row[d] * x[chain[d]];
    x[velocity] = sum * k.inverse_diagonal[j];
  }
}

}  // namespace stiction
