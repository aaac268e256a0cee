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
  const auto at = [&](int i) -> const Aabb& { return boxes[i]; };
  const auto before = [&](int i, int j) { return at(i).lo.x() < at(j).lo.x(); };
  for (std::size_t i = 1; i < n; ++i) {
    const int moved = order_[i];
    std::size_t k = i;
    for (; k > 0 && before(moved, order_[k - 1]); --k) order_[k] = order_[k - 1];
    order_[k] = moved;
  }
  sorted_.resize(n);
  for (std::size_t i = 0; i < n; ++i) sorted_[i] = at(order_[i]);
  found_.clear();
  first_.assign(n + 1, 0);
  near_.resize(n + 1);
  for (std::size_t i = 0; i < n; ++i) {
    const double end = sorted_[i].hi.x(), y0 = sorted_[i].lo.y(), y1 = sorted_[i].hi.y(), z0 = sorted_[i].lo.z(),
                 z1 = sorted_[i].hi.z();
    std::size_t count = 0;  // candidates are written without a branch: which of them overlap is as good as random
    for (std::size_t k = i + 1; k < n && sorted_[k].lo.x() <= end; ++k) {
      const Aabb& b = sorted_[k];
      near_[count] = order_[k];
      count += (b.lo.y() <= y1) & (y0 <= b.hi.y()) & (b.lo.z() <= z1) & (z0 <= b.hi.z());
    }
    for (std::size_t k = 0; k < count; ++k) {
      found_.push_back(std::minmax(order_[i], near_[k]));
      ++first_[found_.back().first + 1];
    }
  }
  // Counting sort by i, then each short run by j.
  for (std::size_t i = 0; i < n; ++i) first_[i + 1] += first_[i];
  pairs.resize(found_.size());
  for (const auto& pair : found_) pairs[first_[pair.first]++] = pair;
  for (std::size_t i = 1; i < pairs.size(); ++i) {
    const auto moved = pairs[i];
    std::size_t k = i;
    for (; k > 0 && moved < pairs[k - 1]; --k) pairs[k] = pairs[k - 1];
    pairs[k] = moved;
  }
}

}  // namespace stiction
