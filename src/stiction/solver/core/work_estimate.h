// SPDX-License-Identifier: BSD-2-Clause
// What a sweep and a Newton step cost, in multiply-adds of plain code, counted from the problem and not measured: `auto` weighs
// one against the other, and must choose alike on every machine. The constants come from timings: a one-contact solve is worth
// 100 multiply-adds of a sparse product, and dense factorisations run four times as fast as these.
#pragma once

#include <stiction/problem/contact_problem.h>

#include <algorithm>

namespace stiction {

inline double sweep_work(const ContactProblem& p) {
  const double rows = p.rows(), blocks = static_cast<double>(p.blocks.size());
  switch (p.G.storage) {
    case Delassus::Storage::block_sparse:
      return static_cast<double>(p.G.values.size()) + 100.0 * blocks;
    case Delassus::Storage::body_space:
      return 2.0 * static_cast<double>(p.G.body.values.size()) + 100.0 * blocks;
    default:
      return rows * rows + 100.0 * blocks;
  }
}

// A Newton step. Block-sparse: elimination without fill, and so a lower bound; body space: what is not elimination.
inline double newton_work(const ContactProblem& p) {
  const double rows = p.rows(), products = 4.0 * rows * rows;
  const double dense = rows * rows * rows / 12.0 + products;
  if (p.G.storage == Delassus::Storage::body_space)
    return std::min(dense, 30.0 * static_cast<double>(p.G.body.values.size()));
  if (p.G.storage != Delassus::Storage::block_sparse) return dense;
  double sparse = 4.0 * static_cast<double>(p.G.values.size());
  for (int i = 0; i < p.G.blocks(); ++i) {
    const double degree = p.G.row_start[i + 1] - p.G.row_start[i];
    sparse += 27.0 * degree * degree;
  }
  return std::min(sparse, dense);
}

}  // namespace stiction
