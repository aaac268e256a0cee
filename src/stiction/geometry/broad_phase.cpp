// SPDX-License-Identifier: BSD-2-Clause
// Sort and sweep in strips: the extent along y is cut into strips of about two boxes' width, and a box stands in every strip that it
// reaches. Within a strip boxes are sorted by their lower x; each is compared with those that begin before it ends. A pair that shares
// several strips counts in the first of them. Infinite boxes come first and are compared with all.
// Pairs are sorted at the end, so that strips and sweep have no influence on the result. Insertion sort from the last order: nearly
// linear when little moves.
// Cost n log n + comparisons; a column of boxes above each other compares all pairs.
#include <stiction/geometry/broad_phase.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stiction {
namespace {

constexpr int kBoxesPerStrip = 8;    // fewer, and boxes stand in too many strips
constexpr double kStripWidth = 2.0;  // of the median box

}  // namespace

int BroadPhase::Strips::of(double y) const {
  const double strip = (y - low) * per_width;
  return strip > 0.0 ? (strip < count ? static_cast<int>(strip) : count - 1) : 0;
}

void BroadPhase::sort_along_x(const std::vector<Aabb>& boxes) {
  const std::size_t n = boxes.size();
  const auto before = [&](int i, int j) { return boxes[i].lo.x() < boxes[j].lo.x(); };
  if (order_.size() != n) {
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), before);
  }
  for (std::size_t i = 1; i < n; ++i) {
    const int moved = order_[i];
    std::size_t k = i;
    for (; k > 0 && before(moved, order_[k - 1]); --k) order_[k] = order_[k - 1];
    order_[k] = moved;
  }
}

void BroadPhase::fill_strips(const std::vector<Aabb>& boxes) {
  const int n = static_cast<int>(boxes.size());
  double low = 0.0, high = 0.0;
  widths_.clear();
  for (const Aabb& b : boxes) {
    const double width = b.hi.y() - b.lo.y(), middle = 0.5 * (b.lo.y() + b.hi.y());
    if (!std::isfinite(width)) continue;
    low = widths_.empty() ? middle : std::min(low, middle), high = widths_.empty() ? middle : std::max(high, middle);
    widths_.push_back(width);
  }
  strips_ = {low, 0.0, 1};
  if (!widths_.empty() && high > low) {
    const auto median = widths_.begin() + static_cast<std::ptrdiff_t>(widths_.size() / 2);
    std::nth_element(widths_.begin(), median, widths_.end());
    const double wanted = *median > 0.0 ? (high - low) / (kStripWidth * *median) : n;
    strips_.count = static_cast<int>(std::clamp(wanted, 1.0, std::max(1.0, 1.0 * n / kBoxesPerStrip)));
    strips_.per_width = strips_.count / (high - low);
  }
  strip_start_.assign(strips_.count + 1, 0);
  for (const Aabb& b : boxes)
    for (int s = strips_.of(b.lo.y()), last = strips_.of(b.hi.y()); s <= last; ++s) ++strip_start_[s + 1];
  std::partial_sum(strip_start_.begin(), strip_start_.end(), strip_start_.begin());
  const int entries = strip_start_.back();
  sorted_.resize(entries), number_.resize(entries), lowest_.resize(entries), near_.resize(entries + 1);
  for (const int i : order_) {
    const Aabb& b = boxes[i];
    const int first = strips_.of(b.lo.y()), last = strips_.of(b.hi.y());
    for (int s = first; s <= last; ++s) {
      const int k = strip_start_[s]++;
      sorted_[k] = b, number_[k] = i, lowest_[k] = first;
    }
  }
  std::copy_backward(strip_start_.begin(), strip_start_.end() - 1, strip_start_.end());
  strip_start_[0] = 0;
}

void BroadPhase::sweep_strip(int strip) {
  const int end = strip_start_[strip + 1];
  for (int i = strip_start_[strip]; i < end; ++i) {
    const double x1 = sorted_[i].hi.x(), y0 = sorted_[i].lo.y(), y1 = sorted_[i].hi.y(), z0 = sorted_[i].lo.z(),
                 z1 = sorted_[i].hi.z();
    const bool own = lowest_[i] == strip;
    int count = 0;  // candidates are written without a branch: which of them overlap is as good as random
    for (int k = i + 1; k < end && sorted_[k].lo.x() <= x1; ++k) {
      const Aabb& b = sorted_[k];
      near_[count] = number_[k];
      count +=
          (b.lo.y() <= y1) & (y0 <= b.hi.y()) & (b.lo.z() <= z1) & (z0 <= b.hi.z()) & (own | (lowest_[k] == strip));
    }
    for (int k = 0; k < count; ++k) {
      found_.push_back(std::minmax(number_[i], near_[k]));
      ++first_[found_.back().first + 1];
    }
  }
}

// Counting sort by i, then each short run by j.
void BroadPhase::sort_pairs(std::size_t boxes, std::vector<std::pair<int, int>>& pairs) {
  for (std::size_t i = 0; i < boxes; ++i) first_[i + 1] += first_[i];
  pairs.resize(found_.size());
  for (const auto& pair : found_) pairs[first_[pair.first]++] = pair;
  for (std::size_t i = 1; i < pairs.size(); ++i) {
    const auto moved = pairs[i];
    std::size_t k = i;
    for (; k > 0 && moved < pairs[k - 1]; --k) pairs[k] = pairs[k - 1];
    pairs[k] = moved;
  }
}

void BroadPhase::overlaps(const std::vector<Aabb>& boxes, std::vector<std::pair<int, int>>& pairs) {
  sort_along_x(boxes);
  fill_strips(boxes);
  found_.clear();
  first_.assign(boxes.size() + 1, 0);
  for (int strip = 0; strip < strips_.count; ++strip) sweep_strip(strip);
  sort_pairs(boxes.size(), pairs);
}

}  // namespace stiction
