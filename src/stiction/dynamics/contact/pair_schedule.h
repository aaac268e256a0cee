// SPDX-License-Identifier: BSD-2-Clause
// Pairs that are far apart need no look until their geoms have moved. A pair that was once known to be at least d apart still is at
// least d − (ways of both since then) apart. The ways are summed per geom, so a pair that sleeps costs one comparison:
//   wake = d + way_a + way_b when it was measured,     distance now ≥ wake − way_a − way_b.
// Nothing that is found depends on what is remembered here.
#pragma once

#include <stiction/base/types.h>

#include <cmath>
#include <limits>
#include <vector>

namespace stiction {

class PairSchedule {
 public:
  void resize(std::size_t geoms, std::size_t pairs) {
    if (way_.size() != geoms) way_.assign(geoms, 0.0);
    if (wake_.size() != pairs) wake_.assign(pairs, -std::numeric_limits<double>::infinity());
  }
  // A geom with a bounding ball of this radius goes from one pose to another; `shift` is the way of the ball's centre. A turn by θ moves
  // no point of the ball by more than 2 r sin(θ/2) = r ‖ΔR‖_F/√2 beside that.
  void move(int geom, double shift, const Mat3& from, const Mat3& to, double radius) {
    const double turn = radius > 0.0 ? radius * std::sqrt(0.5 * (to - from).squaredNorm()) : 0.0;
    way_[geom] += (shift + turn) * (1.0 + 1e-9) + 1e-12;
  }
  // Lower bound of the distance.
  double distance(std::size_t pair, int a, int b) const { return wake_[pair] - way_[a] - way_[b]; }
  void note(std::size_t pair, int a, int b, double distance) { wake_[pair] = distance + way_[a] + way_[b]; }

 private:
  std::vector<double> way_;   // per geom [m]
  std::vector<double> wake_;  // per pair [m]
};

}  // namespace stiction
