// SPDX-License-Identifier: BSD-2-Clause
// Oracle: with c*_N ≤ 0 exact Coulomb contact takes energy or leaves it: ½ λᵀ J (v⁺ + v_free) ≤ nc dt e_c. The work is
// recomputed from the contact forces, not asked of the engine.                   contact-models 14, test 28 (coulomb)
#include <stiction/scene/friction/cube_drag.h>
#include <stiction/scene/friction/cube_slide.h>
#include <stiction/scene/friction/heavy_on_light.h>

#include <random>

#include "support/contact_work.h"
#include "support/play.h"

namespace stiction::test {
namespace {

constexpr double kDeadBand = 1e-6;  // overlaps beyond it are corrected, which costs energy

struct Tally {
  int steps = 0, tested = 0, touching = 0, gained = 0;
  double worst_gain = 0.0;
};

// What the judge accepts as complementarity [W], summed over the contacts.
double allowance(const StepReport& report, double dt) {
  const double accepted = 1e-9 + 1e-8 * report.own.force_scale * report.own.velocity_scale;
  return report.contacts * dt * accepted;
}

void tally_step(Play& play, double dt, Tally& tally) {
  const State before = play.sim.state();
  const StepReport report = play.step();
  ++tally.steps;
  if (report.penetration > kDeadBand || report.unaccepted > 0) return;
  ++tally.tested;
  if (report.contacts > 0) ++tally.touching;
  const double work = contact_work(play.sim, before, dt);
  if (!(work <= allowance(report, dt))) ++tally.gained, tally.worst_gain = worst(tally.worst_gain, work);
}

void expect_dissipates(const Scene& scene, int steps) {
  Play play(scene, settings_for("coulomb", 1e-3));
  Tally tally;
  for (int n = 0; n < steps; ++n) tally_step(play, 1e-3, tally);
  EXPECT_EQ(tally.gained, 0) << "largest gain " << tally.worst_gain << " J";
  EXPECT_EQ(tally.tested, steps);
  EXPECT_EQ(tally.touching, steps);
}

TEST(Dissipation, Slide) { expect_dissipates(cube_slide({}), 300); }
TEST(Dissipation, Drag) { expect_dissipates(cube_drag({}), 1000); }
TEST(Dissipation, Stack) {
  for (const double ratio : {1.0, 1e3, 1e6}) expect_dissipates(heavy_on_light({.ratio = ratio}), 100);
}

TEST(Dissipation, EnergyOfSlideAndStackNeverRises) {
  for (const Scene& scene : {cube_slide({}), heavy_on_light({.ratio = 1.0}), heavy_on_light({.ratio = 1e4})}) {
    Play play(scene, settings_for("coulomb", 1e-3));
    double energy = play.sim.energy().total();
    for (int n = 0; n < 300; ++n) {
      play.step();
      const double now = play.sim.energy().total();
      EXPECT_LE(now - energy, 1e-9) << n;
      energy = now;
    }
  }
}

// Spheres and boxes thrown at each other and at the floor.
Scene random_scene(int seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  const auto uniform = [&](double lo, double hi) { return lo + (hi - lo) * static_cast<double>(random()) * 0x1.0p-32; };
  Scene scene;
  MaterialValues floor;
  floor.mu = uniform(0.0, 1.0);
  scene.world.add_ground(floor);
  for (int i = 0; i < 5; ++i) {
    BodyOptions o;
    o.position = {uniform(-0.15, 0.15), uniform(-0.15, 0.15), 0.2 + 0.3 * i};
    o.rotation = Quat(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)).normalized();
    o.velocity = {uniform(-1, 1), uniform(-1, 1), uniform(-4, -1)};
    o.angular_velocity = {uniform(-5, 5), uniform(-5, 5), uniform(-5, 5)};
    const double mass = std::pow(10.0, uniform(-1.0, 1.0));
    if (i % 2 == 0)
      scene.world.add_body(make_sphere(uniform(0.05, 0.1)), mass, o);
    else
      scene.world.add_body(make_box({uniform(0.05, 0.15), uniform(0.05, 0.15), uniform(0.05, 0.15)}), mass, o);
  }
  return scene;
}

TEST(Dissipation, RandomScenes) {
  Tally tally;
  int unaccepted = 0;
  for (int seed = 0; seed < 100; ++seed) {
    Play play(random_scene(seed), settings_for("coulomb", 1e-3));
    for (int n = 0; n < 300; ++n) tally_step(play, 1e-3, tally);
    unaccepted += play.unaccepted;
    EXPECT_TRUE(play.finite()) << seed;
  }
  EXPECT_EQ(tally.gained, 0) << "largest gain " << tally.worst_gain << " J";
  EXPECT_GE(tally.touching, 5000) << "of " << tally.steps << ": the test has become empty";
  EXPECT_LE(unaccepted, tally.steps / 1000);
  std::printf("  random scenes: %d steps, %d tested, %d touching, %d not accepted\n", tally.steps, tally.tested,
              tally.touching, unaccepted);
}

}  // namespace
}  // namespace stiction::test
