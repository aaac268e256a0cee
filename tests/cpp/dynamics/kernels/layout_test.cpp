// SPDX-License-Identifier: BSD-2-Clause
// The numbering that all kernels rely on, against ancestors walked one by one.
#include <gtest/gtest.h>

#include <algorithm>

#include "dynamics/dense_oracle.h"

namespace stiction {
namespace {

using test::RandomTree;

class LayoutOfTree : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(RandomTrees, LayoutOfTree, ::testing::Range(0, 6));

// Velocities that move a body, root first.
std::vector<int> velocities_above(const World& world, int body) {
  std::vector<int> out;
  for (int i = body; i != kWorldBody; i = world.bodies[i].parent)
    for (int d = sizes(world.bodies[i].joint).nv - 1; d >= 0; --d) out.push_back(world.bodies[i].v + d);
  std::reverse(out.begin(), out.end());
  return out;
}

TEST_P(LayoutOfTree, ChainsAreTheAncestors) {
  const RandomTree tree(GetParam());
  const Layout layout(tree.world);
  for (int i = 0; i < static_cast<int>(tree.world.bodies.size()); ++i) {
    const auto first = layout.chain.begin() + layout.bodies[i].chain;
    EXPECT_EQ(std::vector<int>(first, first + layout.bodies[i].length), velocities_above(tree.world, i));
  }
}

TEST_P(LayoutOfTree, CommonPrefix) {
  const RandomTree tree(GetParam());
  const Layout layout(tree.world);
  for (const Tree& t : tree.world.trees) {
    for (int a = t.first_body; a < t.first_body + t.bodies; ++a) {
      for (int b = t.first_body; b < t.first_body + t.bodies; ++b) {
        const auto x = velocities_above(tree.world, a), y = velocities_above(tree.world, b);
        const auto end = std::mismatch(x.begin(), x.end(), y.begin(), y.end()).first;
        EXPECT_EQ(layout.common(a, b), end - x.begin());
      }
    }
  }
}

// Row j holds the entries 0 … depth of its own chain, and the rows of a world lie one after the other.
TEST_P(LayoutOfTree, PackedRowsFillTheStore) {
  const RandomTree tree(GetParam());
  const Layout layout(tree.world);
  int next = 0;
  for (int j = 0; j < tree.world.nv; ++j) {
    EXPECT_EQ(layout.row[j], next);
    EXPECT_EQ(layout.chain[layout.chain_of[j] + layout.depth[j]], j);
    next += layout.depth[j] + 1;
  }
  EXPECT_EQ(layout.packed, next);
}

TEST(LayoutOfWorld, KnowsItsFreeBodyAndItsTorques) {
  RandomTree tree(1);  // fixed root
  tree.world.ntau = 1, tree.world.tau_velocity = {0};
  const Layout layout(tree.world);
  EXPECT_TRUE(layout.bodies.back().free_body);
  EXPECT_EQ(layout.bodies.back().tau, -1);
  EXPECT_EQ(layout.bodies.back().code, JointCode::root_free);
  EXPECT_FALSE(layout.bodies.front().free_body);
  EXPECT_EQ(layout.bodies.front().tau, 0);
}

TEST(LayoutOfWorld, AxisAlignedJointsAreRecognised) {
  for (int axis = 0; axis < 3; ++axis) {
    RandomTree tree(1, 1);
    tree.world.bodies[0].axis = Vec3::Unit(axis);
    const JointCode codes[] = {JointCode::revolute_x, JointCode::revolute_y, JointCode::revolute_z};
    EXPECT_EQ(Layout(tree.world).bodies[0].code, codes[axis]);
    tree.world.bodies[0].axis = Vec3(1, 1, 0).normalized();
    EXPECT_EQ(Layout(tree.world).bodies[0].code, JointCode::revolute);
  }
}

}  // namespace
}  // namespace stiction
