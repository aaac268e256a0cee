// SPDX-License-Identifier: BSD-2-Clause
// Oracles of the midpoint rule with hard laws: closed forms of friction and impacts, Newton's rule with several contacts, the limit of
// Stewart and Trinkle's rod, and the other schemes where they must agree.               time-stepping sections 7, 8 and 9, test 3
#include <stiction/base/invalid_input.h>

#include <numbers>

#include "support/moreau_runs.h"
#include "support/stewart_trinkle_runs.h"

namespace stiction::test {
namespace {

// impact .3856, slap-down .5473, rest .5663, x −.2275: the limit dt → 0, shared with another method.
TEST(Moreau, RodMethodsAgree) {
  Simulator sim = make_simulator(rod(), moreau(1e-4, "sor", {{"max_iterations", 2000}}));
  double deepest = 0.0;
  std::vector<RodRow> rows;
  for (int i = 0; i < 65; ++i) {
    const std::vector<RodRow> part = run_rod(sim, rows.empty() ? Rod{}.angle : rows.back().theta, 0.01);
    rows.insert(rows.end(), part.begin(), part.end());
    for (const ContactView& c : sim.contacts()) deepest = std::max(deepest, -c.gap);
  }
  const RodEvents e = rod_events(rows, 1e-4);
  EXPECT_NEAR(e.impact, 0.3856, 2e-4);
  EXPECT_NEAR(e.slap, 0.5473, 2e-4);
  EXPECT_NEAR(e.rest, 0.5663, 3e-4);
  EXPECT_NEAR(rows.back().x, -0.2275, 3e-4);
  EXPECT_LT(deepest, 0.25e-3);  // nothing pushes the rod out again
}

// v₀ − n μ g dt after n steps; the way is v₀²/(2μg) but for the last step, of which dt v/2 is lost at most.
TEST(Moreau, SlidingBlock) {
  const double mu = 0.4, dt = 1e-3, stop = 1.0 / (mu * kG);
  for (const char* solver : {"auto", "sor", "jor", "nsgs"}) {
    Simulator sim(brick(0.0, mu, 1.0), moreau(dt, solver));
    for (int n = 1; n <= 254; ++n) {
      ASSERT_EQ(sim.step().status, Status::converged) << solver;
      ASSERT_NEAR(sim.state().v[0], 1.0 - n * mu * kG * dt, 1e-7) << solver << " step " << n;
    }
    sim.step(2);
    EXPECT_NEAR(sim.state().v.norm(), 0.0, 1e-7) << solver;
    EXPECT_NEAR(sim.state().q[0], 0.5 * stop, mu * kG * dt * dt) << solver;
  }
}

TEST(Moreau, Incline) {
  const double slope = 0.3, edge = std::tan(slope);
  for (const char* solver : {"auto", "sor", "jor"}) {
    for (const double mu : {1.01 * edge, 0.99 * edge, 0.2}) {
      Simulator sim(brick(slope, mu), moreau(2e-3, solver));
      EXPECT_EQ(sim.step(100).status, Status::converged) << solver;
      EXPECT_NEAR(sim.state().v[0], 0.2 * kG * std::max(0.0, std::sin(slope) - mu * std::cos(slope)), 1e-7) << solver;
    }
  }
}

// Slides for 2v₀/(7μg) over 12v₀²/(49μg), then rolls with (5v₀ + 2Rω₀)/7.
TEST(Moreau, BallSlidesThenRolls) {
  for (const double spin : {0.0, 6.0}) {
    const double mu = 0.2, v0 = 1.5, slip = v0 - 0.1 * spin, dt = 1e-4, end = 2.0 * slip / (7.0 * mu * kG);
    Simulator sim(ball({0, 0, 0.1 - 1e-12}, {v0, 0, 0}, surface_of(mu), {0, spin, 0}), moreau(dt));
    const int steps = static_cast<int>(end / dt);
    sim.step(steps);
    const double rolling = (5.0 * v0 + 0.2 * spin) / 7.0;
    EXPECT_GT(world_velocity(sim).x(), rolling + 1e-6);
    sim.step(2);
    EXPECT_NEAR(world_velocity(sim).x(), rolling, 1e-9);
    EXPECT_NEAR(sim.state().q[0], v0 * end - 0.5 * mu * kG * end * end, 2.0 * dt * v0);
  }
}

// Slip s = v_t: sticks iff (2/7)(1 + ε_T)|s| ≤ μ(1 + e)|v_n|; ε_T sends the slip back.
TEST(Moreau, ObliqueImpact) {
  const double mu = 0.3, e = 0.5, vn = 1.0;
  for (const double tangential : {0.0, 0.4})
    for (const double vt : {0.5, 5.0}) {
      Simulator sim(ball({0, 0, 0.1}, {vt, 0, -vn}, surface_of(mu, e, tangential), Vec3::Zero(), 0.0), moreau(1e-4));
      sim.step();
      const Vec3 v = world_velocity(sim);
      const double drop = std::min(2.0 / 7.0 * (1.0 + tangential) * vt, mu * (1.0 + e) * vn);
      EXPECT_NEAR(v.x(), vt - drop, 1e-9);
      EXPECT_NEAR(v.z(), e * vn, 1e-9);
      EXPECT_NEAR(sim.state().v.segment<3>(3).norm(), 25.0 * drop, 1e-7);
    }
}

// Heights e²ⁿH; at rest after √(2H/g)(1 + e)/(1 − e) without locating an impact.
TEST(Moreau, BouncingBallComesToRest) {
  const double e = 0.5, height = 0.5, dt = 1e-3, fall = std::sqrt(2.0 * height / kG);
  Simulator sim(ball({0, 0, 0.1 + height}, Vec3::Zero(), surface_of(0.3, e)), moreau(dt));
  const double end = fall * (1.0 + e) / (1.0 - e);
  double top = 0.0;
  while (sim.state().time < 1.1 * end) {
    sim.step();
    if (sim.state().time > fall + 2 * dt) top = std::max(top, sim.state().q[2] - 0.1);
  }
  EXPECT_NEAR(top, e * e * height, 2.0 * dt * kG * fall);  // an impact is met up to dt v early or late
  EXPECT_LT(sim.state().v.norm(), 1e-9);
  EXPECT_NEAR(sim.state().q[2], 0.1, dt * kG * fall);
}

std::vector<double> cradle(int balls, double restitution, double gap, int steps) {
  WorldBuilder world;
  world.gravity.setZero();
  for (int i = 0; i < balls; ++i) {
    BodyOptions ball;
    ball.position = {(0.2 + gap) * i, 0.0, 0.0}, ball.velocity = {i == 0 ? 1.0 : 0.0, 0.0, 0.0};
    ball.values = surface_of(0.0, restitution);
    world.add_body(make_sphere(0.1), 1.0, ball);
  }
  Simulator sim(world.compile(), moreau(1e-4));
  EXPECT_EQ(sim.step(steps).status, Status::converged);
  std::vector<double> v;
  for (int i = 0; i < balls; ++i) v.push_back(sim.state().v[6 * i]);
  return v;
}

TEST(Moreau, CradleByNewton) {
  const double wanted[3][3] = {{1.0 / 3, 1.0 / 3, 1.0 / 3}, {0.0, 0.5, 0.5}, {-1.0 / 3, 2.0 / 3, 2.0 / 3}};
  const double restitution[3] = {0.0, 0.5, 1.0};
  for (int k = 0; k < 3; ++k) {
    const std::vector<double> v = cradle(3, restitution[k], -1e-12, 1);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(v[i], wanted[k][i], 1e-8) << restitution[k];
  }
  const std::vector<double> five = cradle(5, 1.0, -1e-12, 1);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(five[i], i == 0 ? -0.6 : 0.4, 1e-8);
  const std::vector<double> apart = cradle(3, 1.0, 1e-3, 60);  // gaps that the steps resolve
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(apart[i], i == 2 ? 1.0 : 0.0, 1e-8);
}

// A slender rod at 135° hits the floor: Newton's rule creates energy with friction, here by 6.28 % and 15.48 %.
TEST(Moreau, NewtonCreatesEnergyWithFriction) {
  const double x = 0.25 * std::numbers::sqrt2 / 2.0;
  for (const auto& [vx, mu, gain] : {std::tuple{-0.5, 0.3, 1.0628}, std::tuple{-0.3, 0.5, 1.1548}}) {
    WorldBuilder world;
    world.gravity.setZero();
    world.add_ground(surface_of(mu, 1.0));
    BodyOptions body;
    body.position = {0.0, 0.0, x}, body.velocity = {vx, 0.0, -1.0};
    body.inertia = Mat3(Mat3::Identity() / 48.0);
    body.values = surface_of(mu, 1.0);
    const BodyId id = world.add_body(make_sphere(0.01), 1.0, body);
    world.add_contact_point(id, {x, 0.0, -x}, false, std::nullopt, std::nullopt, surface_of(mu, 1.0));
    Simulator sim(world.compile(), moreau(1e-6));
    const double before = sim.energy().kinetic;
    EXPECT_EQ(sim.step().status, Status::converged);
    EXPECT_NEAR(sim.energy().kinetic / before, gain, 1e-4);
  }
}

// A stack: the force between box i and i + 1 is the weight above; it stays where it was.
TEST(Moreau, StackOfBoxes) {
  WorldBuilder world;
  world.add_ground();
  for (int i = 0; i < 4; ++i) {
    BodyOptions box;
    box.position = {0.0, 0.0, 0.1 + 0.2 * i - 1e-6 * (i + 1)};
    world.add_body(make_box({0.2, 0.2, 0.2}), 2.0, box);
  }
  Simulator sim(world.compile(), moreau(5e-3));
  EXPECT_EQ(sim.step(100).status, Status::converged);
  std::vector<double> carried(4, 0.0);
  for (const ContactView& c : sim.contacts()) carried[static_cast<std::size_t>(c.body_b)] += c.force.z();
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(carried[i], (4.0 - static_cast<double>(i)) * 2.0 * kG, 1e-4) << i;
  EXPECT_NEAR(sim.state().q[2], 0.1 - 1e-6, 1e-8);
}

// The fixed point of the prox iteration does not depend on its step: a tumbling box ends in the same velocity.
TEST(Moreau, FixedPointDoesNotDependOnTheStepLength) {
  const auto end = [](const std::string& solver, const OptionMap& options) {
    WorldBuilder world;
    world.add_ground(surface_of(0.5, 0.3));
    BodyOptions box;
    box.position = {0, 0, 0.12}, box.velocity = {1, 0.4, -1}, box.angular_velocity = {0.3, 2, 1};
    world.add_body(make_box({0.2, 0.2, 0.2}), 1.0, box);
    OptionMap strict = options;
    strict["tolerance"] = 1e-11, strict["force_tolerance"] = 1e-9, strict["velocity_tolerance"] = 1e-11;
    strict["power_tolerance"] = 1e-9, strict["max_iterations"] = 20000;
    Simulator sim(world.compile(), moreau(2e-3, solver, strict));
    EXPECT_EQ(sim.step(40).status, Status::converged) << solver;
    return Vec(sim.state().v);
  };
  const Vec reference = end("auto", {});
  EXPECT_GT(reference.norm(), 0.5);
  for (const double alpha : {0.3, 0.8}) {
    EXPECT_LT((end("sor", {{"alpha", alpha}}) - reference).norm(), 1e-8) << alpha;
    EXPECT_LT((end("sor", {{"alpha", alpha}, {"split_velocity", true}}) - reference).norm(), 1e-8) << alpha;
    EXPECT_LT((end("jor", {{"alpha", 0.5 * alpha}}) - reference).norm(), 1e-8) << alpha;
  }
}

// Without position term it is Anitescu and Potra's model with the circular cone: a ball whose contact stays the same.
TEST(Moreau, IsAnitescuPotraWithTheCone) {
  const auto world = ball({0, 0, 0.1 - 1e-4}, {1.5, 0.3, 0}, surface_of(0.2), {2, -1, 4});
  Settings other = moreau(2e-3);
  other.stepper = "stewart_trinkle", other.stepper_options = {{"version", std::string("anitescu_potra")}};
  other.law_options = {{"baumgarte", 0.0}};
  Simulator a(world, moreau(2e-3)), b(world, other);
  for (int i = 0; i < 200; ++i) {
    a.step(), b.step();
    ASSERT_LT((world_velocity(a) - world_velocity(b)).norm(), 1e-8) << i;
  }
}

}  // namespace
}  // namespace stiction::test
