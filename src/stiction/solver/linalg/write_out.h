// SPDX-License-Identifier: BSD-2-Clause
// G of any storage as a dense row-major matrix. `unit` and `scratch` only grow.
#pragma once

#include <stiction/problem/delassus.h>

#include <algorithm>
#include <vector>

namespace stiction {

inline void write_out(const Delassus& G, std::vector<double>& out, GrowingVec& unit, GrowingVec& scratch) {
  const std::ptrdiff_t n = G.rows();  // n² may not fit an int
  out.resize(n * n);
  if (G.storage == Delassus::Storage::dense) {
    std::copy(G.dense.begin(), G.dense.end(), out.begin());
    return;
  }
  std::fill(out.begin(), out.end(), 0.0);
  if (G.storage == Delassus::Storage::block_sparse) {
    for (int i = 0; i < G.blocks(); ++i)
      for (int k = G.row_start[i]; k < G.row_start[i + 1]; ++k) {
        const int j = G.column[k], first = G.start[j], cols = G.start[j + 1] - first;
        const double* block = G.values.data() + G.value_start[k];
        for (int r = G.start[i]; r < G.start[i + 1]; ++r, block += cols)
          std::copy_n(block, cols, out.data() + r * n + first);
      }
    return;
  }
  unit.assign(n, 0.0);
  for (int j = 0; j < n; ++j) {  // symmetric: column j is row j
    unit[j] = 1.0;
    G.multiply(unit.data(), out.data() + j * n, scratch);
    unit[j] = 0.0;
  }
}

}  // namespace stiction
