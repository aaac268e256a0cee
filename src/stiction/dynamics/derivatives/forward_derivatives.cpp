// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/pair.h>
#include <stiction/dynamics/derivatives/forward_derivatives.h>

#include <algorithm>

namespace stiction {
namespace {

// Row j of the factor.
struct FactorRow {
  const double* entry;
  const int* chain;
  int depth;
  double inverse;
};

FactorRow factor_row(const Layout& layout, const Kinematics& k, int j) {
  return {k.factor.data() + layout.row[j], layout.chain.data() + layout.chain_of[j], layout.depth[j],
          k.inverse_diagonal[j]};
}

// Four columns, kept in registers.
struct Four {
  Pair a, b;

  static Four load(const double* x) { return {load_pair(x), load_pair(x + 2)}; }
  void store(double* x) const { store_pair(x, a), store_pair(x + 2, b); }
  void scale(double x) { a *= both(x), b *= both(x); }
  void subtract(double x, const Four& y) { a -= both(x) * y.a, b -= both(x) * y.b; }
  bool zero() const {  // −0 counts as a number: the answer is the same
    using Bits = long long __attribute__((vector_size(16)));
    const Bits bits = reinterpret_cast<Bits>(a) | reinterpret_cast<Bits>(b);
    return (bits[0] | bits[1]) == 0;
  }
};

inline Four operator+(const Four& x, const Four& y) { return {x.a + y.a, x.b + y.b}; }
inline Four operator-(const Four& x, const Four& y) { return {x.a - y.a, x.b - y.b}; }
inline Four operator*(double x, const Four& y) { return {both(x) * y.a, both(x) * y.b}; }
inline Four three(const double* l, const Four* x) { return (l[0] * x[0] + l[1] * x[1]) + l[2] * x[2]; }

constexpr int kBase = 6;  // chains of floating trees begin with the velocities of the base

inline double* row(double* x, int i, int stride) { return x + static_cast<std::ptrdiff_t>(i) * stride; }

// y ← L̂⁻ᵀ y for four columns and one tree, leaf to root. The rows of a floating base gather from all others and stay in
// registers. Derivatives of a tree are zero for velocities of other branches: such rows have nothing to hand on.
template <bool floating>
void transposed_four(const Layout& layout, const Kinematics& k, const Tree& tree, int stride, double* y) {
  constexpr int first = floating ? kBase : 0;
  Four base[kBase];
#pragma GCC unroll 6
  for (int b = 0; b < first; ++b) base[b] = Four::load(row(y, tree.v + b, stride));
  for (int j = tree.v + tree.nv - 1; j >= tree.v + first; --j) {
    Four own = Four::load(row(y, j, stride));
    if (own.zero()) continue;
    const FactorRow l = factor_row(layout, k, j);
    own.scale(l.inverse);
    own.store(row(y, j, stride));
#pragma GCC unroll 6
    for (int b = 0; b < first; ++b) base[b].subtract(l.entry[b], own);
    for (int d = first; d < l.depth; ++d) {
      Four target = Four::load(row(y, l.chain[d], stride));
      target.subtract(l.entry[d], own);
      target.store(row(y, l.chain[d], stride));
    }
  }
#pragma GCC unroll 6
  for (int b = first - 1; b >= 0; --b) {
    const FactorRow l = factor_row(layout, k, tree.v + b);
    base[b].scale(l.inverse);
#pragma GCC unroll 5
    for (int d = 0; d < b; ++d) base[d].subtract(l.entry[d], base[b]);
    base[b].store(row(y, tree.v + b, stride));
  }
}

// Likewise x ← L̂⁻¹ x, root to leaf.
template <bool floating>
void lower_four(const Layout& layout, const Kinematics& k, const Tree& tree, int stride, double* x) {
  constexpr int first = floating ? kBase : 0;
  Four base[kBase];
#pragma GCC unroll 6
  for (int b = 0; b < first; ++b) {
    const FactorRow l = factor_row(layout, k, tree.v + b);
    base[b] = Four::load(row(x, tree.v + b, stride));
#pragma GCC unroll 5
    for (int d = 0; d < b; ++d) base[b].subtract(l.entry[d], base[d]);
    base[b].scale(l.inverse);
    base[b].store(row(x, tree.v + b, stride));
  }
  for (int j = tree.v + first; j < tree.v + tree.nv; ++j) {
    const FactorRow l = factor_row(layout, k, j);
    Four own = Four::load(row(x, j, stride));
    if constexpr (floating)
      own = own - (three(l.entry, base) + three(l.entry + 3, base + 3));  // short chains of additions
    for (int d = first; d < l.depth; ++d) own.subtract(l.entry[d], Four::load(row(x, l.chain[d], stride)));
    own.scale(l.inverse);
    own.store(row(x, j, stride));
  }
}

// One column: what is left of the fours.
void transposed_column(const World& world, const Layout& layout, const Kinematics& k, int stride, double* y) {
  for (int j = world.nv - 1; j >= 0; --j) {
    const FactorRow row = factor_row(layout, k, j);
    const double own = y[static_cast<std::ptrdiff_t>(j) * stride] *= row.inverse;
    for (int d = 0; d < row.depth; ++d) y[static_cast<std::ptrdiff_t>(row.chain[d]) * stride] -= row.entry[d] * own;
  }
}

void lower_column(const World& world, const Layout& layout, const Kinematics& k, int stride, double* x) {
  for (int j = 0; j < world.nv; ++j) {
    const FactorRow row = factor_row(layout, k, j);
    double sum = x[static_cast<std::ptrdiff_t>(j) * stride];
    for (int d = 0; d < row.depth; ++d) sum -= row.entry[d] * x[static_cast<std::ptrdiff_t>(row.chain[d]) * stride];
    x[static_cast<std::ptrdiff_t>(j) * stride] = sum * row.inverse;
  }
}

}  // namespace

void solve_transposed_many(const World& world, const Layout& layout, const Kinematics& k, int columns, int stride,
                           double* y) {
  int c = 0;
  for (; c + 4 <= columns; c += 4)
    for (const Tree& tree : world.trees)
      (tree.floating ? transposed_four<true> : transposed_four<false>)(layout, k, tree, stride, y + c);
  for (; c < columns; ++c) transposed_column(world, layout, k, stride, y + c);
}

void solve_lower_many(const World& world, const Layout& layout, const Kinematics& k, int columns, int stride,
                      double* x) {
  int c = 0;
  for (; c + 4 <= columns; c += 4)
    for (const Tree& tree : world.trees)
      (tree.floating ? lower_four<true> : lower_four<false>)(layout, k, tree, stride, x + c);
  for (; c < columns; ++c) lower_column(world, layout, k, stride, x + c);
}

void solve_mass_many(const World& world, const Layout& layout, const Kinematics& k, int columns, int stride,
                     double* x) {
  solve_transposed_many(world, layout, k, columns, stride, x);
  solve_lower_many(world, layout, k, columns, stride, x);
}

}  // namespace stiction
