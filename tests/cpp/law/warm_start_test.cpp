// SPDX-License-Identifier: BSD-2-Clause
// Oracles of the contact memory: it changes the cost of a step, never its meaning. contact-models 14, tests 29 and 30
#include <stiction/scene/friction/corner_cube.h>
#include <stiction/scene/friction/cube_drag.h>
#include <stiction/scene/robots/starleth_push.h>
#include <stiction/scene/robots/starleth_stand.h>

#include "support/play.h"

namespace stiction::test {
namespace {

// Two worlds with the same cubes added in another order: ids differ, impulses and motion agree bit by bit.
TEST(WarmStart, IdsDoNotMatter) {
  const auto make = [](bool swapped) {
    Scene scene;
    scene.world.add_ground();
    for (int i = 0; i < 2; ++i) {
      const bool first = (i == 0) != swapped;
      BodyOptions cube;
      cube.position = {first ? 0.0 : 1.0, 0.3, kCubeRest};
      cube.velocity = {0.7, first ? 0.2 : -0.5, 0.0};
      add_corner_cube(scene.world, first ? 1.0 : 2.0, cube);
    }
    return scene;
  };
  Play a(make(false)), b(make(true));
  a.run(50), b.run(50);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(a.position(i), b.position(1 - i));
    EXPECT_EQ(a.velocity(i), b.velocity(1 - i));
    EXPECT_EQ(a.sim.net_wrench(i), b.sim.net_wrench(1 - i));
    EXPECT_GE(a.sim.net_wrench(i).norm(), 1.0);
  }
}

// A pair that is absent for one step is forgotten: coming back, it starts like one that was never there.
TEST(WarmStart, AbsentPairIsPurged) {
  Play play(cube_drag({})), fresh(cube_drag({}));
  const Vec q = play.sim.state().q, v = play.sim.state().v;
  play.run(150);
  play.sim.state().q[2] += 1.0;
  play.step();
  EXPECT_TRUE(play.sim.state().contacts.empty());
  play.sim.state().q = q, play.sim.state().v = v, play.sim.state().time = 0.0;
  play.step(), fresh.step();
  EXPECT_EQ(play.sim.hash(), fresh.sim.hash());
}

// Turning a record's frame by 90° about N, with its force, leaves the world force alone.
TEST(WarmStart, FrameTurnedByARightAngleKeepsTheWorldForce) {
  Play a(cube_drag({})), b(cube_drag({}));
  a.run(150), b.run(150);
  for (ContactRecord& r : b.sim.state().contacts) {
    double t1[3];
    std::copy(r.frame, r.frame + 3, t1);
    for (int i = 0; i < 3; ++i) r.frame[i] = r.frame[3 + i], r.frame[3 + i] = -t1[i];  // (T1, T2) -> (T2, −T1)
    const double along = r.force[0];
    r.force[0] = r.force[1], r.force[1] = -along;
  }
  a.step(), b.step();
  const auto before = a.sim.contacts(), after = b.sim.contacts();
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_LE((before[i].force - after[i].force).norm(), 1e-12 * (1.0 + before[i].force.norm())) << i;
}

// A frame is kept bit-exactly while the normal is the same.
TEST(WarmStart, FramesPersist) {
  Play play(cube_drag({}));
  play.step();
  const std::vector<ContactRecord> first = play.sim.state().contacts;
  play.run(300);
  ASSERT_EQ(first.size(), play.sim.state().contacts.size());
  for (std::size_t i = 0; i < first.size(); ++i)
    for (int k = 0; k < 9; ++k) EXPECT_EQ(first[i].frame[k], play.sim.state().contacts[i].frame[k]);
}

long iterations(const Scene& scene, const std::string& solver, bool cold, int steps) {
  const bool regularises = solver == "newton";  // never accepted as the rigid problem: its own stop counts
  Play play(scene, settings_for(regularises ? "convex" : "coulomb", 1e-3, {}, solver, {{"cold_start", cold}}));
  play.run(steps);
  if (!regularises) {
    EXPECT_EQ(play.unaccepted, 0) << solver << (cold ? " cold" : " warm");
  }
  return play.iterations;
}

TEST(WarmStart, CostsNoMoreThanCold) {
  for (const char* solver : {"admm", "pgs", "nsgs", "newton"}) {
    const long warm = iterations(starleth_stand({}), solver, false, 1000);
    const long cold = iterations(starleth_stand({}), solver, true, 1000);
    EXPECT_LE(warm, cold) << solver;
    std::printf("  standing, %s: %ld iterations warm, %ld cold in 1000 steps\n", solver, warm, cold);
  }
}

TEST(WarmStart, AtRestOneIterationIsEnough) {
  for (const char* solver : {"admm", "pgs", "nsgs"}) {
    Play play(starleth_stand({}), settings_for("coulomb", 1e-3, {}, solver));
    play.run(8000);
    for (int n = 0; n < 10; ++n) EXPECT_LE(play.step().iterations, 1) << solver;
  }
}

}  // namespace
}  // namespace stiction::test
