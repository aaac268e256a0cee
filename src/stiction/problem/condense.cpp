// SPDX-License-Identifier: BSD-2-Clause
// From body space to the blocks of G, and either as compressed rows.
#include <stiction/problem/body_problem.h>

#include <algorithm>

namespace stiction {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<std::vector<int>> blocks_of_groups(const Delassus& G) {
  std::vector<std::vector<int>> out(G.body.group_start.size() - 1);
  for (int i = 0; i < G.blocks(); ++i)
    for (int t = G.body.term_start[at(i)]; t < G.body.term_start[at(i) + 1]; ++t) {
      std::vector<int>& list = out[at(G.body.terms[at(t)].group)];
      if (list.empty() || list.back() != i) list.push_back(i);
    }
  return out;
}

void scatter(const Delassus& G, int i, double factor, std::vector<double>& rows) {
  const int size = G.start[at(i) + 1] - G.start[at(i)];
  for (int t = G.body.term_start[at(i)]; t < G.body.term_start[at(i) + 1]; ++t) {
    const BodySpace::Term& term = G.body.terms[at(t)];
    for (int r = 0; r < size; ++r)
      for (int c = 0; c < term.width; ++c)
        rows[at(r) * at(G.body.velocities) + at(G.body.column[at(term.columns + c)])] +=
            factor * G.body.values[at(term.offset + r * term.width + c)];
  }
}

// Block (i, j) of G: rows of i lie scattered over all velocities.
void append_product(const Delassus& G, int i, int j, const std::vector<double>& rows, std::vector<double>& values) {
  const int size = G.start[at(i) + 1] - G.start[at(i)], width = G.start[at(j) + 1] - G.start[at(j)];
  const std::size_t first = values.size();
  values.resize(first + at(size * width), 0.0);
  for (int t = G.body.term_start[at(j)]; t < G.body.term_start[at(j) + 1]; ++t) {
    const BodySpace::Term& term = G.body.terms[at(t)];
    for (int r = 0; r < size; ++r)
      for (int s = 0; s < width; ++s)
        for (int c = 0; c < term.width; ++c)
          values[first + at(r * width + s)] +=
              rows[at(r) * at(G.body.velocities) + at(G.body.column[at(term.columns + c)])] *
              G.body.values[at(term.offset + s * term.width + c)];
  }
}

Delassus blocks_of_dense(const Delassus& G) {
  Delassus out;
  const int n = G.rows();
  for (int i = 0; i < G.blocks(); ++i) {
    for (int j = 0; j < G.blocks(); ++j) {
      const int r0 = G.start[at(i)], r1 = G.start[at(i) + 1], c0 = G.start[at(j)], c1 = G.start[at(j) + 1];
      bool any = i == j;
      for (int r = r0; r < r1; ++r)
        for (int c = c0; c < c1; ++c) any |= G.dense[at(r) * at(n) + at(c)] != 0.0;
      if (!any) continue;
      out.column.push_back(j), out.value_start.push_back(static_cast<int>(out.values.size()));
      for (int r = r0; r < r1; ++r)
        for (int c = c0; c < c1; ++c) out.values.push_back(G.dense[at(r) * at(n) + at(c)]);
    }
    out.row_start.push_back(static_cast<int>(out.column.size()));
  }
  return out;
}

Delassus blocks_of_bodies(const Delassus& G) {
  Delassus out;
  const std::vector<std::vector<int>> members = blocks_of_groups(G);
  std::vector<double> rows;
  std::vector<int> columns;
  for (int i = 0; i < G.blocks(); ++i) {
    columns.assign(1, i);
    for (int t = G.body.term_start[at(i)]; t < G.body.term_start[at(i) + 1]; ++t) {
      const std::vector<int>& list = members[at(G.body.terms[at(t)].group)];
      columns.insert(columns.end(), list.begin(), list.end());
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    const std::size_t wanted = at(G.start[at(i) + 1] - G.start[at(i)]) * at(G.body.velocities);
    if (rows.size() < wanted) rows.resize(wanted, 0.0);
    scatter(G, i, 1.0, rows);
    for (const int j : columns) {
      out.column.push_back(j), out.value_start.push_back(static_cast<int>(out.values.size()));
      append_product(G, i, j, rows, out.values);
    }
    for (int t = G.body.term_start[at(i)]; t < G.body.term_start[at(i) + 1]; ++t) {
      const BodySpace::Term& term = G.body.terms[at(t)];
      for (int r = 0; r < G.start[at(i) + 1] - G.start[at(i)]; ++r)
        for (int c = 0; c < term.width; ++c)
          rows[at(r) * at(G.body.velocities) + at(G.body.column[at(term.columns + c)])] = 0.0;
    }
    out.row_start.push_back(static_cast<int>(out.column.size()));
  }
  return out;
}

SparseRows rows_of_blocks(const Delassus& G) {
  SparseRows out{G.rows(), G.rows(), {0}, {}, {}};
  for (int i = 0; i < G.blocks(); ++i)
    for (int r = 0; r < G.start[at(i) + 1] - G.start[at(i)]; ++r) {
      for (int e = G.row_start[at(i)]; e < G.row_start[at(i) + 1]; ++e) {
        const int first = G.start[at(G.column[at(e)])], width = G.start[at(G.column[at(e)]) + 1] - first;
        for (int c = 0; c < width; ++c) {
          const double x = G.values[at(G.value_start[at(e)] + r * width + c)];
          if (x != 0.0) out.column.push_back(first + c), out.values.push_back(x);
        }
      }
      out.start.push_back(static_cast<int>(out.column.size()));
    }
  return out;
}

SparseRows rows_of_bodies(const Delassus& G) {
  SparseRows out{G.rows(), G.body.velocities, {0}, {}, {}};
  for (int i = 0; i < G.blocks(); ++i)
    for (int r = 0; r < G.start[at(i) + 1] - G.start[at(i)]; ++r) {
      for (int t = G.body.term_start[at(i)]; t < G.body.term_start[at(i) + 1]; ++t) {
        const BodySpace::Term& term = G.body.terms[at(t)];
        for (int c = 0; c < term.width; ++c) {
          const double x = G.body.values[at(term.offset + r * term.width + c)];
          if (x != 0.0) out.column.push_back(G.body.column[at(term.columns + c)]), out.values.push_back(x);
        }
      }
      out.start.push_back(static_cast<int>(out.column.size()));
    }
  return out;
}

}  // namespace

Delassus condense(const Delassus& G) {
  if (G.storage == Delassus::Storage::block_sparse) return G;
  Delassus dense;
  GrowingVec unit, scratch;
  if (G.storage == Delassus::Storage::matrix_free) G.write_out(dense, unit, scratch);
  Delassus out = G.storage == Delassus::Storage::body_space
                     ? blocks_of_bodies(G)
                     : blocks_of_dense(G.storage == Delassus::Storage::dense ? G : dense);
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
