// SPDX-License-Identifier: BSD-2-Clause
// Pairs of boxes that overlap, by sort and sweep in strips. The result is sorted and depends on the boxes alone.
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
  void sort_along_x(const std::vector<Aabb>& boxes);
  void fill_strips(const std::vector<Aabb>& boxes);
  void sweep_strip(int strip);
  void sort_pairs(std::size_t boxes, std::vector<std::pair<int, int>>& pairs);

  std::vector<int> order_;  // kept only as a starting point for sorting; no influence on the result
  struct Strips {
    double low = 0.0, per_width = 0.0;  // along y
    int count = 1;
    int of(double y) const;
  } strips_;
  std::vector<int> strip_start_, number_,
      lowest_;                  // scratch: of the entries of strips, their boxes and the first strip of these
  std::vector<double> widths_;  // scratch
  std::vector<Aabb> sorted_;    // scratch: by strip, then by x
  std::vector<std::pair<int, int>> found_;  // scratch
  std::vector<int> first_, near_;           // scratch
};

}  // namespace stiction
