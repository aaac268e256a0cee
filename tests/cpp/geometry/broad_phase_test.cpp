// SPDX-License-Identifier: BSD-2-Clause
// Oracle: all pairs by brute force, in ascending order, whatever was asked before.
#include <gtest/gtest.h>
#include <stiction/geometry/broad_phase.h>

#include "geometry/geometry_support.h"
#include "support/heap_count.h"

namespace stiction {
namespace {

TEST(BroadPhase, FindsAllPairsInOrderWhateverCameBefore) {
  test::Dice dice(31);
  BroadPhase kept;
  std::vector<std::pair<int, int>> pairs, fresh_pairs, expected;
  for (int round = 0; round < 50; ++round) {
    std::vector<Aabb> boxes;
    for (int i = 0; i < 5 + 4 * round; ++i) {
      const Vec3 c = dice.vec(1.0), r = dice.vec(0.3).cwiseAbs();
      boxes.push_back({c - r, c + r});
    }
    boxes[static_cast<std::size_t>(round) % boxes.size()] = bounds(make_half_space(), {});
    kept.overlaps(boxes, pairs);
    BroadPhase().overlaps(boxes, fresh_pairs);
    expected.clear();
    for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
      for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j)
        if (boxes[static_cast<std::size_t>(i)].overlaps(boxes[static_cast<std::size_t>(j)]))
          expected.emplace_back(i, j);
    EXPECT_EQ(pairs, expected);
    EXPECT_EQ(fresh_pairs, expected);
  }
}

TEST(BroadPhase, AllocatesNothingTheSecondTime) {
  if (!test::kCountsAllocations) GTEST_SKIP();
  test::Dice dice(32);
  std::vector<Aabb> boxes;
  for (int i = 0; i < 100; ++i) {
    const Vec3 c = dice.vec(1.0), r = dice.vec(0.3).cwiseAbs();
    boxes.push_back({c - r, c + r});
  }
  BroadPhase broad;
  std::vector<std::pair<int, int>> pairs;
  broad.overlaps(boxes, pairs);
  const test::HeapCount heap;
  broad.overlaps(boxes, pairs);
  EXPECT_EQ(heap.count(), 0);
}

TEST(BroadPhase, TouchingBoxesCountAndNothingIsFine) {
  BroadPhase broad;
  std::vector<std::pair<int, int>> pairs{{1, 2}};
  broad.overlaps({}, pairs);
  EXPECT_TRUE(pairs.empty());
  broad.overlaps({{Vec3::Zero(), Vec3::Ones()}, {Vec3::Ones(), 2.0 * Vec3::Ones()}}, pairs);
  EXPECT_EQ(pairs.size(), 1u);
}

}  // namespace
}  // namespace stiction
