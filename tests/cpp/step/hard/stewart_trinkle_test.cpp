// SPDX-License-Identifier: BSD-2-Clause
// Oracles: reports of what cannot be solved, sentences about bad input, the heap, bits.
#include <stiction/base/invalid_input.h>

#include "support/heap_count.h"
#include "support/stewart_trinkle_runs.h"

namespace stiction::test {
namespace {

// No solution exists between two walls that are too close; an iteration cap; the step is made and says so.
TEST(StewartTrinkle, FailuresAreReported) {
  WorldBuilder world;
  world.add_ground(material(0.5));
  BodyOptions wall;
  wall.position = {0.0, 0.0, 0.24}, wall.values = material(0.5);
  world.add_static(make_box({1.0, 1.0, 0.1}), wall);
  BodyOptions ball;
  ball.position = {0.0, 0.0, 0.095}, ball.values = material(0.5);
  world.add_body(make_sphere(0.1), 1.0, ball);
  Simulator squeezed(world.compile(), stewart_trinkle(1e-3));
  const StepReport ray = squeezed.step();
  EXPECT_NE(ray.status, Status::converged);
  EXPECT_EQ(ray.unaccepted, 1);
  EXPECT_TRUE(squeezed.state().v.allFinite());

  Settings capped = stewart_trinkle(0.005, 8);
  capped.solver_options = {{"max_iterations", 1}};
  Simulator sim = make_simulator(four_spheres(), capped);
  const StepReport report = sim.step(200);
  EXPECT_GT(report.fallbacks, 0);
  EXPECT_TRUE(sim.state().v.allFinite());
}

TEST(StewartTrinkle, BadInputIsNamed) {
  const auto refused = [](const Settings& s, const std::string& word) {
    try {
      make_simulator(rod(), s);
    } catch (const InvalidInput& e) {
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refused(stewart_trinkle(1e-3, 5), "facets"));
  for (const char* directions : {"1 0; -1 0", "1 0; 0 1; 1 1", "1 0 0; -1 0 0; 0 1 0; 0 -1 0; 0 0 .02", "a b", "0 0"})
    EXPECT_TRUE(refused(stewart_trinkle(1e-3, 4, {{"directions", std::string(directions)}}), "directions"))
        << directions;
  EXPECT_TRUE(refused(stewart_trinkle(1e-3, 4, {{"version", std::string("quadratic")}}), "version"));
  EXPECT_TRUE(refused(stewart_trinkle(1e-3, 4, {{"restitution", std::string("elastic")}}), "restitution"));
  Settings s = stewart_trinkle(1e-3, 4, {{"restitution", std::string("poisson")}});
  s.law = "coulomb", s.solver = "auto", s.law_options.clear();
  EXPECT_TRUE(refused(s, "pyramid"));
  WorldBuilder world;
  EXPECT_THROW(world.add_ground(material(0.5, 1.5)), InvalidInput);
}

// Nothing is allocated once the largest contact set has been seen.
TEST(StewartTrinkle, AllocatesNothing) {
  if (!kCountsAllocations) GTEST_SKIP() << "allocations are not counted in this build";
  for (const char* version : {"linear", "nonlinear", "anitescu_potra"}) {
    Simulator sim = make_simulator(four_spheres(), stewart_trinkle(0.005, 8, {{"version", std::string(version)}}));
    const State start = sim.state();
    sim.step(200);
    sim.state() = start;
    const HeapCount heap;
    sim.step(200);
    EXPECT_EQ(heap.count(), 0) << version;
  }
}

// Nor by Poisson's rule or with directions and friction moments, which have a problem of their own.
TEST(StewartTrinkle, AllocatesNothingWithDirectionsOfTheUser) {
  if (!kCountsAllocations) GTEST_SKIP() << "allocations are not counted in this build";
  const OptionMap cases[] = {{{"restitution", std::string("poisson")}},
                             {{"directions", std::string("1 0; -1 0; 0 .5; 0 -.5")}},
                             {{"directions", std::string("1 0 0; -1 0 0; 0 1 0; 0 -1 0; 0 0 .02; 0 0 -.02")},
                              {"restitution", std::string("poisson")}}};
  for (const OptionMap& options : cases) {
    WorldBuilder world;
    world.add_ground(material(0.4, 0.5));
    for (int i = 0; i < 3; ++i) {
      BodyOptions ball;
      ball.position = {0.21 * i, 0.0, 0.12}, ball.velocity = {0.3 * (1 - i), 0.1 * i, 0.0},
      ball.angular_velocity = {0.0, 0.0, 9.0};
      ball.values = material(0.4, 0.5);
      world.add_body(make_sphere(0.1), 1.0, ball);
    }
    Simulator sim(world.compile(), stewart_trinkle(0.005, 4, options));
    const State start = sim.state();
    sim.step(100);
    EXPECT_GT(sim.contacts().size(), 1u);
    sim.state() = start;
    const HeapCount heap;
    sim.step(100);
    EXPECT_EQ(heap.count(), 0);
  }
}

// Same bits from a saved state.
TEST(StewartTrinkle, RepeatsItself) {
  const Settings s = stewart_trinkle(0.005, 8);
  Simulator a = make_simulator(four_spheres(), s), b = make_simulator(four_spheres(), s);
  a.step(100);
  b.restore(a.save());
  a.step(60), b.step(60);
  EXPECT_EQ(a.hash(), b.hash());
}

}  // namespace
}  // namespace stiction::test
