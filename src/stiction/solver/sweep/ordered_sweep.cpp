// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/sweep/ordered_sweep.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace stiction {

void OrderedSweep::begin(const ContactProblem& problem, const SweepPlan& plan) {
  plan_ = plan;
  const std::size_t blocks = problem.blocks.size();
  int largest = 0;
  for (const Block& b : problem.blocks) largest = std::max(largest, b.size);
  room_ = 2 * ((largest + 7) / 8 * 8);  // whole cache lines
  scratch_.resize(plan.threads * room_);
  last_change_ = 0.0;
  if (plan.freeze > 0) {
    rest_.assign(blocks, 0);
    awake_.assign(plan.threads * kLine, 0);
  }
  if (plan.order == SweepOrder::coloured) return coloured_.begin(problem, plan.largest_first, plan.threads);
  order_.resize(blocks);
  std::iota(order_.begin(), order_.end(), 0);
  if (plan.order == SweepOrder::reversed) std::reverse(order_.begin(), order_.end());
  if (plan.order != SweepOrder::shuffled && plan.order != SweepOrder::reshuffled) return;
  random_ = Random(static_cast<std::uint64_t>(plan.seed));
  if (plan.order == SweepOrder::shuffled) shuffle();
}

void OrderedSweep::shuffle() {
  for (int k = static_cast<int>(order_.size()); k > 1; --k) std::swap(order_[k - 1], order_[random_.index(k)]);
}

bool OrderedSweep::rests(int block) {
  int& sweeps = rest_[block];
  if (sweeps == 0) return false;
  --sweeps;
  return true;
}

void OrderedSweep::rest_if_small(int block, double change) {
  if (change < kSmall * kSmall * last_change_) rest_[block] = plan_.freeze;
}

// True if the last sweep visited nobody.
bool OrderedSweep::wake_all() {
  const bool idle = std::accumulate(awake_.begin(), awake_.end(), 0) == 0;
  std::fill(awake_.begin(), awake_.end(), 0);
  if (idle) std::fill(rest_.begin(), rest_.end(), 0);
  return idle;
}

}  // namespace stiction
