// SPDX-License-Identifier: BSD-2-Clause
// Oracle: the definition, on graphs built another way: the smallest colour that no neighbour coloured before has.
#include <gtest/gtest.h>
#include <stiction/solver/sweep/colouring.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "solver/contact_graphs.h"
#include "solver/solver_support.h"

namespace stiction {
namespace {

using test::at;
using Graph = std::vector<std::set<int>>;

std::vector<int> first_fit(const Graph& graph, bool largest_first) {
  std::vector<int> sequence(graph.size()), colour(graph.size(), -1);
  std::iota(sequence.begin(), sequence.end(), 0);
  if (largest_first)
    std::stable_sort(sequence.begin(), sequence.end(),
                     [&](int a, int b) { return graph[at(a)].size() > graph[at(b)].size(); });
  for (const int i : sequence) {
    std::set<int> taken;
    for (const int j : graph[at(i)]) taken.insert(colour[at(j)]);
    int c = 0;
    while (taken.count(c)) ++c;
    colour[at(i)] = c;
  }
  return colour;
}

void expect_sorted(const Colouring& c) {
  ASSERT_EQ(c.order().size(), c.colour().size());
  ASSERT_EQ(c.start().back(), static_cast<int>(c.order().size()));
  for (int k = 0; k < c.colours(); ++k) {
    EXPECT_LT(c.start()[at(k)], c.start()[at(k) + 1]) << "colour " << k << " is empty";
    for (int p = c.start()[at(k)]; p < c.start()[at(k) + 1]; ++p) {
      EXPECT_EQ(c.colour()[at(c.order()[at(p)])], k);
      if (p > c.start()[at(k)]) {
        EXPECT_LT(c.order()[at(p) - 1], c.order()[at(p)]);
      }
    }
  }
}

TEST(Colouring, IsFirstFitInEveryStorage) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ContactProblem p = test::random_mix(seed, 12, 40, true, 1e-3);
    const Graph graph = test::touching(p.G);
    for (const bool largest_first : {false, true}) {
      const std::vector<int> expected = first_fit(graph, largest_first);
      for (const ContactProblem& q : {p, test::with_blocks_of_g(p), test::as_dense(p)}) {
        Colouring c;
        c.update(q.G, largest_first);
        EXPECT_EQ(c.colour(), expected) << "seed " << seed << " storage " << static_cast<int>(q.G.storage);
        expect_sorted(c);
      }
    }
  }
}

// A block that only one side stores still joins the two: G_01 without G_10.
TEST(Colouring, PatternNeedNotBeSymmetric) {
  for (const bool upper : {false, true}) {
    Delassus G;
    G.storage = Delassus::Storage::block_sparse;
    G.start = {0, 3, 6};
    G.row_start = upper ? std::vector{0, 2, 3} : std::vector{0, 1, 3};
    G.column = upper ? std::vector{0, 1, 1} : std::vector{0, 0, 1};
    Colouring c;
    c.update(G, false);
    EXPECT_EQ(c.colours(), 2);
  }
}

// Oracle: table of the FCLIB problem with the same bodies, 16 colours of 266 to 300 contacts.
TEST(Colouring, WallHasSixteenColours) {
  const ContactProblem p = test::box_wall(20, 30, 0.6, 1e-2);
  ASSERT_EQ(p.blocks.size(), 4488u);
  Colouring c;
  c.update(p.G, false);
  ASSERT_EQ(c.colours(), 16);
  int smallest = 4488, largest = 0;
  for (int k = 0; k < 16; ++k) {
    const int size = c.start()[at(k) + 1] - c.start()[at(k)];
    smallest = std::min(smallest, size), largest = std::max(largest, size);
  }
  EXPECT_EQ(smallest, 266);
  EXPECT_EQ(largest, 300);
}

// Only another pattern or rule is coloured, and what was coloured before leaves no trace.
TEST(Colouring, IsDoneAgainWhenThePatternChanges) {
  ContactProblem a = test::box_wall(3, 4, 0.6, 1e-2);
  const ContactProblem b = test::box_wall(4, 3, 0.6, 1e-2);
  Colouring used;
  used.update(a.G, false);
  for (double& v : a.G.body.values) v *= 2.0;
  used.update(a.G, false);
  EXPECT_EQ(used.updates(), 1);
  int updates = 1;
  for (const ContactProblem* p : {&b, static_cast<const ContactProblem*>(&a)})
    for (const bool largest_first : {true, false}) {
      Colouring fresh;
      fresh.update(p->G, largest_first);
      used.update(p->G, largest_first);
      EXPECT_EQ(used.updates(), ++updates);
      EXPECT_EQ(used.colour(), fresh.colour());
      EXPECT_EQ(used.order(), fresh.order());
      EXPECT_EQ(used.start(), fresh.start());
    }
}

TEST(Colouring, NoBlocksNoColours) {
  Colouring c;
  c.update(Delassus{}, false);
  EXPECT_EQ(c.colours(), 0);
}

}  // namespace
}  // namespace stiction
