// SPDX-License-Identifier: BSD-2-Clause
// Oracles of law `compliant`: depth of rest, frequency, damping and stability of one mode, deflection and slip on a slope, a ball that
// comes to roll.                                                        time-stepping 3.7, section 8 (13), section 9 test 12
#include <stiction/base/invalid_input.h>

#include <cmath>
#include <numbers>

#include "support/moreau_runs.h"

namespace stiction::test {
namespace {

// A body on n points in a square, or on one under its centre.
std::shared_ptr<const World> table(double mass, int feet, double height) {
  WorldBuilder world;
  world.add_ground(surface_of(0.8));
  BodyOptions body;
  body.position = {0, 0, height}, body.inertia = Mat3::Identity();
  const BodyId id = world.add_body(make_point(), mass, body);
  world.exclude_pair(0, 1);  // the centre
  const Vec3 corner[4] = {{0.3, 0.2, 0}, {-0.3, -0.2, 0}, {0.3, -0.2, 0}, {-0.3, 0.2, 0}};
  for (int i = 0; i < feet; ++i)
    world.add_contact_point(id, feet == 1 ? Vec3(Vec3::Zero()) : corner[i], false, std::nullopt, std::nullopt,
                            surface_of(0.8));
  return world.compile();
}

// m g/(n c): 4.385 mm on two feet, 2.193 mm on four, for the 26.82 kg of StarlETH.
TEST(Compliant, Sink) {
  for (const auto& [feet, sink] : {std::pair{2, 4.385e-3}, std::pair{4, 2.193e-3}}) {
    Simulator sim(table(26.82, feet, 0.0), compliant(5e-4));
    EXPECT_EQ(sim.step(20000).status, Status::converged);
    EXPECT_NEAR(-sim.state().q[2], sink, 1e-6);
    EXPECT_NEAR(-sim.state().q[2], 26.82 * kG / (feet * 3e4), 1e-9);
    double carried = 0.0;
    for (const ContactView& c : sim.contacts()) carried += c.force.z();
    EXPECT_NEAR(carried, 26.82 * kG, 1e-6);
    EXPECT_LT(sim.state().v.norm(), 1e-8);
  }
}

// Whether a small disturbance of the depth of rest dies out.
bool stable(double dt, double damping) {
  const double mass = 1.0, c = 3e4, depth = mass * kG / c;
  Simulator sim(table(mass, 1, -depth * (1.0 + 1e-6)), compliant(dt, {{"damping", damping}}));
  for (int i = 0; i < 4000; ++i) {
    sim.step();
    if (std::abs(sim.state().q[2] + depth) > 1e-3 * depth) return false;
  }
  return true;
}

// Largest stable step by bisection against c G dt² + 2 d G dt = 4, G = 1/m (a point under the centre).
TEST(Compliant, Stability) {
  for (const double d : {5.0, 50.0, 300.0}) {
    const double c = 3e4, limit = (-d + std::sqrt(d * d + 4.0 * c)) / c;
    double lo = 0.5 * limit, hi = 2.0 * limit;
    EXPECT_TRUE(stable(lo, d) && !stable(hi, d));
    for (int i = 0; i < 10; ++i) (stable(0.5 * (lo + hi), d) ? lo : hi) = 0.5 * (lo + hi);
    EXPECT_NEAR(lo, limit, 0.01 * limit) << d;
  }
}

// Frequency √(cG) and damping ratio (d/2)√(G/c) of the vertical mode.
TEST(Compliant, VerticalMode) {
  const double c = 3e4, d = 50.0, dt = 1e-5, depth = kG / c;
  Simulator sim(table(1.0, 1, -0.9 * depth), compliant(dt));
  const double ratio = 0.5 * d / std::sqrt(c), omega = std::sqrt(c) * std::sqrt(1.0 - ratio * ratio);
  double last = sim.state().q[2] + depth, first = -1.0, second = -1.0, low = 0.0;
  const double high = last;
  for (int i = 1; second < 0.0 && i < 20000; ++i) {
    sim.step();
    const double x = sim.state().q[2] + depth;
    if (last * x < 0.0) (first < 0.0 ? first : second) = (i - 1 + last / (last - x)) * dt;
    if (first > 0.0) low = std::min(low, x);
    last = x;
  }
  EXPECT_NEAR(second - first, std::numbers::pi / omega, 1e-3 * std::numbers::pi / omega);
  EXPECT_NEAR(-low / high, std::exp(-ratio * std::numbers::pi / std::sqrt(1.0 - ratio * ratio)), 2e-2);
}

// A brick on a slope: held by its tangential springs at m g sin θ/(n c_T), or sliding with g (sin θ − μ cos θ).
TEST(Compliant, Incline) {
  const double slope = 0.3, depth = kG * std::cos(slope) / (4.0 * 3e4);
  Simulator held(brick(slope, 0.6, 0.0, depth), compliant(2e-4));
  EXPECT_EQ(held.step(20000).status, Status::converged);
  EXPECT_LT(held.state().v.norm(), 1e-8);
  // rolling of the brick adds to the way of its centre; the contact points show the springs alone
  double along = 0.0;
  for (const ContactView& c : held.contacts()) along -= c.force.x();
  EXPECT_NEAR(along, kG * std::sin(slope), 1e-6);
  const Vec3 foot = held.pose(0) * Vec3(0.2, 0.2, -0.05);
  EXPECT_NEAR(foot.x() - 0.2, kG * std::sin(slope) / (4.0 * 3e4), 2e-6);

  Simulator sliding(brick(slope, 0.2, 0.0, depth), compliant(2e-4));
  sliding.step(1000);
  const double v = sliding.state().v[0];
  sliding.step(1000);
  EXPECT_NEAR((sliding.state().v[0] - v) / 0.2, kG * (std::sin(slope) - 0.2 * std::cos(slope)), 1e-2);
}

// (5v₀/7) after the slide: rolling must not be taken for slip, so the stretch is that of material points.
TEST(Compliant, BallRolls) {
  const double depth = kG / 3e4;
  Simulator sim(ball({0, 0, 0.1 - depth}, {1.5, 0, 0}, surface_of(0.2)), compliant(1e-4));
  sim.step(10000);
  EXPECT_NEAR(world_velocity(sim).x(), 1.5 * 5.0 / 7.0, 5e-3);
  const double v = world_velocity(sim).x();
  sim.step(10000);
  EXPECT_NEAR(world_velocity(sim).x(), v, 2e-3);
}

// Materials that name stiffness and damping win; a wrong option is named.
TEST(Compliant, MaterialsAndOptions) {
  MaterialValues soft = surface_of(0.8);
  soft.stiffness = 1e4, soft.damping = 200.0;
  Simulator sim(ball({0, 0, 0.1}, Vec3::Zero(), soft), compliant(5e-4));
  sim.step(10000);
  EXPECT_NEAR(0.1 - sim.state().q[2], kG / 1e4, 1e-7);
  for (const char* field : {"stiffness", "damping", "stiffness_ratio", "damping_ratio", "stick_speed"})
    EXPECT_THROW(Simulator(table(1.0, 1, 0.0), compliant(1e-3, {{field, -1.0}})), InvalidInput) << field;
  Settings other = compliant(1e-3);
  other.stepper = "semi_implicit";
  EXPECT_THROW(Simulator(table(1.0, 1, 0.0), other), InvalidInput);
}

}  // namespace
}  // namespace stiction::test
