// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the heap (a robot in other coordinates allocates nothing once warm), its own bits (a second run), and counting rows.
#include <gtest/gtest.h>
#include <stiction/model/coordinates/cut_joints.h>
#include <stiction/scene/catalog.h>
#include <stiction/scene/core/scene.h>

#include "support/heap_count.h"

namespace stiction::test {
namespace {

Settings settings(const std::string& coordinates, const std::string& solver) {
  Settings s;
  s.coordinates = coordinates, s.solver = solver, s.dt = 2e-3;
  if (solver == "jor" || solver == "sor") s.solver_options["eliminate_bilateral"] = true;
  return s;
}

TEST(Coordinates, CountVelocitiesAndRows) {
  const World minimal = *make_scene("starleth_stand").world.compile();
  const World extended = *cut_joints(minimal, joints_to_cut(minimal, "extended", {}));
  const World maximal = *cut_joints(minimal, joints_to_cut(minimal, "maximal", {}));
  EXPECT_EQ(extended.nv, 38);
  EXPECT_EQ(extended.trees.size(), 5u);
  EXPECT_EQ(initial_state(extended).loop_force.size(), 20);
  EXPECT_EQ(maximal.nv, 78);
  EXPECT_EQ(initial_state(maximal).loop_force.size(), 60);
  for (const Tree& tree : maximal.trees) EXPECT_TRUE(tree.free_body) << tree.name;
  EXPECT_TRUE(joints_to_cut(minimal, "minimal", {}).empty());
}

TEST(Coordinates, AllocateNothingAndRepeatTheirBits) {
  for (const char* coordinates : {"extended", "maximal"}) {
    for (const char* solver : {"auto", "jor", "sor"}) {
      Simulator sim = make_simulator(make_scene("starleth_stand"), settings(coordinates, solver));
      const State start = sim.state();
      EXPECT_EQ(sim.step(30).status, Status::converged) << coordinates << " " << solver;
      const std::uint64_t end = sim.hash();
      sim.state() = start;
      const HeapCount heap;
      sim.step(30);
      if (kCountsAllocations) {
        EXPECT_EQ(heap.count(), 0) << coordinates << " " << solver;
      }
      EXPECT_EQ(sim.hash(), end) << coordinates << " " << solver;
    }
  }
}

}  // namespace
}  // namespace stiction::test
