// SPDX-License-Identifier: BSD-2-Clause
// From body space to the blocks of G, and either as compressed rows.
#include <stiction/problem/body_problem.h>
#include <stiction/problem/condenser.h>

namespace stiction {
namespace {

Delassus blocks_of_dense(const Delassus& G) {
  Delassus out;
  const int n = G.rows();
  for (int i = 0; i < G.blocks(); ++i) {
    for (int j = 0; j < G.blocks(); ++j) {
      const int r0 = G.start[i], r1 = G.start[i + 1], c0 = G.start[j], c1 = G.start[j + 1];
      bool any = i == j;
      for (int r = r0; r < r1; ++r)
        for (int c = c0; c < c1; ++c) any |= G.dense[r * n + c] != 0.0;
      if (!any) continue;
      out.column.push_back(j), out.value_start.push_back(static_cast<int>(out.values.size()));
      for (int r = r0; r < r1; ++r)
        for (int c = c0; c < c1; ++c) out.values.push_back(G.dense[r * n + c]);
    }
    out.row_start.push_back(static_cast<int>(out.column.size()));
  }
  return out;
}

// add_row(i, r, push) calls push(column, value) for the entries of row r of block i.
template <class AddRow>
SparseRows compressed(const Delassus& G, int columns, const AddRow& add_row) {
  SparseRows out{G.rows(), columns, {0}, {}, {}};
  const auto push = [&](int column, double x) {
    if (x != 0.0) out.column.push_back(column), out.values.push_back(x);
  };
  for (int i = 0; i < G.blocks(); ++i)
    for (int r = 0; r < G.start[i + 1] - G.start[i]; ++r) {
      add_row(i, r, push);
      out.start.push_back(static_cast<int>(out.column.size()));
    }
  return out;
}

SparseRows rows_of_blocks(const Delassus& G) {
  return compressed(G, G.rows(), [&](int i, int r, const auto& push) {
    for (int e = G.row_start[i]; e < G.row_start[i + 1]; ++e) {
      const int first = G.start[G.column[e]], width = G.start[G.column[e] + 1] - first;
      for (int c = 0; c < width; ++c) push(first + c, G.values[G.value_start[e] + r * width + c]);
    }
  });
}

SparseRows rows_of_bodies(const Delassus& G) {
  return compressed(G, G.body.velocities, [&](int i, int r, const auto& push) {
    for (int t = G.body.term_start[i]; t < G.body.term_start[i + 1]; ++t) {
      const BodySpace::Term& term = G.body.terms[t];
      for (int c = 0; c < term.width; ++c)
        push(G.body.column[term.columns + c], G.body.values[term.offset + r * term.width + c]);
    }
  });
}

}  // namespace

Delassus condense(const Delassus& G) {
  if (G.storage == Delassus::Storage::block_sparse) return G;
  Delassus dense;
  if (G.storage == Delassus::Storage::body_space) {
    Condenser().run(G, dense);
    return dense;
  }
  GrowingVec unit, scratch;
  if (G.storage == Delassus::Storage::matrix_free) G.densify(dense, unit, scratch);
  Delassus out = blocks_of_dense(G.storage == Delassus::Storage::dense ? G : dense);
  out.storage = Delassus::Storage::block_sparse;
  out.symmetric = G.symmetric;
  out.start = G.start;
  out.row_start.insert(out.row_start.begin(), 0);
  out.refresh_diagonal();
  return out;
}

SparseRows sparse_rows(const Delassus& G) {
  return G.storage == Delassus::Storage::body_space ? rows_of_bodies(G) : rows_of_blocks(condense(G));
}

}  // namespace stiction
