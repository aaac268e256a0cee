// SPDX-License-Identifier: BSD-2-Clause
// Pairs that are far apart need no look until their geoms have moved. A pair that was once known to be at least d apart still is at
// least d − (ways of both since then) apart. The ways are summed per geom, so a pair that sleeps costs one comparison:
//   wake = d + way_a + way_b when it was measured,     distance now ≥ wake − way_a − way_b.
// Most are not even asked for this: no pair comes nearer in a step than twice the longest way of all geoms, and so one number, the
// sum of these, says which pairs may be due.
// Nothing that is found depends on what is remembered here.
#pragma once

#include <stiction/base/types.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace stiction {

class PairSchedule {
 public:
  void resize(std::size_t geoms, std::size_t pairs) {
    if (way_.size() != geoms) way_.assign(geoms, 0.0);
    if (wake_.size() == pairs) return;
    wake_.assign(pairs, -std::numeric_limits<double>::infinity());
    due_ = wake_;
  }

  // Between begin() and end() every geom that moves: it has a bounding ball of this radius, whose centre shifts, and it turns. A turn
  // by θ moves no point of the ball by more than 2 r sin(θ/2) = r ‖ΔR‖_F/√2 beside that.
  void begin() { longest_ = 0.0; }
  void move(int geom, double shift, const Mat3& from, const Mat3& to, double radius) {
    const double turn = radius > 0.0 ? radius * std::sqrt(0.5 * (to - from).squaredNorm()) : 0.0;
    const double way = (shift + turn) * (1.0 + 1e-9) + 1e-12;
    way_[geom] += way;
    longest_ = std::max(longest_, way);
  }
  void end() { clock_ += 2.0 * longest_; }

  // All pairs that may be nearer than this.
  void find_due(double distance, std::vector<int>& out) const {
    out.clear();
    const double limit = clock_ + distance, *due = due_.data();
    const std::size_t size = due_.size(), whole = size - size % kBlock;
    for (std::size_t n = 0; n < whole; n += kBlock)
      if (!all_above(due + n, limit)) append_due(n, n + kBlock, limit, out);
    append_due(whole, size, limit, out);
  }
  // Of a pair that is due: whether it is farther apart. Then it is due later.
  bool is_beyond(int pair, int a, int b, double distance) {
    const double least = this->distance(pair, a, b);
    if (!(least > distance)) return false;
    due_[pair] = least + clock_;
    return true;
  }
  // Lower bound of the distance.
  double distance(std::size_t pair, int a, int b) const { return wake_[pair] - way_[a] - way_[b]; }
  void note(int pair, int a, int b, double distance) {
    wake_[pair] = distance + way_[a] + way_[b];
    due_[pair] = distance + clock_;
  }

 private:
  static constexpr std::size_t kBlock = 16;

  // Whether all numbers of a block are above the limit: two comparisons at once.
  static bool all_above(const double* x, double limit) {
    using Two = double __attribute__((vector_size(16), aligned(8), may_alias));
    using Bits = long long __attribute__((vector_size(16)));
    const Two* two = reinterpret_cast<const Two*>(x);
    const Two bound = {limit, limit};
    Bits all = two[0] > bound;
    for (std::size_t k = 1; k < kBlock / 2; ++k) all &= two[k] > bound;
    return (all[0] & all[1]) != 0;
  }
  void append_due(std::size_t first, std::size_t last, double limit, std::vector<int>& out) const {
    for (std::size_t n = first; n < last; ++n)
      if (!(due_[n] > limit)) out.push_back(static_cast<int>(n));
  }

  std::vector<double> way_;   // per geom [m]
  std::vector<double> wake_;  // per pair [m]
  std::vector<double> due_;   // per pair: its distance when it was last known, and the clock then [m]
  double clock_ = 0.0, longest_ = 0.0;
};

}  // namespace stiction
