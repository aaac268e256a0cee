// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/pair.h>
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/dynamics/kernels/twin_branches.h>

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

// Rows of the last velocities of a tree as long as they are those of twins on its base: row by row, the base block stays in registers.
// Returns the velocity before them.
int subtract_twins_from_base(const Layout& layout, const Tree& tree, const double* factor, double* base) {
  int velocity = tree.v + tree.nv - 1;
  Pair row1 = load_pair(base + 1), row2 = load_pair(base + 3), row3a = load_pair(base + 6), row3b = load_pair(base + 8);
  Pair row4a = load_pair(base + 10), row4b = load_pair(base + 12), row5a = load_pair(base + 15);
  Pair row5b = load_pair(base + 17), row5c = load_pair(base + 19);
  Pair ends = Pair{base[0], base[5]};  // (0, 0), (2, 2)
  double last = base[14];              // (4, 4)
  for (; velocity > tree.v && layout.outside[velocity] == kBase; --velocity) {
    const double* r = factor + layout.row[velocity];
    const Pair a = load_pair(r), b = load_pair(r + 2), c = load_pair(r + 4);
    row1 -= both(a[1]) * a, row2 -= both(b[0]) * a;
    row3a -= both(b[1]) * a, row3b -= both(b[1]) * b;
    row4a -= both(c[0]) * a, row4b -= both(c[0]) * b;
    row5a -= both(c[1]) * a, row5b -= both(c[1]) * b, row5c -= both(c[1]) * c;
    const Pair diagonal = Pair{a[0], b[0]};
    ends -= diagonal * diagonal, last -= c[0] * c[0];
  }
  store_pair(base + 1, row1), store_pair(base + 3, row2), store_pair(base + 6, row3a), store_pair(base + 8, row3b);
  store_pair(base + 10, row4a), store_pair(base + 12, row4b), store_pair(base + 15, row5a),
      store_pair(base + 17, row5b);
  store_pair(base + 19, row5c);
  base[0] = ends[0], base[5] = ends[1], base[14] = last;
  return velocity;
}

// The base's own rows.
void factorise_base(double* base, double* inverse) {
#pragma GCC unroll 6
  for (int j = kBase - 1; j >= 0; --j) {
    double* row = base + j * (j + 1) / 2;
    const double scale = 1.0 / std::sqrt(row[j]);
    inverse[j] = scale;
#pragma GCC unroll 6
    for (int d = 0; d <= j; ++d) row[d] *= scale;
#pragma GCC unroll 6
    for (int d = 0; d < j; ++d)
#pragma GCC unroll 6
      for (int e = 0; e <= d; ++e) base[d * (d + 1) / 2 + e] -= row[d] * row[e];
  }
}

}  // namespace

void factorise(const Layout& layout, const Tree& tree, Kinematics& k, const char* held) {
  double* base = k.factor.data() + layout.row[tree.v];
  const int index = layout.bodies[tree.first_body].tree;
  const bool lanes = held == nullptr;
  int velocity = tree.v + tree.nv - 1;
  if (lanes) {
    for (int t = layout.twins_of[index]; t < layout.twins_of[index + 1]; ++t) twin_factor(layout, layout.twins[t], k);
    if (tree.floating) velocity = subtract_twins_from_base(layout, tree, k.factor.data(), base);
  }
  for (; velocity >= tree.v; --velocity) {
    const auto j = velocity;
    if (lanes && tree.floating && j == tree.v + kBase - 1)
      return factorise_base(base, k.inverse_diagonal.data() + tree.v);
    int depth = layout.depth[j];
    double* row = k.factor.data() + layout.row[j];
    if (held != nullptr && held[j] != 0) {
      std::fill_n(row, depth + 1, 0.0);
      k.inverse_diagonal[j] = 0.0;
      continue;
    }
    if (const int outside = lanes ? layout.outside[j] : 0; outside > 0) {
      depth = outside;  // what is left to do
    } else {
      const double scale = 1.0 / std::sqrt(row[depth]);
      k.inverse_diagonal[j] = scale;
      for (int d = 0; d <= depth; ++d) row[d] *= scale;
    }
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
  const int base = tree.floating ? kBase : 0;  // its part stays in registers while joints are eliminated
  double* own = y + tree.v;
  Pair a = both(0.0), b = a, c = a;
  if (base != 0) a = load_pair(own), b = load_pair(own + 2), c = load_pair(own + 4);
  for (int j = tree.v + tree.nv - 1; j >= tree.v + base; --j) {
    const int depth = layout.depth[j];
    const double* row = k.factor.data() + layout.row[j];
    const int* chain = layout.chain.data() + layout.chain_of[j];
    const double yj = y[j] * k.inverse_diagonal[j];
    y[j] = yj;
    if (base != 0)
      a -= both(yj) * load_pair(row), b -= both(yj) * load_pair(row + 2), c -= both(yj) * load_pair(row + 4);
    for (int d = base; d < depth; ++d) y[chain[d]] -= row[d] * yj;
  }
  if (base == 0) return;
  double x[kBase] = {a[0], a[1], b[0], b[1], c[0], c[1]};
  const double *packed = k.factor.data() + layout.row[tree.v], *inverse = k.inverse_diagonal.data() + tree.v;
#pragma GCC unroll 6
  for (int j = kBase - 1; j >= 0; --j) {
    x[j] *= inverse[j];
#pragma GCC unroll 6
    for (int d = 0; d < j; ++d) x[d] -= packed[j * (j + 1) / 2 + d] * x[j];
    own[j] = x[j];
  }
}

void solve_lower(const Layout& layout, const Tree& tree, const Kinematics& k, double* x) {
  if (tree.free_body) {
    const auto v = tree.v;
    return solve_free_body_lower(k.factor.data() + layout.row[v], k.inverse_diagonal.data() + v, x + tree.v);
  }
  const int base = tree.floating ? kBase : 0;
  Pair a = both(0.0), b = a, c = a;
  if (base != 0) {
    const double *packed = k.factor.data() + layout.row[tree.v], *inverse = k.inverse_diagonal.data() + tree.v;
    double* own = x + tree.v;
#pragma GCC unroll 6
    for (int j = 0; j < kBase; ++j) {
      double sum = own[j];
#pragma GCC unroll 6
      for (int d = 0; d < j; ++d) sum -= packed[j * (j + 1) / 2 + d] * own[d];
      own[j] = sum * inverse[j];
    }
    a = load_pair(own), b = load_pair(own + 2), c = load_pair(own + 4);
  }
  for (int j = tree.v + base; j < tree.v + tree.nv; ++j) {
    const int depth = layout.depth[j];
    const double* row = k.factor.data() + layout.row[j];
    const int* chain = layout.chain.data() + layout.chain_of[j];
    double sum = x[j];
    if (base != 0) {
      const Pair six = a * load_pair(row) + b * load_pair(row + 2) + c * load_pair(row + 4);
      sum -= six[0] + six[1];
    }
    for (int d = base; d < depth; ++d) sum -= row[d] * x[chain[d]];
    x[j] = sum * k.inverse_diagonal[j];
  }
}

}  // namespace stiction
