// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the exact Coulomb law as the limit K → ∞; closed forms along directions of the set; maximum work on the limit surface.
#include <stiction/step/hard/friction_directions.h>

#include <numbers>

#include "support/stewart_trinkle_runs.h"

namespace stiction::test {
namespace {

constexpr double kG = 9.81;

// K → ∞ is Coulomb's law: the direction error is at most π/K.
TEST(StewartTrinkle, ManyDirectionsAreCoulomb) {
  const auto slide = [](Settings s) {
    WorldBuilder world;
    world.add_ground(material(0.4));
    BodyOptions body;
    body.position = {0.0, 0.0, 0.1}, body.velocity = {1.0, 0.37, 0.0}, body.values = material(0.4);
    world.add_body(make_sphere(0.1), 1.0, body);
    Simulator sim(world.compile(), s);
    sim.step(60);
    return Vec3(sim.pose(0).rotation * sim.state().v.head<3>());
  };
  Settings exact = stewart_trinkle(1e-3);
  exact.law = "coulomb", exact.solver = "nsgs", exact.law_options.clear();
  const Vec3 wanted = slide(exact);
  EXPECT_LT((slide(stewart_trinkle(1e-3, 64)) - wanted).norm(), 0.4 * kG * 0.06 * std::numbers::pi / 64);
  EXPECT_LT((slide(stewart_trinkle(1e-3, 8)) - wanted).norm(), 0.4 * kG * 0.06 * std::numbers::pi / 8);
}

// Columns of .3 and .6 along the axes: decelerations μ g of their own; a third entry is a friction moment.
TEST(StewartTrinkle, DirectionsOfTheUser) {
  WorldBuilder world;
  world.add_ground(material(1.0));
  for (int i = 0; i < 2; ++i) {
    BodyOptions body;
    body.position = {0.0, 3.0 * i, 0.01}, body.values = material(1.0);
    body.velocity = {i == 0 ? 1.0 : 0.0, i == 0 ? 0.0 : 1.0, 0.0};
    world.add_body(make_box({0.2, 0.2, 0.02}), 1.0, body);
  }
  Simulator blocks(world.compile(),
                   stewart_trinkle(1e-3, 4, {{"directions", std::string(".3 0; -.3 0; 0 .6; 0 -.6")}}));
  EXPECT_EQ(blocks.step(100).status, Status::converged);
  EXPECT_NEAR(blocks.state().v[0], 1.0 - 0.3 * kG * 0.1, 1e-6);
  EXPECT_NEAR(blocks.state().v[7], 1.0 - 0.6 * kG * 0.1, 1e-6);

  WorldBuilder spinning;
  spinning.add_ground(material(0.5));
  BodyOptions ball;
  ball.position = {0.0, 0.0, 0.1}, ball.angular_velocity = {0.0, 0.0, 20.0}, ball.values = material(0.5);
  spinning.add_body(make_sphere(0.1), 1.0, ball);
  const std::string limit = "1 0 0; -1 0 0; 0 1 0; 0 -1 0; 0 0 .02; 0 0 -.02";
  Simulator top(spinning.compile(), stewart_trinkle(1e-3, 4, {{"directions", limit}}));
  EXPECT_EQ(top.step(100).status, Status::converged);
  EXPECT_NEAR(top.state().v[5], 20.0 - 0.1 * 0.5 * 0.02 * kG / 0.004, 1e-6);
  top.step(1000);
  EXPECT_NEAR(top.state().v[5], 0.0, 1e-9);  // and stops
}

// Oblique slip on anisotropic columns: friction does the most work that the polygon μ λ_N conv(d_k) allows.
TEST(StewartTrinkle, MaximumWorkOnThePolygon) {
  WorldBuilder world;
  world.add_ground(material(1.0));
  BodyOptions body;
  body.position = {0.0, 0.0, 0.1}, body.velocity = {1.0, 0.8, 0.0}, body.values = material(1.0);
  world.add_body(make_sphere(0.1), 1.0, body);
  Simulator sim(world.compile(), stewart_trinkle(1e-3, 4, {{"directions", std::string(".3 0; -.3 0; 0 .6; 0 -.6")}}));
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(sim.step().status, Status::converged);
    const ContactView c = sim.contacts().at(0);
    const Pose pose = sim.pose(0);
    const Vec3 u = pose.rotation * sim.state().v.head<3>() +
                   (pose.rotation * sim.state().v.segment<3>(3)).cross(Vec3(0.0, 0.0, -0.1));
    const double most = c.force.z() * std::max(0.3 * std::abs(u.x()), 0.6 * std::abs(u.y()));
    EXPECT_NEAR(-(c.force.x() * u.x() + c.force.y() * u.y()), most, 1e-9 * c.force.z());
  }
}

// A disc of radius of gyration k that is touched at its centre, which therefore does not tilt: what friction does to it is
// m v̇ = F and m k² ω̇ = moment, with λ_N = m g dt in every step.
constexpr double kMass = 2.0, kGyration = 0.07, kMu = 0.5;

Simulator disc(const Vec3& slip, const std::string& directions) {
  WorldBuilder world;
  const int ground = world.add_ground(material(kMu));
  BodyOptions body;
  body.velocity = {slip.x(), slip.y(), 0.0}, body.angular_velocity = {0.0, 0.0, slip.z()};
  body.inertia = Mat3(Vec3(0.5, 0.5, 1.0).asDiagonal() * (kMass * kGyration * kGyration));
  const BodyId id = world.add_body(make_sphere(0.01), kMass, body);
  world.exclude_pair(ground, ground + 1);  // the ball that stands for its shape
  world.add_contact_point(id, Vec3::Zero(), false, std::nullopt, std::nullopt, material(kMu));
  return Simulator(world.compile(), stewart_trinkle(1e-3, 4, {{"directions", directions}}));
}

// (v_x, v_y, ω) in world axes
Vec3 slip_of(const Simulator& sim) {
  const Vec3 v = sim.pose(0).rotation * sim.state().v.head<3>();
  return {v.x(), v.y(), sim.state().v[5]};
}

const char* const kDisc = "1 0 0; -1 0 0; 0 1 0; 0 -1 0; 0 0 .07; 0 0 -.07; .8 0 .042; -.8 0 -.042";

// ω̇ = −μ g l/k² for a spin alone, and both velocities fall along a column that has both until they end at the same time.
TEST(StewartTrinkle, SpinningDiscObeysItsTorsionalLimit) {
  Simulator top = disc({0.0, 0.0, 20.0}, kDisc);
  EXPECT_EQ(top.step(100).status, Status::converged);
  EXPECT_LT((slip_of(top) - Vec3(0.0, 0.0, 20.0 - 0.1 * kMu * kG * 0.07 / (0.07 * 0.07))).norm(), 1e-6);
  EXPECT_EQ(top.step(400).status, Status::converged);  // stops at .285 s
  EXPECT_LT(slip_of(top).norm(), 1e-9);

  const Vec3 start(0.8, 0.0, 0.6 / 0.07);  // proportional to what the column (.8, 0, .042) brakes
  Simulator both = disc(start, kDisc);
  const double end = 1.0 / (kMu * kG);
  EXPECT_EQ(both.step(100).status, Status::converged);
  EXPECT_LT((slip_of(both) - (1.0 - 0.1 / end) * start).norm(), 1e-6);
  EXPECT_EQ(both.step(110).status, Status::converged);  // .2039 s
  EXPECT_LT(slip_of(both).norm(), 1e-9);
}

// Any slip and spin: of all friction (F, moment) in μ λ_N conv(d_k), the one that acts does the most work against the slip at
// the end of the step.
TEST(StewartTrinkle, MaximumWorkWithAFrictionMoment) {
  const FrictionDirections columns = parse_directions(kDisc, {}, {}, true).general;
  for (const Vec3& start : {Vec3(0.7, 0.4, 3.0), Vec3(-0.2, 0.9, -8.0), Vec3(0.1, -0.05, 15.0)}) {
    Simulator sim = disc(start, kDisc);
    for (int i = 0; i < 150; ++i) {
      const Vec3 before = slip_of(sim);
      ASSERT_EQ(sim.step().status, Status::converged);
      const Vec3 u = slip_of(sim), gained = kMass * (u - before),
                 load(gained.x(), gained.y(), gained.z() * 0.07 * 0.07);
      const double most = kMu * kMass * kG * 1e-3;
      double best = 0.0;
      for (const Vec3& d : columns.columns) best = std::max(best, -most * d.dot(u));
      ASSERT_NEAR(-load.dot(u), best, 1e-9 * most) << "step " << i;
    }
  }
}

}  // namespace
}  // namespace stiction::test
