// SPDX-License-Identifier: BSD-2-Clause
// Blocks of rows grouped by the trees that they tie together: each island is a problem of its own.
#pragma once

#include <stiction/dynamics/contact/rows.h>

#include <vector>

namespace stiction {

struct Islands {
  std::vector<int> start;  // islands + 1, into `block`
  std::vector<int> block;  // blocks of each island, ascending
  int count() const { return start.empty() ? 0 : static_cast<int>(start.size()) - 1; }

  // Deterministic: islands are ordered by their first block.
  void find(const Layout& layout, int trees, const RowSet& rows);

 private:
  std::vector<int> parent_, island_of_tree_, island_of_block_, fill_;
};

}  // namespace stiction
