// SPDX-License-Identifier: BSD-2-Clause
// Products of whitened rows: G = Y Yᵀ, Yᵀλ and Y ŵ.
#include <stiction/dynamics/contact/rows.h>
#include <stiction/dynamics/contact/whiten_rows.h>
#include <stiction/dynamics/lanes/row_kernels.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr int kMostTogether = 24;  // contacts whose rows are looked at at once
constexpr int kBaseEntries = 6;    // of a floating tree: its first velocities

// Number of chain entries that the two sides share; none if they belong to different trees.
int shared_entries(const Layout& layout, const RowSide& a, const RowSide& b) {
  if (a.tree != b.tree) return 0;
  return std::min({layout.common(a.tree, a.body, b.body), a.length, b.length});
}

struct NineSums {
  ThreeRows row[3];

  void add(const double* a, const double* b, int entries) {
    for (int d = 0; d < entries; ++d, a += 4, b += 4) {
      const ThreeRows x = load_rows(b);
      row[0] += a[0] * x, row[1] += a[1] * x, row[2] += a[2] * x;
    }
  }
};

// Y_i Y_jᵀ with three rows each: six pairs of independent sums.
NineSums sums_33(const Layout& layout, const RowSet& rows, const RowBlock& i, const RowBlock& j) {
  const ThreeRows zero{both(0.0), both(0.0)};
  NineSums out{{zero, zero, zero}};
  for (int si = 0; si < i.sides; ++si)
    for (int sj = 0; sj < j.sides; ++sj)
      out.add(rows.values.data() + i.side[si].offset, rows.values.data() + j.side[sj].offset,
              shared_entries(layout, i.side[si], j.side[sj]));
  return out;
}

void block_33(const Layout& layout, const RowSet& rows, const RowBlock& i, const RowBlock& j, double* out, int stride) {
  const NineSums sums = sums_33(layout, rows, i, j);
  for (int r = 0; r < 3; ++r) store_pair(out + r * stride, sums.row[r].lo), out[r * stride + 2] = sums.row[r].hi[0];
}

// Y_i Y_jᵀ for other numbers of rows.
template <int rows_i, int rows_j>
void block_of(const Layout& layout, const RowSet& rows, const RowBlock& i, const RowBlock& j, double* out, int stride) {
  double sum[rows_i][rows_j] = {};
  for (int si = 0; si < i.sides; ++si) {
    for (int sj = 0; sj < j.sides; ++sj) {
      const double* a = rows.values.data() + i.side[si].offset;
      const double* b = rows.values.data() + j.side[sj].offset;
      const int shared = shared_entries(layout, i.side[si], j.side[sj]);
      for (int d = 0; d < shared; ++d, a += row_stride(rows_i), b += row_stride(rows_j))
        for (int r = 0; r < rows_i; ++r)
          for (int s = 0; s < rows_j; ++s) sum[r][s] += a[r] * b[s];
    }
  }
  for (int r = 0; r < rows_i; ++r)
    for (int s = 0; s < rows_j; ++s) out[r * stride + s] = sum[r][s];
}

// With more than three rows on one side.
void block_of_many(const Layout& layout, const RowSet& rows, const RowBlock& i, const RowBlock& j, double* out,
                   int stride) {
  double sum[kMostRows][kMostRows] = {};
  for (int si = 0; si < i.sides; ++si)
    for (int sj = 0; sj < j.sides; ++sj) {
      const double* a = rows.values.data() + i.side[si].offset;
      const double* b = rows.values.data() + j.side[sj].offset;
      const int shared = shared_entries(layout, i.side[si], j.side[sj]);
      for (int d = 0; d < shared; ++d, a += row_stride(i.rows), b += row_stride(j.rows))
        for (int r = 0; r < i.rows; ++r)
          for (int s = 0; s < j.rows; ++s) sum[r][s] += a[r] * b[s];
    }
  for (int r = 0; r < i.rows; ++r)
    for (int s = 0; s < j.rows; ++s) out[r * stride + s] = sum[r][s];
}

}  // namespace

void delassus_block(const Layout& layout, const RowSet& rows, const RowBlock& i, const RowBlock& j, double* out,
                    int stride) {
  using Product = void (*)(const Layout&, const RowSet&, const RowBlock&, const RowBlock&, double*, int);
  static constexpr Product kProducts[3][3] = {{block_of<1, 1>, block_of<1, 2>, block_of<1, 3>},
                                              {block_of<2, 1>, block_of<2, 2>, block_of<2, 3>},
                                              {block_of<3, 1>, block_of<3, 2>, block_33}};
  if (i.rows > 3 || j.rows > 3) return block_of_many(layout, rows, i, j, out, stride);
  kProducts[i.rows - 1][j.rows - 1](layout, rows, i, j, out, stride);
}

namespace {

// Contacts of bodies of one floating tree with something that does not move: one side each.
bool on_one_base(const Layout& layout, const RowSet& rows, const int* block, int blocks) {
  for (int i = 0; i < blocks; ++i) {
    const RowBlock& b = rows.blocks[block[i]];
    if (b.sides != 1 || b.side[0].tree != rows.blocks[block[0]].side[0].tree || b.side[0].length < kBaseEntries)
      return false;
  }
  return layout.bodies[rows.blocks[block[0]].side[0].body].floating;
}

// The six entries of the base, row by row: out[6 r + d].
void base_entries(const double* y, double* out) {
#pragma GCC unroll 3
  for (int d = 0; d < kBaseEntries; d += 2, y += 8) {
    const ThreeRows a = load_rows(y), b = load_rows(y + 4);
    store_pair(out + d, Pair{a.lo[0], b.lo[0]}), store_pair(out + kBaseEntries + d, Pair{a.lo[1], b.lo[1]});
    store_pair(out + 2 * kBaseEntries + d, Pair{a.hi[0], b.hi[0]});
  }
}

// The base's part of G: products of rows with those before them, two sums at a time.
void add_base(const double* y, int n, double* out) {
  for (int r = 0; r < n; ++r) {
    const double* own = y + kBaseEntries * r;
    const Pair a = load_pair(own), b = load_pair(own + 2), c = load_pair(own + 4);
    for (int s = 0; s <= r; s += 2) {  // the last may be one too many: y has a row more
      const double* x = y + kBaseEntries * s;
      const Pair first = a * load_pair(x) + b * load_pair(x + 2) + c * load_pair(x + 4);
      const Pair second = a * load_pair(x + 6) + b * load_pair(x + 8) + c * load_pair(x + 10);
      const Pair sums = Pair{first[0], second[0]} + Pair{first[1], second[1]};
      out[r * n + s] = sums[0], out[s * n + r] = sums[0];
      if (s < r) out[r * n + s + 1] = sums[1], out[(s + 1) * n + r] = sums[1];
    }
  }
}

void add_block(const NineSums& x, double* lower, double* upper, int n) {
#pragma GCC unroll 3
  for (int r = 0; r < 3; ++r) {
    const double row[3] = {x.row[r].lo[0], x.row[r].lo[1], x.row[r].hi[0]};
    for (int c = 0; c < 3; ++c) {
      lower[r * n + c] += row[c];
      if (upper != nullptr) upper[c * n + r] += row[c];
    }
  }
}

// With wide registers.
void wide_delassus(const RowKernels& kernels, const Layout& layout, const RowSet& rows, const int* block, int blocks,
                   double* out) {
  const double* y[kMostTogether];
  int shared[kMostTogether * kMostTogether];
  for (int i = 0; i < blocks; ++i) {
    const RowSide& side = rows.blocks[block[i]].side[0];
    y[i] = rows.values.data() + side.offset;
    for (int j = 0; j <= i; ++j)
      shared[i * blocks + j] = shared[j * blocks + i] =
          shared_entries(layout, side, rows.blocks[block[j]].side[0]) - kBaseEntries;
  }
  kernels.delassus(y, shared, blocks, out);
}

}  // namespace

void delassus_of_contacts(const Layout& layout, const RowSet& rows, const int* block, int blocks, double* out) {
  const int n = 3 * blocks;
  const bool one_base = blocks <= kMostTogether && on_one_base(layout, rows, block, blocks);
  if (const RowKernels* kernels = row_kernels(); kernels != nullptr && one_base)
    return wide_delassus(*kernels, layout, rows, block, blocks, out);
  const ThreeRows zero{both(0.0), both(0.0)};
  if (one_base) {
    double y[kBaseEntries * (3 * kMostTogether + 1)];
    for (int i = 0; i < blocks; ++i)
      base_entries(rows.values.data() + rows.blocks[block[i]].side[0].offset, y + 3 * kBaseEntries * i);
    std::fill_n(y + kBaseEntries * n, kBaseEntries, 0.0);
    add_base(y, n, out);
  } else {
    std::fill(out, out + n * n, 0.0);
  }
  for (int i = 0; i < blocks; ++i) {
    const RowBlock& bi = rows.blocks[block[i]];
    for (int j = 0; j <= i; ++j) {
      const RowBlock& bj = rows.blocks[block[j]];
      double *lower = out + 3 * (i * n + j), *upper = j < i ? out + 3 * (j * n + i) : nullptr;
      if (!one_base) {
        add_block(sums_33(layout, rows, bi, bj), lower, upper, n);
        continue;
      }
      const int shared = shared_entries(layout, bi.side[0], bj.side[0]) - kBaseEntries;
      if (shared <= 0) continue;
      NineSums rest{{zero, zero, zero}};
      const double* y = rows.values.data() + 4 * kBaseEntries;
      rest.add(y + bi.side[0].offset, y + bj.side[0].offset, shared);
      add_block(rest, lower, upper, n);
    }
  }
}

void add_impulse(const Layout& layout, const RowSet& rows, const RowBlock& i, const double* lambda, double* whitened) {
  for (int k = 0; k < i.sides; ++k) {
    const RowSide& side = i.side[k];
    const int* chain = layout.chain.data() + layout.bodies[side.body].chain;
    const double* y = rows.values.data() + side.offset;
    if (i.rows == 3) {
      for (int d = 0; d < side.length; ++d)
        whitened[chain[d]] += y[4 * d] * lambda[0] + y[4 * d + 1] * lambda[1] + y[4 * d + 2] * lambda[2];
    } else if (i.rows == 2) {
      for (int d = 0; d < side.length; ++d) whitened[chain[d]] += y[2 * d] * lambda[0] + y[2 * d + 1] * lambda[1];
    } else if (i.rows == 1) {
      for (int d = 0; d < side.length; ++d) whitened[chain[d]] += y[d] * lambda[0];
    } else {
      for (int d = 0; d < side.length; ++d, y += i.rows)
        for (int r = 0; r < i.rows; ++r) whitened[chain[d]] += y[r] * lambda[r];
    }
  }
}

void apply_rows(const Layout& layout, const RowSet& rows, const RowBlock& i, const double* whitened, double* out) {
  std::fill(out, out + i.rows, 0.0);
  for (int k = 0; k < i.sides; ++k) {
    const RowSide& side = i.side[k];
    const int* chain = layout.chain.data() + layout.bodies[side.body].chain;
    const double* y = rows.values.data() + side.offset;
    const int stride = row_stride(i.rows);
    for (int d = 0; d < side.length; ++d)
      for (int r = 0; r < i.rows; ++r) out[r] += y[stride * d + r] * whitened[chain[d]];
  }
}

}  // namespace stiction
