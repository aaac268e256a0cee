// SPDX-License-Identifier: BSD-2-Clause
// G of any storage as a dense row-major matrix. `unit` and `scratch` only grow.
#pragma once

#include <stiction/problem/delassus.h>

#include <algorithm>
#include <vector>

namespace stiction {

inline void write_out(const Delassus& G, std::vector<double>& out, GrowingVec& unit, GrowingVec& scratch) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const int n = G.rows();
  out.resize(at(n) * at(n));
  if (G.storage == Delassus::Storage::dense) {
    std::copy(G.dense.begin(), G.dense.end(), out.begin());
    return;
  }
  std::fill(out.begin(), out.end(), 0.0);
  if (G.storage == Delassus::Storage::block_sparse) {
    for (int i = 0; i < G.blocks(); ++i)
      for (int k = G.row_start[at(i)]; k < G.row_start[at(i) + 1]; ++k) {
        const int j = G.column[at(k)], first = G.start[at(j)], cols = G.start[at(j) + 1] - first;
        const double* block = G.values.data() + G.value_start[at(k)];
        for (int r = G.start[at(i)]; r < G.start[at(i) + 1]; ++r, block += cols)
          std::copy_n(block, cols, out.data() + at(r) * at(n) + first);
      }
    return;
  }
  unit.assign(n, 0.0);
  for (int j = 0; j < n; ++j) {  // symmetric: column j is row j
    unit[j] = 1.0;
    G.multiply(unit.data(), out.data() + at(j) * at(n), scratch);
    unit[j] = 0.0;
  }
}

}  // namespace stiction
