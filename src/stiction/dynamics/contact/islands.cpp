// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/disjoint_sets.h>
#include <stiction/dynamics/contact/islands.h>

#include <numeric>

namespace stiction {
namespace {

int tree_of(const Layout& layout, const RowBlock& block, int side) { return layout.bodies[block.side[side].body].tree; }

}  // namespace

void Islands::find(const Layout& layout, int trees, const RowSet& rows) {
  const std::size_t n = rows.blocks.size();
  block.resize(n);
  if (n == 0) {
    start.assign(1, 0);
    return;
  }
  if (trees == 1) {
    start.assign({0, static_cast<int>(n)});
    std::iota(block.begin(), block.end(), 0);
    return;
  }
  parent_.resize(trees);
  std::iota(parent_.begin(), parent_.end(), 0);
  for (const RowBlock& b : rows.blocks) {
    if (b.sides < 2) continue;
    merge_sets(parent_, tree_of(layout, b, 0), tree_of(layout, b, 1));
  }
  island_of_tree_.assign(trees, -1);
  island_of_block_.resize(n);
  start.assign(1, 0);  // start[i + 1] counts the blocks of island i first
  for (std::size_t i = 0; i < n; ++i) {
    int& island = island_of_tree_[root_of(parent_, tree_of(layout, rows.blocks[i], 0))];
    if (island < 0) island = static_cast<int>(start.size()) - 1, start.push_back(0);
    island_of_block_[i] = island;
    ++start[island + 1];
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  fill_.assign(start.begin(), start.end() - 1);
  for (std::size_t i = 0; i < n; ++i) block[fill_[island_of_block_[i]]++] = static_cast<int>(i);
}

}  // namespace stiction
