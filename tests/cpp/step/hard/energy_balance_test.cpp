// SPDX-License-Identifier: BSD-2-Clause
// Options `energy_balance` and `project` of stepper `moreau`. Oracles: energy is what was put in by motors and loads (torque times
// way, force times way), momentum of what flies is constant, contacts and limits only take, loops stay closed to round-off.
#include <stiction/base/invalid_input.h>

#include <cmath>

#include "support/heap_count.h"
#include "support/moreau_runs.h"
#include "support/soft_worlds.h"

namespace stiction::test {
namespace {

const OptionMap kBalanced = {{"energy_balance", true}, {"project", true}};

std::shared_ptr<const World> starleth(const Vec3& position, bool ground, const Vec3& gravity = {0, 0, -kG}) {
  WorldBuilder builder;
  builder.gravity = gravity;
  if (ground) builder.add_ground();
  RobotOptions robot;
  robot.position = position;
  builder.add_urdf(std::string(STICTION_SOURCE_DIR) + "/models/starleth.urdf", robot);
  return builder.compile();
}

Settings in_coordinates(const std::string& coordinates, double dt, const OptionMap& options,
                        const std::string& solver = "auto") {
  Settings s = moreau(dt, solver, {}, options);
  s.coordinates = coordinates;
  return s;
}

// Swings all joints and tumbles.
void set_tumbling(Simulator& sim) {
  auto [q, v] = sim.minimal_state();
  for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = 2.0 * std::sin(1.7 * static_cast<double>(i) + 0.3);
  for (Eigen::Index i = 6; i < v.size(); ++i) v[i] *= 4.0;
  sim.set_minimal_state(q, v);
}

// In flight without gravity under joint torques: E − ∫τ dφ is constant, in all coordinates.
TEST(EnergyBalance, FlightKeepsEnergy) {
  for (const char* coordinates : {"minimal", "extended", "maximal"}) {
    Simulator sim(starleth({0, 0, 5}, false, Vec3::Zero()), in_coordinates(coordinates, 2.5e-3, kBalanced));
    set_tumbling(sim);
    Vec tau(sim.world().ntau);
    for (Eigen::Index i = 0; i < tau.size(); ++i) tau[i] = 0.2 * std::cos(2.3 * static_cast<double>(i));
    double energy = sim.energy().total(), worst = 0.0, mended = 0.0;
    Vec q = sim.minimal_state().first;
    for (int i = 0; i < 60; ++i) {
      mended = std::max(mended, sim.step(tau).imbalance);
      const Vec next = sim.minimal_state().first;
      energy += tau.dot(next.tail(tau.size()) - q.tail(tau.size()));
      worst = std::max(worst, std::abs(sim.energy().total() - energy));
      q = next;
    }
    EXPECT_LT(worst, 1e-10) << coordinates;
    EXPECT_GT(mended, 1e-5) << coordinates;  // there was something to mend
  }
}

// What the balance does to momentum: nothing. After a step it is what the scheme alone leaves, in all coordinates.
TEST(EnergyBalance, MomentumIsThatOfTheScheme) {
  for (const char* coordinates : {"minimal", "extended", "maximal"}) {
    const auto world = starleth({0, 0, 5}, false, Vec3::Zero());
    Simulator plain(world, in_coordinates(coordinates, 2.5e-3, {{"project", true}}));
    Simulator balanced(world, in_coordinates(coordinates, 2.5e-3, kBalanced));
    set_tumbling(plain), set_tumbling(balanced);
    plain.step(), balanced.step();
    EXPECT_LT((plain.momentum() - balanced.momentum()).cwiseAbs().maxCoeff(), 1e-10) << coordinates;
    EXPECT_GT((plain.state().v - balanced.state().v).cwiseAbs().maxCoeff(), 1e-6) << coordinates;
  }
}

// Dropped with swinging legs on the ground: energy only falls, step by step, in all coordinates; it comes to rest where it
// should, lower than before and finite.
TEST(EnergyBalance, FallOnlyLosesEnergy) {
  for (const char* coordinates : {"minimal", "extended", "maximal"}) {
    Simulator sim(starleth({0, 0, 0.7}, true), in_coordinates(coordinates, 2.5e-3, kBalanced));
    set_tumbling(sim);
    double energy = sim.energy().total(), worst = -1.0;
    const double start = energy;
    for (int i = 0; i < 600; ++i) {
      sim.step();
      worst = std::max(worst, sim.energy().total() - energy);
      energy = sim.energy().total();
    }
    EXPECT_LT(worst, 1e-9) << coordinates;
    EXPECT_LT(energy, 0.7 * start) << coordinates;
    EXPECT_TRUE(sim.state().q.allFinite() && sim.state().v.allFinite()) << coordinates;
    EXPECT_LT(sim.bilateral_drift().position, 1e-9) << coordinates;
    EXPECT_LT(sim.bilateral_drift().angle, 1e-9) << coordinates;
  }
}

// A pendulum that hits its limit, a PD motor and a load at the base: energy is what they put in, less what the limit takes.
TEST(EnergyBalance, MotorsAndLoadsAreCounted) {
  WorldBuilder builder;
  BodyOptions body;
  body.angular_velocity = {1.0, 2.0, 0.5};
  body.inertia = Vec3(0.02, 0.03, 0.045).asDiagonal();
  builder.add_body(make_box({0.3, 0.2, 0.1}), 1.0, body);
  Simulator sim(builder.compile(), moreau(5e-3, "auto", {}, kBalanced));
  const Vec3 load(3.0, -2.0, 15.0);
  double energy = sim.energy().total();
  for (int i = 0; i < 200; ++i) {
    const Vec3 before = sim.pose(0).translation;
    sim.apply_wrench(0, load, Vec3::Zero());
    sim.step();
    energy += load.dot(sim.pose(0).translation - before);
    ASSERT_NEAR(sim.energy().total(), energy, 1e-9) << i;
  }
  // the motor lifts an arm from rest: it must move as without the option
  for (const bool implicit : {false, true}) {
    Simulator plain(planar_arm(1e-9, 0.0), moreau(1e-3, "auto", {}, {{"rounds", 3}}));
    Simulator lifted(planar_arm(1e-9, 0.0), moreau(1e-3, "auto", {}, {{"rounds", 3}, {"energy_balance", true}}));
    for (Simulator* s : {&plain, &lifted}) {
      s->set_pd(implicit ? 200.0 : 10.0, implicit ? 5.0 : 0.1, implicit);
      s->set_target(Vec::Constant(3, 0.5));
      s->step(800);
    }
    EXPECT_LT((plain.state().q - lifted.state().q).cwiseAbs().maxCoeff(), 1e-3) << implicit;
  }
}

// Rest stays rest, and a slow slide is not stopped: the brick comes as far as v0²/(2 μ g).
TEST(EnergyBalance, RestAndSlidesAreThoseOfTheLaw) {
  Simulator rest(brick(0.2, 0.5), moreau(2e-3, "auto", {}, kBalanced));
  rest.step(1000);
  EXPECT_LT(rest.state().v.cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT(std::abs(rest.pose(0).translation.x()), 1e-7);
  for (const double speed : {1.0, 0.01}) {
    Simulator slide(brick(0.0, 0.5, speed), moreau(1e-4, "auto", {}, kBalanced));
    slide.step(static_cast<int>(1e4 * (speed / (0.5 * kG) + 0.01)));
    EXPECT_NEAR(slide.pose(0).translation.x(), speed * speed / kG, 1e-4 * speed) << speed;
  }
}

// Newton's rule with friction can create energy (Kane and Levinson); with the balance it cannot. Slender rod of 1 kg and half
// length 0.25 m at 135 degrees, ε = 1, μ = 0.3: T⁺/T⁻ = 1.0628 without.                              time-stepping section 8, 8
TEST(EnergyBalance, NewtonsRuleCreatesNothing) {
  for (const bool balance : {false, true}) {
    WorldBuilder builder;
    builder.gravity.setZero();
    builder.add_ground(surface_of(0.3, 1.0));
    BodyOptions body;
    const double angle = 0.75 * 3.14159265358979323846, half = 0.25;
    body.rotation = Quat(Eigen::AngleAxisd(-angle, Vec3::UnitY()));  // x and z span the plane
    body.position = {0, 0, half * std::sin(angle)}, body.velocity = {-0.5, 0, -1};
    body.inertia = Vec3(1.0 / 48, 1.0 / 48, 1.0 / 48).asDiagonal();
    body.values = surface_of(0.3, 1.0);
    const int rod = builder.add_body(make_box({2 * half, 1e-6, 1e-6}), 1.0, body);
    ASSERT_EQ(rod, 0);
    Simulator sim(builder.compile(), moreau(1e-5, "auto", {}, {{"energy_balance", balance}}));
    const double before = sim.energy().kinetic;
    for (int i = 0; i < 20; ++i) sim.step();
    const double ratio = sim.energy().kinetic / before;
    if (balance)
      EXPECT_LE(ratio, 1.0 + 1e-12);
    else
      EXPECT_NEAR(ratio, 1.0628, 2e-3);
  }
}

// The rigid loop of an arm: closed to round-off at all steps, from an open start, and twice the same loop changes nothing.
TEST(LoopProjection, LoopsStayClosed) {
  for (const double dt : {1e-3, 1e-2}) {
    Simulator sim(planar_arm(kInfinity), moreau(dt, "auto", {}, {{"project", true}}));
    const Loop& loop = sim.world().loops[0];
    double worst = 0.0;
    for (int i = 0; i < 200; ++i) {
      sim.step();
      if (i > 20) worst = std::max(worst, (sim.pose(2) * loop.frame_b.translation - loop.frame_a.translation).norm());
    }
    EXPECT_LT(worst, 1e-9) << dt;
  }
}

TEST(EnergyBalance, AllocatesNothingAndRepeatsItself) {
  for (const char* coordinates : {"minimal", "maximal"}) {
    const Settings s = in_coordinates(coordinates, 2.5e-3, kBalanced, "sor");
    Simulator sim(starleth({0, 0, 0.45}, true), s), other(starleth({0, 0, 0.45}, true), s);
    sim.set_pd(100.0, 3.0), other.set_pd(100.0, 3.0);
    const State start = sim.state();
    sim.step(120);
    other.restore(sim.save());
    sim.step(100), other.step(100);
    EXPECT_EQ(sim.hash(), other.hash()) << coordinates;
    if (!kCountsAllocations) continue;
    sim.state() = start;
    const HeapCount heap;
    sim.step(120);
    EXPECT_EQ(heap.count(), 0) << coordinates;
  }
}

TEST(EnergyBalance, BadInputIsNamed) {
  EXPECT_THROW(Simulator(brick(0.0, 0.5), moreau(2e-3, "auto", {}, {{"energy_balance", true}, {"stabilise", true}})),
               InvalidInput);
}

}  // namespace
}  // namespace stiction::test
