// SPDX-License-Identifier: BSD-2-Clause
// Oracle: the future depends on the state alone. Restored, repeated, cloned, on one or two threads and at any place of a
// batch, every scene gives the same bits; run again from a restored state it allocates nothing.
#include <stiction/scene/catalog.h>
#include <stiction/scene/core/scene.h>

#include "support/heap_count.h"
#include "support/play.h"

namespace stiction::test {
namespace {

struct Case {
  std::string label;
  Scene scene;
  int steps;
};

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const SceneInfo& info : scene_catalog()) {
    const int steps = info.name == "kapla" ? 10 : info.name == "pile" ? 60 : info.name == "starleth_push" ? 400 : 200;
    out.push_back({info.name, info.make({}), steps});
  }
  for (const char* targets : {"moving", "hopping", "fallen"})
    out.push_back(
        {std::string("anymal_stand ") + targets, make_scene("anymal_stand", {{"targets", std::string(targets)}}), 400});
  out.push_back({"heavy_on_light boxes", make_scene("heavy_on_light", {{"boxes", true}}), 100});
  return out;
}

TEST(Repeat, RestoredAndFreshRunsHaveTheSameBits) {
  for (const Case& c : cases()) {
    Play play(c.scene);
    play.run(c.steps);
    const auto blob = play.sim.save();
    const std::uint64_t middle = play.sim.hash();
    play.run(c.steps);
    const std::uint64_t end = play.sim.hash();
    EXPECT_NE(middle, end) << c.label;

    play.sim.restore(blob);
    EXPECT_EQ(play.sim.hash(), middle) << c.label;
    play.run(c.steps);
    EXPECT_EQ(play.sim.hash(), end) << c.label << ", restored";

    Play fresh(c.scene);
    fresh.run(2 * c.steps);
    EXPECT_EQ(fresh.sim.hash(), end) << c.label << ", from the start";

    Play elsewhere(c.scene);  // a simulator that has seen nothing else
    elsewhere.sim.restore(blob);
    elsewhere.run(c.steps);
    EXPECT_EQ(elsewhere.sim.hash(), end) << c.label << ", restored elsewhere";
  }
}

TEST(Repeat, RolloutsHaveTheSameBitsOnAnyThreadAtAnyPlace) {
  for (const Case& c : cases()) {
    Play play(c.scene);
    play.run(c.steps / 2);
    const Vec start =
        (Vec(play.sim.world().nq + play.sim.world().nv) << play.sim.world().q0, play.sim.world().v0).finished();
    const Vec later = (Vec(start.size()) << play.sim.state().q, play.sim.state().v).finished();
    const Eigen::Index size = start.size();
    const int steps = std::min(c.steps, 40);
    const auto run = [&](const std::vector<const Vec*>& rows, int threads) {
      std::vector<double> states, out(rows.size() * static_cast<std::size_t>(steps * size));
      for (const Vec* row : rows) states.insert(states.end(), row->data(), row->data() + size);
      RolloutInput input;
      input.batch = static_cast<int>(rows.size());
      input.steps = steps;
      input.states = states.data();
      rollout(play.sim, input, threads, out.data());
      return out;
    };
    const std::vector<double> alone = run({&later}, 1);
    const std::vector<double> one = run({&start, &later, &start, &later}, 1);
    const std::vector<double> two = run({&start, &later, &start, &later}, 2);
    EXPECT_EQ(one, two) << c.label;
    const auto n = static_cast<std::ptrdiff_t>(alone.size());
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), one.begin() + n)) << c.label;
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), one.begin() + 3 * n)) << c.label;
  }
}

TEST(Repeat, SecondRunAllocatesNothing) {
  if (!kCountsAllocations) GTEST_SKIP() << "allocations are not counted in this build";
  for (const Case& c : cases()) {
    Play play(c.scene);
    const auto blob = play.sim.save();
    play.run(c.steps);
    play.sim.restore(blob);
    const HeapCount heap;
    play.run(c.steps);
    EXPECT_EQ(heap.count(), 0) << c.label;
  }
}

TEST(Repeat, CounterSeesAnAllocation) {
  if (!kCountsAllocations) GTEST_SKIP() << "allocations are not counted in this build";
  const HeapCount heap;
  const Vec x = Vec::Zero(100);
  EXPECT_EQ(heap.count(), 1) << x.sum();
}

}  // namespace
}  // namespace stiction::test
