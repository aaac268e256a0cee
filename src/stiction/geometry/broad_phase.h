// SPDX-License-Identifier: BSD-2-Clause
// Pairs of boxes that overlap, by sort and sweep. The result is sorted and depends on the boxes alone.
#pragma once

#include <stiction/geometry/shape.h>

#include <utility>
#include <vector>

namespace stiction {

class BroadPhase {
 public:
  // Replaces `pairs` by all (i, j), i < j, whose boxes overlap, in ascending order.
  void overlaps(const std::vector<Aabb>& boxes, std::vector<std::pair<int, int>>& pairs);

 private:
  std::vector<int> order_;                  // kept only as a starting point for sorting; no influence on the result
  std::vector<Aabb> sorted_;                // scratch
  std::vector<std::pair<int, int>> found_;  // scratch
  std::vector<int> first_, near_;           // scratch
};

}  // namespace stiction
