// SPDX-License-Identifier: BSD-2-Clause
// Oracle: simulators stepped alone. A batch that has seen its contacts allocates nothing.
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/scene/catalog.h>
#include <stiction/scene/core/scene.h>
#include <stiction/sim/batch_simulator.h>

#include <numeric>

#include "support/heap_count.h"

namespace stiction::test {
namespace {

Simulator standing(const char* stepper = "auto", const char* law = "coulomb") {
  const Scene scene = make_scene("anymal_stand", {});
  Settings settings;
  settings.dt = scene.dt, settings.stepper = stepper, settings.law = law;
  return make_simulator(scene, settings);
}

std::vector<double> some_targets(const State& start, int n, double amplitude) {
  Random random(3);
  std::vector<double> out;
  for (int i = 0; i < n; ++i)
    for (Eigen::Index k = 0; k < start.pd.target.size(); ++k)
      out.push_back(start.pd.target[k] + random.uniform(-amplitude, amplitude));
  return out;
}

TEST(Batch, HasTheBitsOfSimulatorsAlone) {
  constexpr int n = 7;
  const Simulator sim = standing();
  const int ntau = sim.world().ntau;
  const std::vector<double> targets = some_targets(sim.state(), n, 0.3);
  for (const int threads : {1, 2, 3}) {
    BatchSimulator batch(sim, n, threads);
    BatchInput input;
    input.target = {targets.data(), ntau}, input.steps = 15;
    BatchReport report;
    for (int round = 0; round < 4; ++round) batch.step(input, report);
    for (int i = 0; i < n; ++i) {
      Simulator alone = sim.clone();
      alone.set_target(Eigen::Map<const Vec>(targets.data() + i * ntau, ntau));
      const StepReport last = (alone.step(45), alone.step(15));
      EXPECT_EQ(hash(batch.state(i)), alone.hash()) << i << " of " << threads << " threads";
      EXPECT_EQ(report.contacts[i], last.contacts);
      EXPECT_EQ(report.residual[i], last.own.natural);
    }
  }
}

TEST(Batch, AllocatesNothingOnceItsContactsWereSeen) {
  if (!kCountsAllocations) GTEST_SKIP() << "the sanitizers have their own malloc";
  for (const auto& [stepper, law] :
       {std::pair{"semi_implicit", "coulomb"}, {"moreau", "coulomb"}, {"exponential", "anchored"}}) {
    const Simulator sim = standing(stepper, law);
    constexpr int n = 12;
    const std::vector<double> targets = some_targets(sim.state(), n, 0.1);
    BatchSimulator batch(sim, n, 1);  // which thread meets which contacts first is left to chance with more
    const std::vector<std::byte> start = batch.save();
    std::vector<int> all(n);
    std::iota(all.begin(), all.end(), 0);
    BatchInput input;
    input.target = {targets.data(), sim.world().ntau};
    BatchReport report;
    const auto run = [&] {
      for (int k = 0; k < 100; ++k) batch.step(input, report);
    };
    run();
    const std::uint64_t end = batch.hash();
    batch.restore(start, all);
    const HeapCount heap;
    run();
    EXPECT_EQ(heap.count(), 0) << stepper;
    EXPECT_EQ(batch.hash(), end) << stepper;
  }
}

TEST(Batch, OneThatIsRefusedStaysAndTheOthersGoOn) {
  const Simulator sim = standing();
  BatchSimulator batch(sim, 4, 2), healthy(sim, 4, 2);
  std::vector<double> tau(4 * static_cast<std::size_t>(sim.world().ntau), 0.1);
  BatchInput input;
  input.tau = {tau.data(), sim.world().ntau};
  BatchReport report;
  healthy.step(input, report);
  tau[2 * static_cast<std::size_t>(sim.world().ntau) + 5] = std::nan("");
  batch.step(input, report);
  ASSERT_EQ(report.refused.size(), 1u);
  EXPECT_EQ(report.refused[0].first, 2);
  EXPECT_EQ(report.refused[0].second, "tau[5] is nan, expected a finite number");
  EXPECT_EQ(report.status[2], Status::invalid_problem);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(hash(batch.state(i)), i == 2 ? sim.hash() : hash(healthy.state(i)));
}

TEST(Batch, StopsBetweenSteps) {
  const Simulator sim = standing();
  BatchSimulator batch(sim, 6, 2);
  int asked = 0;
  BatchInput input;
  input.steps = 1000000;
  input.interrupted = [&asked] { return ++asked > 50; };
  BatchReport report;
  batch.step(input, report);
  for (int i = 0; i < 6; ++i) {
    EXPECT_LT(report.steps[i], 1000000);
    Simulator alone = sim.clone();
    if (report.steps[i] > 0) alone.step(report.steps[i]);
    EXPECT_EQ(hash(batch.state(i)), alone.hash()) << i;
  }
}

}  // namespace
}  // namespace stiction::test
