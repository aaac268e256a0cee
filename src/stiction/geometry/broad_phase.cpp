// SPDX-License-Identifier: BSD-2-Clause
// Sort and sweep: boxes sorted by their lower x; each is compared with those that begin before it ends. Infinite boxes
// (half-spaces) come first and are compared with all. Pairs are sorted at the end, so that the sweep has no influence on
// the result. Insertion sort from the last order: nearly linear when little moves.
// Cost n log n + comparisons; a column of boxes above each other compares all pairs.
#include <stiction/geometry/broad_phase.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stiction {

void BroadPhase::overlaps(const std::vector<Aabb>& boxes, std::vector<std::pair<int, int>>& pairs) {
  pairs.clear();
  const std::size_t n = boxes.size();
  if (order_.size() != n) {
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), 0);
  }
  const auto at = [&](int i) -> const Aabb& { return boxes[static_cast<std::size_t>(i)]; };
  const auto before = [&](int i, int j) { return at(i).lo.x() < at(j).lo.x(); };
  for (std::size_t i = 1; i < n; ++i) {
    const int moved = order_[i];
    std::size_t k = i;
    for (; k > 0 && before(moved, order_[k - 1]); --k) order_[k] = order_[k - 1];
    order_[k] = moved;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Aabb& a = at(order_[i]);
    const double end = a.hi.x(), y0 = a.lo.y(), y1 = a.hi.y(), z0 = a.lo.z(), z1 = a.hi.z();
    for (std::size_t k = i + 1; k < n; ++k) {
      const Aabb& b = at(order_[k]);
      if (b.lo.x() > end) break;
      if (b.lo.y() <= y1 && y0 <= b.hi.y() && b.lo.z() <= z1 && z0 <= b.hi.z())
        pairs.push_back(std::minmax(order_[i], order_[k]));
    }
  }
  std::sort(pairs.begin(), pairs.end());
}

}  // namespace stiction
