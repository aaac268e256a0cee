// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/contact/islands.h>

#include <numeric>

namespace stiction {
namespace {

int tree_of(const Layout& layout, const RowBlock& block, int side) {
  return layout.bodies[static_cast<std::size_t>(block.side[side].body)].tree;
}

}  // namespace

int Islands::root(int tree) {
  while (parent_[static_cast<std::size_t>(tree)] != tree) {
    int& up = parent_[static_cast<std::size_t>(tree)];
    up = parent_[static_cast<std::size_t>(up)];  // path halving
    tree = up;
  }
  return tree;
}

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
  parent_.resize(static_cast<std::size_t>(trees));
  std::iota(parent_.begin(), parent_.end(), 0);
  for (const RowBlock& b : rows.blocks) {
    if (b.sides < 2) continue;
    const int a = root(tree_of(layout, b, 0)), c = root(tree_of(layout, b, 1));
    if (a != c) parent_[static_cast<std::size_t>(std::max(a, c))] = std::min(a, c);
  }
  island_of_tree_.assign(static_cast<std::size_t>(trees), -1);
  island_of_block_.resize(n);
  start.assign(1, 0);  // start[i + 1] counts the blocks of island i first
  for (std::size_t i = 0; i < n; ++i) {
    int& island = island_of_tree_[static_cast<std::size_t>(root(tree_of(layout, rows.blocks[i], 0)))];
    if (island < 0) island = static_cast<int>(start.size()) - 1, start.push_back(0);
    island_of_block_[i] = island;
    ++start[static_cast<std::size_t>(island) + 1];
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  fill_.assign(start.begin(), start.end() - 1);
  for (std::size_t i = 0; i < n; ++i)
    block[static_cast<std::size_t>(fill_[static_cast<std::size_t>(island_of_block_[i])]++)] = static_cast<int>(i);
}

}  // namespace stiction
