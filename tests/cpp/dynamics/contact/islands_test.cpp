// SPDX-License-Identifier: BSD-2-Clause
// Oracle: islands found by a flood over random graphs of trees and blocks.
#include <gtest/gtest.h>
#include <stiction/dynamics/contact/islands.h>
#include <stiction/model/world/world_builder.h>

#include <memory>
#include <random>

namespace stiction {
namespace {

// n free bodies, far apart: body i is tree i.
std::shared_ptr<const World> free_bodies(int n) {
  WorldBuilder builder;
  BodyOptions body;
  for (int i = 0; i < n; ++i) body.position.x() = 10.0 * i, builder.add_body(make_sphere(0.5), 1.0, body);
  return builder.compile();
}

struct Graph {
  int trees;
  RowSet rows;
  void block(int a, int b = -1) {
    RowBlock& block = rows.blocks.emplace_back();
    block.rows = 3;
    block.side[block.sides++].body = a;
    if (b >= 0) block.side[block.sides++].body = b;
  }
};

// Islands as lists of blocks: the lowest label of the trees that blocks tie together, spread until nothing changes.
std::vector<std::vector<int>> flooded(const Graph& graph) {
  std::vector<int> label(graph.trees);
  for (int i = 0; i < graph.trees; ++i) label[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (const RowBlock& b : graph.rows.blocks) {
      if (b.sides < 2) continue;
      int &x = label[b.side[0].body], &y = label[b.side[1].body];
      if (x != y) x = y = std::min(x, y), changed = true;
    }
  }
  std::vector<std::vector<int>> out;
  std::vector<int> island(graph.trees, -1);
  for (int i = 0; i < static_cast<int>(graph.rows.blocks.size()); ++i) {
    int& at = island[label[graph.rows.blocks[i].side[0].body]];
    if (at < 0) at = static_cast<int>(out.size()), out.emplace_back();
    out[at].push_back(i);
  }
  return out;
}

std::vector<std::vector<int>> found_islands(const Layout& layout, const Graph& graph, Islands& islands) {
  islands.find(layout, graph.trees, graph.rows);
  std::vector<std::vector<int>> out;
  for (int i = 0; i < islands.count(); ++i)
    out.emplace_back(islands.block.begin() + islands.start[i], islands.block.begin() + islands.start[i + 1]);
  return out;
}

TEST(IslandsOfBlocks, RandomGraphs) {
  const int trees = 30;
  const auto world = free_bodies(trees);
  const Layout layout(*world);
  std::mt19937_64 rng(11);
  std::uniform_int_distribution<int> tree(0, trees - 1);
  Islands islands;  // one object: scratch of one graph must not reach the next
  for (int round = 0; round < 300; ++round) {
    Graph graph{trees, {}};
    const int blocks = 1 + round % 60;
    for (int i = 0; i < blocks; ++i) {
      const int a = tree(rng), b = tree(rng);
      graph.block(a, a == b || i % 4 == 0 ? -1 : b);
    }
    ASSERT_EQ(found_islands(layout, graph, islands), flooded(graph)) << "graph " << round;
  }
}

TEST(IslandsOfBlocks, AChainInAnyOrderIsOneIsland) {
  const int trees = 12;
  const auto world = free_bodies(trees);
  const Layout layout(*world);
  std::vector<int> order(trees - 1);
  for (int i = 0; i < trees - 1; ++i) order[i] = i;
  std::mt19937_64 rng(2);
  for (int round = 0; round < 50; ++round) {
    std::shuffle(order.begin(), order.end(), rng);
    Graph graph{trees, {}};
    for (const int i : order) graph.block(i, i + 1);
    Islands islands;
    EXPECT_EQ(found_islands(layout, graph, islands).size(), 1u);
  }
}

TEST(IslandsOfBlocks, TheWorldTiesNothingTogether) {
  const auto world = free_bodies(3);
  const Layout layout(*world);
  Graph graph{3, {}};
  for (const int tree : {2, 0, 2, 1}) graph.block(tree);
  Islands islands;
  const std::vector<std::vector<int>> wanted{{0, 2}, {1}, {3}};  // in the order of their first blocks
  EXPECT_EQ(found_islands(layout, graph, islands), wanted);
}

TEST(IslandsOfBlocks, NoBlocksNoIslands) {
  const auto world = free_bodies(3);
  const Layout layout(*world);
  Islands islands;
  EXPECT_EQ(islands.count(), 0);
  Graph graph{3, {}};
  graph.block(0, 1);
  EXPECT_EQ(found_islands(layout, graph, islands).size(), 1u);
  graph.rows.clear();
  EXPECT_EQ(found_islands(layout, graph, islands).size(), 0u);
}

TEST(IslandsOfBlocks, OneTreeIsOneIsland) {
  const auto world = free_bodies(1);
  const Layout layout(*world);
  Graph graph{1, {}};
  for (int i = 0; i < 3; ++i) graph.block(0);
  Islands islands;
  const std::vector<std::vector<int>> wanted{{0, 1, 2}};
  EXPECT_EQ(found_islands(layout, graph, islands), wanted);
}

}  // namespace
}  // namespace stiction
