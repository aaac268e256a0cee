// SPDX-License-Identifier: BSD-2-Clause
// Matrices with the pattern of a block-sparse G, factorised on the contact graph (block_factor.h): one group per block of
// rows, one place per stored block of G.
#pragma once

#include <stiction/problem/delassus.h>
#include <stiction/solver/linalg/block_factor.h>

#include <vector>

namespace stiction {

class GraphFactor {
 public:
  void load(const Delassus& G) {
    factor_.begin_pattern(G.start);
    for (int i = 0; i < G.blocks(); ++i)
      for (int e = G.row_start[i]; e < G.row_start[i + 1]; ++e) factor_.connect(i, G.column[e]);
    factor_.finish_pattern();
    place_.resize(G.column.size());
    for (int i = 0; i < G.blocks(); ++i)
      for (int e = G.row_start[i]; e < G.row_start[i + 1]; ++e) {
        const int j = G.column[e];
        if (i != j) place_[e] = lower(i, j) ? factor_.find_block(i, j) : factor_.find_block(j, i);
      }
  }

  // Block (i, j) of the matrix, j = column[e]: entry (r, c) is at [c * rows + r] of a lower block, at [r * columns + c] else.
  bool lower(int i, int j) const { return i == j || factor_.position(i) > factor_.position(j); }
  double* block(int i, int j, int e) {
    return i == j ? factor_.diagonal(i) : (lower(i, j) ? factor_.lower(place_[e]) : factor_.upper(place_[e]));
  }
  void set_identity() { factor_.set_identity(true); }
  bool factor() { return factor_.factor_lu(); }
  void solve(double* x) { factor_.solve(x); }

 private:
  BlockFactor factor_;
  std::vector<int> place_;  // block of the factor of every stored block of G
};

}  // namespace stiction
