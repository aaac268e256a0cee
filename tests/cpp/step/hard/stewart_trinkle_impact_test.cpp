// SPDX-License-Identifier: BSD-2-Clause
// Oracles: closed forms of impacts, sliding and rolling.
#include <numbers>

#include "support/stewart_trinkle_runs.h"

namespace stiction::test {
namespace {

constexpr double kGravity = 9.81;

std::vector<double> cradle(int balls, double restitution, const Settings& settings, double gap = 0.0, int steps = 1) {
  WorldBuilder world;
  world.gravity.setZero();
  for (int i = 0; i < balls; ++i) {
    BodyOptions ball;
    ball.position = {(0.2 + gap) * i, 0.0, 0.0}, ball.velocity = {i == 0 ? 1.0 : 0.0, 0.0, 0.0};
    ball.values = material(0.0, restitution);
    world.add_body(make_sphere(0.1), 1.0, ball);
  }
  Simulator sim(world.compile(), settings);
  EXPECT_EQ(sim.step(steps).status, Status::converged);
  std::vector<double> v;
  for (int i = 0; i < balls; ++i) v.push_back(sim.state().v[6 * i]);
  return v;
}

TEST(StewartTrinkle, CradleByNewton) {
  Settings coulomb = stewart_trinkle(1e-3);
  coulomb.law = "coulomb", coulomb.solver = "auto", coulomb.law_options.clear();
  for (const Settings& s : {stewart_trinkle(1e-3), coulomb}) {
    const std::vector<double> plastic = cradle(3, 0.0, s), half = cradle(3, 0.5, s), full = cradle(3, 1.0, s);
    const double wanted[3][3] = {{1.0 / 3, 1.0 / 3, 1.0 / 3}, {0.0, 0.5, 0.5}, {-1.0 / 3, 2.0 / 3, 2.0 / 3}};
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(plastic[i], wanted[0][i], 1e-4) << s.law;
      EXPECT_NEAR(half[i], wanted[1][i], 1e-4) << s.law;
      EXPECT_NEAR(full[i], wanted[2][i], 1e-4) << s.law;
    }
    const std::vector<double> five = cradle(5, 1.0, s);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(five[i], i == 0 ? -0.6 : 0.4, 1e-4) << s.law;
    // gaps that the steps resolve: one impact after the other, as in the toy
    const std::vector<double> apart = cradle(3, 1.0, s, 5e-3, 20);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(apart[i], i == 2 ? 1.0 : 0.0, 1e-4) << s.law;
  }
}

// Energy after over energy before of a slender rod at 135° that hits the floor.
double kane_energy(double vx, double mu, const char* rule) {
  const double x = 0.25 * std::numbers::sqrt2 / 2.0;
  WorldBuilder world;
  world.gravity.setZero();
  world.add_ground(material(mu, 1.0));
  BodyOptions body;
  body.position = {0.0, 0.0, x}, body.velocity = {vx, 0.0, -1.0};
  body.inertia = Mat3(Mat3::Identity() / 48.0);
  body.values = material(mu, 1.0);
  const BodyId id = world.add_body(make_sphere(0.01), 1.0, body);
  world.add_contact_point(id, {x, 0.0, -x}, false, std::nullopt, std::nullopt, material(mu, 1.0));
  Simulator sim(world.compile(), stewart_trinkle(1e-6, 4, {{"restitution", std::string(rule)}}));
  const double before = sim.energy().kinetic;
  EXPECT_EQ(sim.step().status, Status::converged);
  return sim.energy().kinetic / before;
}

TEST(StewartTrinkle, NewtonCreatesEnergyPoissonDoesNot) {
  EXPECT_NEAR(kane_energy(-0.5, 0.3, "newton"), 1.0628, 1e-4);
  EXPECT_NEAR(kane_energy(-0.5, 0.3, "poisson"), 0.9545, 1e-4);
  EXPECT_NEAR(kane_energy(-0.3, 0.5, "newton"), 1.1548, 1e-4);
  EXPECT_NEAR(kane_energy(-0.3, 0.5, "poisson"), 0.9730, 1e-4);
}

// Zeno: at rest after √(2H/g)(1 + e)/(1 − e), without locating a single impact.
TEST(StewartTrinkle, BouncingBallComesToRest) {
  for (const char* rule : {"newton", "poisson"}) {
    const double e = 0.5, height = 0.5;
    WorldBuilder world;
    world.add_ground(material(0.3, e));
    BodyOptions ball;
    ball.position = {0.0, 0.0, 0.1 + height}, ball.values = material(0.3, e);
    world.add_body(make_sphere(0.1), 1.0, ball);
    Simulator sim(world.compile(), stewart_trinkle(1e-3, 4, {{"restitution", std::string(rule)}}));
    const double fall = std::sqrt(2.0 * height / kGravity), end = fall * (1.0 + e) / (1.0 - e);
    double top = 0.0, impact = fall, flight = 2.0 * e * fall, before = 0.0;
    int bounces = 0;
    while (sim.state().time < 1.05 * end) {
      sim.step();
      if (sim.state().time > fall + 2e-3) top = std::max(top, sim.state().q[2] - 0.1);
      if (before < 0.0 && sim.state().v[2] > 0.0 && bounces < 4) {  // the n-th flight lasts 2 eⁿ √(2H/g)
        // a rebound begins up to dt v above the floor, which makes the flight longer by dt/e, by Poisson's rule by 2 e dt more
        EXPECT_NEAR(sim.state().time, impact, 1e-3 * (1.0 + 3.0 * bounces++)) << rule;
        impact += flight, flight *= e;
      }
      before = sim.state().v[2];
    }
    EXPECT_EQ(bounces, 4) << rule;
    // the rebound begins up to dt v above the floor, by Poisson's rule with e g dt more speed
    EXPECT_NEAR(top, e * e * height, (1.0 + e * e) * 1e-3 * kGravity * fall) << rule;
    EXPECT_LT(sim.state().v.norm(), 1e-9) << rule;
    EXPECT_NEAR(sim.state().q[2], 0.1, 1e-9) << rule;
  }
}

double incline_speed(double slope, double mu, const Settings& settings) {
  WorldBuilder world;
  world.gravity = kGravity * Vec3(std::sin(slope), 0.0, -std::cos(slope));
  world.add_ground(material(mu));
  BodyOptions body;
  body.position = {0.0, 0.0, 0.05}, body.values = material(mu);
  world.add_body(make_box({0.4, 0.4, 0.1}), 1.0, body);
  Simulator sim(world.compile(), settings);
  EXPECT_EQ(sim.step(100).status, Status::converged) << settings.law << " " << settings.solver;
  return sim.state().v[0];
}

// a = g (sin θ − μ cos θ), exact where the slope is one of the directions; with every solver of the law.
TEST(StewartTrinkle, Incline) {
  const double slope = 0.3, edge = std::tan(slope);
  std::vector<Settings> all;
  for (const auto& [law, solver] :
       {std::pair{"pyramid", "lemke"}, std::pair{"pyramid", "auto"}, std::pair{"pyramid", "dantzig"},
        std::pair{"pyramid", "lcp_qp"}, std::pair{"coulomb", "auto"}, std::pair{"coulomb", "nsgs"}}) {
    Settings s = stewart_trinkle(2e-3);
    s.law = law, s.solver = solver, s.law_options.clear();
    all.push_back(s);
  }
  all.push_back(stewart_trinkle(2e-3, 8));
  for (const Settings& s : all) {
    EXPECT_NEAR(incline_speed(slope, 1.01 * edge, s), 0.0, 1e-8) << s.law << " " << s.solver;
    for (const double mu : {0.99 * edge, 0.2})
      EXPECT_NEAR(incline_speed(slope, mu, s), 0.2 * kGravity * (std::sin(slope) - mu * std::cos(slope)), 1e-8)
          << s.law << " " << s.solver;
  }
}

// v₀ − n μ g dt after n steps, then rest: friction along a direction of the set is exact.
TEST(StewartTrinkle, SlidingBlock) {
  WorldBuilder world;
  world.add_ground(material(0.4));
  BodyOptions body;
  body.position = {0.0, 0.0, 0.05}, body.velocity = {1.0, 0.0, 0.0}, body.values = material(0.4);
  world.add_body(make_box({0.4, 0.4, 0.1}), 1.0, body);
  for (const int facets : {4, 8}) {
    Simulator sim(world.compile(), stewart_trinkle(1e-3, facets));
    const double stop = 1.0 / (0.4 * kGravity);
    for (int n = 1; n <= 254; ++n) {
      sim.step();
      ASSERT_NEAR(sim.state().v[0], 1.0 - n * 0.4 * kGravity * 1e-3, 1e-9) << n;
    }
    sim.step(2);  // stop time .25484 s
    EXPECT_NEAR(sim.state().v.norm(), 0.0, 1e-9);
    EXPECT_NEAR(sim.state().q[0], 0.5 * stop, 0.5e-3) << "dt v0/2";
  }
}

// A ball that slides ends rolling with 5/7 of its speed after 2 v₀/(7 μ g).
TEST(StewartTrinkle, BallRollsWithFiveSevenths) {
  WorldBuilder world;
  world.add_ground(material(0.2));
  BodyOptions ball;
  ball.position = {0.0, 0.0, 0.1}, ball.velocity = {1.5, 0.0, 0.0}, ball.values = material(0.2);
  world.add_body(make_sphere(0.1), 1.0, ball);
  Simulator sim(world.compile(), stewart_trinkle(1e-4, 8));
  const auto speed = [&] { return (sim.pose(0).rotation * sim.state().v.head<3>()).x(); };
  sim.step(2183);
  EXPECT_GT(speed(), 1.5 * 5.0 / 7.0 + 1e-5);  // still slides at .2183 s
  sim.step(3);
  EXPECT_NEAR(speed(), 1.5 * 5.0 / 7.0, 1e-10);
}

// Oblique impact of a ball, slip s: sticks iff (2/7)|s| ≤ μ (1 + e)|v_n|, then Δv_t = −(2/7) s, else −μ (1 + e)|v_n|.
TEST(StewartTrinkle, ObliqueImpact) {
  for (const double vt : {0.5, 5.0}) {
    const double mu = 0.3, e = 0.5, vn = 1.0;
    WorldBuilder world;
    world.gravity.setZero();
    world.add_ground(material(mu, e));
    BodyOptions ball;
    ball.position = {0.0, 0.0, 0.1}, ball.velocity = {vt, 0.0, -vn}, ball.values = material(mu, e);
    world.add_body(make_sphere(0.1), 1.0, ball);
    Simulator sim(world.compile(), stewart_trinkle(1e-4));
    sim.step();
    const Vec3 v = sim.pose(0).rotation * sim.state().v.head<3>();
    const double drop = std::min(2.0 / 7.0 * vt, mu * (1.0 + e) * vn);
    EXPECT_NEAR(v.x(), vt - drop, 1e-9);
    EXPECT_NEAR(v.z(), e * vn, 1e-9);
    EXPECT_NEAR(sim.state().v.segment<3>(3).norm(), 25.0 * drop, 1e-7);
  }
}

}  // namespace
}  // namespace stiction::test
