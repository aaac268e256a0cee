// SPDX-License-Identifier: BSD-2-Clause
// Pairs that are far apart need no look until their geoms have moved. A pair that was once known to be at least d apart still is at
// least d − (ways of both since then) apart. The ways are summed per geom, so a pair that sleeps costs one comparison:
//   wake = d + way_a + way_b when it was measured,     distance now ≥ wake − way_a − way_b.
// Most are not even asked for this: no pair comes nearer in a step than twice the longest way of all geoms, and so one number, the
// sum of these, says which pairs may be due; and one number for sixteen pairs, the least of theirs, whether any of them is.
// The motion of a floating base does not bring the parts of its robot nearer to each other: pairs within such a tree are a group of
// their own, whose ways are seen from the base.
// Nothing that is found depends on what is remembered here.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace stiction {

class PairSchedule {
 public:
  enum Group { across, within };  // ways seen from the world, from the base of the tree

  // `group`: per pair.
  void resize(std::size_t geoms, const std::vector<Group>& group) {
    for (Kind& kind : kinds_)
      if (kind.way.size() != geoms) kind.way.assign(geoms, 0.0);
    if (wake_.size() == group.size()) return;
    group_ = group;
    slot_.resize(group.size());
    wake_.assign(group.size(), kAtOnce);
    for (Kind& kind : kinds_) kind.pairs.clear();
    for (std::size_t n = 0; n < group.size(); ++n) {
      slot_[n] = static_cast<int>(kinds_[group[n]].pairs.size());
      kinds_[group[n]].pairs.push_back(static_cast<int>(n));
    }
    for (Kind& kind : kinds_) {
      kind.due.assign(kind.pairs.size(), kAtOnce);
      kind.least.assign((kind.pairs.size() + kBlock - 1) / kBlock, kAtOnce);
    }
  }

  // Between begin() and end() every geom that moves, once for each group that has it: no point of its bounding ball has moved farther.
  void begin() {
    for (Kind& kind : kinds_) kind.longest = 0.0;
  }
  void move(Group group, int geom, double way) {
    const double safe = way * (1.0 + 1e-9) + 1e-12;
    Kind& kind = kinds_[group];
    kind.way[geom] += safe;
    kind.longest = std::max(kind.longest, safe);
  }
  void end() {
    for (Kind& kind : kinds_) kind.clock += 2.0 * kind.longest;
  }

  // All pairs that may be nearer than the distance of their group, in ascending order.
  void find_due(double distance_across, double distance_within, std::vector<int>& out) {
    out.clear();
    find_due(kinds_[across], distance_across, out);
    const auto middle = static_cast<std::ptrdiff_t>(out.size());
    find_due(kinds_[within], distance_within, out);
    if (middle == 0 || out.begin() + middle == out.end()) return;
    merged_.resize(out.size());
    std::merge(out.begin(), out.begin() + middle, out.begin() + middle, out.end(), merged_.begin());
    out.swap(merged_);
  }
  Group group(int pair) const { return group_[pair]; }
  // Of a pair that is due: whether it is farther apart. Then it is due later.
  bool is_beyond(int pair, int a, int b, double distance) {
    const double least = this->distance(pair, a, b);
    if (!(least > distance)) return false;
    set_due(pair, least);
    return true;
  }
  // Lower bound of the distance.
  double distance(int pair, int a, int b) const {
    const std::vector<double>& way = kinds_[group_[pair]].way;
    return wake_[pair] - way[a] - way[b];
  }
  void note(int pair, int a, int b, double distance) {
    const std::vector<double>& way = kinds_[group_[pair]].way;
    wake_[pair] = distance + way[a] + way[b];
    set_due(pair, distance);
  }

 private:
  static constexpr std::size_t kBlock = 16;
  static constexpr double kAtOnce = -std::numeric_limits<double>::infinity();
  struct Kind {
    std::vector<double> way;    // per geom [m]
    std::vector<int> pairs;     // of this group
    std::vector<double> due;    // of these: the distance when it was last known, and the clock then [m]
    std::vector<double> least;  // of sixteen of them; smaller ones are made right when they are looked at [m]
    double clock = 0.0, longest = 0.0;
  };

  static void find_due(Kind& kind, double distance, std::vector<int>& out) {
    const double limit = kind.clock + distance;
    for (std::size_t block = 0; block < kind.least.size(); ++block) {
      if (kind.least[block] > limit) continue;
      const std::size_t last = std::min((block + 1) * kBlock, kind.due.size());
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t n = block * kBlock; n < last; ++n) {
        least = std::min(least, kind.due[n]);
        if (!(kind.due[n] > limit)) out.push_back(kind.pairs[n]);
      }
      kind.least[block] = least;
    }
  }
  void set_due(int pair, double distance) {
    Kind& kind = kinds_[group_[pair]];
    const int slot = slot_[pair];
    kind.due[slot] = distance + kind.clock;
    double& least = kind.least[static_cast<std::size_t>(slot) / kBlock];
    least = std::min(least, kind.due[slot]);
  }

  Kind kinds_[2];
  std::vector<Group> group_;  // per pair
  std::vector<int> slot_;     // per pair: its place in the group
  std::vector<double> wake_;  // per pair [m]
  std::vector<int> merged_;   // scratch
};

}  // namespace stiction
