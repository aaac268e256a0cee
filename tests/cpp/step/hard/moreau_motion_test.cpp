// SPDX-License-Identifier: BSD-2-Clause
// Oracles of the midpoint rule between and beside contacts: its order, what it conserves, joints, and the promises that hold for every
// stepper (no allocation, same bits, a status instead of NaN).                                        time-stepping section 8
#include <stiction/base/invalid_input.h>
#include <stiction/scene/impact/elastic_balls.h>

#include <cmath>

#include "support/busy_world.h"
#include "support/heap_count.h"
#include "support/moreau_runs.h"
#include "support/soft_worlds.h"

namespace stiction::test {
namespace {

std::shared_ptr<const World> pendulum(double lower = -100.0, double upper = 100.0) {
  const auto text = [](double x) { return std::to_string(x); };
  WorldBuilder builder;
  RobotOptions options;
  options.fixed = true;
  const int robot = builder.add_urdf_text(
      "<robot name='p'><link name='w'/><link name='l'><inertial><origin xyz='.5 0 0'/><mass value='1'/><inertia "
      "ixx='.01' iyy='.02' izz='.02' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' "
      "type='revolute'><parent "
      "link='w'/><child link='l'/><axis xyz='0 1 0'/><limit lower='" +
          text(lower) + "' upper='" + text(upper) + "' effort='100' velocity='100'/></joint></robot>",
      options);
  builder.set_joint_position(robot, "j", 0.2);
  return builder.compile();
}

// Torque-free, about all three axes.
std::shared_ptr<const World> top() {
  WorldBuilder builder;
  builder.gravity.setZero();
  BodyOptions body;
  body.angular_velocity = {0.3, 4.0, 0.2}, body.velocity = {1.0, 0.0, 0.0};
  body.inertia = Vec3(0.02, 0.03, 0.045).asDiagonal();
  builder.add_body(make_box({0.3, 0.2, 0.1}), 1.0, body);
  return builder.compile();
}

Vec end_of(const std::shared_ptr<const World>& world, double duration, int steps, int rounds) {
  Simulator sim(world, moreau(duration / steps, "auto", {}, {{"rounds", rounds}}));
  sim.step(steps);
  Vec x(sim.world().nq + sim.world().nv);
  x << sim.state().q, sim.state().v;
  return x;
}

double order(const std::shared_ptr<const World>& world, double duration, int rounds) {
  const Vec exact = end_of(world, duration, 12800, 4);
  const double coarse = (end_of(world, duration, 200, rounds) - exact).norm();
  return std::log2(coarse / (end_of(world, duration, 400, rounds) - exact).norm());
}

// Order 2 for constant M and τ(q); with velocity forces of trees order 1 as published, 2 with h at the mean velocity.
TEST(MoreauMotion, Order) {
  EXPECT_NEAR(order(pendulum(), 1.0, 1), 2.0, 0.05);
  EXPECT_NEAR(order(planar_arm(1e-9, 0.0), 0.5, 1), 1.0, 0.2);
  EXPECT_NEAR(order(planar_arm(1e-9, 0.0), 0.5, 2), 2.0, 0.2);
  EXPECT_NEAR(order(top(), 1.0, 1), 2.0, 0.2);  // a free body turns by the midpoint rule
  EXPECT_NEAR(order(top(), 1.0, 2), 2.0, 0.2);
}

// A parabola is exact, and so is travel without forces of a body that turns.
TEST(MoreauMotion, FreeFlightIsExact) {
  WorldBuilder builder;
  BodyOptions body;
  body.velocity = {3.0, -1.0, 5.0}, body.angular_velocity = {20.0, 30.0, -10.0};
  builder.add_body(make_sphere(0.1), 1.0, body);
  Simulator sim(builder.compile(), moreau(0.01));
  sim.step(100);
  EXPECT_LT((sim.pose(0).translation - Vec3(3.0, -1.0, 5.0 - 0.5 * kG)).norm(), 1e-12);
  EXPECT_LT((world_velocity(sim) - Vec3(3.0, -1.0, 5.0 - kG)).norm(), 1e-12);
  EXPECT_LT((sim.pose(0).rotation * sim.state().v.segment<3>(3) - body.angular_velocity).norm(), 1e-11);
}

// 49 balls, 20 s, dt 10 ms: (q, v) → (q, −v) at impacts, parabolas between. Published elsewhere: 186 J² of 24034.5 J.
TEST(MoreauMotion, ElasticBallsKeepTheirEnergy) {
  const Scene scene = elastic_balls();
  Simulator sim = make_simulator(scene, moreau(scene.dt));
  const double start = sim.energy().total();
  EXPECT_NEAR(start, 24034.5, 1e-8);
  EXPECT_NEAR(start, elastic_balls_energy({}), 1e-8);
  double worst = 0.0;
  int impacts = 0;
  for (int i = 0; i < 2000; ++i) {
    impacts += sim.step().contacts;
    worst = std::max(worst, std::abs(sim.energy().total() - start) / start);
  }
  EXPECT_GE(impacts, 49 * 9);  // the n-th at (2n − 1) · 0.99 s
  EXPECT_LE(worst, 1e-10);
  RecordProperty("relative_energy_error", std::to_string(worst));
  printf("relative energy error %.3g, impacts %d\n", worst, impacts);
}

// Two balls that meet obliquely with friction: momentum and angular momentum stay; without restitution the contact takes energy.
TEST(MoreauMotion, PairKeepsItsMomentum) {
  WorldBuilder builder;
  builder.gravity.setZero();
  BodyOptions a, b;
  a.position = {0, 0, 0}, a.velocity = {1.0, 0.2, 0.0}, a.angular_velocity = {0, 0, 5};
  b.position = {0.21, 0.05, 0.02}, b.velocity = {-1.0, 0.1, 0.3};
  builder.add_body(make_sphere(0.1), 1.0, a), builder.add_body(make_sphere(0.1), 2.0, b);
  Simulator sim(builder.compile(), moreau(1e-3));
  const Vec6 before = sim.momentum();
  const double energy = sim.energy().kinetic;
  sim.step(50);
  EXPECT_LT(sim.energy().kinetic, 0.9 * energy);
  EXPECT_LT((sim.momentum().head<3>() - before.head<3>()).norm(), 1e-12);
  EXPECT_LT((sim.momentum().tail<3>() - before.tail<3>()).norm(), 1e-12);
}

// ε = 0: T(u_E) ≤ T(u_free), for a box that falls on an edge and slides, step by step.
TEST(MoreauMotion, PlasticContactTakesEnergy) {
  WorldBuilder builder;
  BodyOptions box;
  box.position = {0, 0, 0.2}, box.velocity = {1.5, 0.5, -1}, box.angular_velocity = {2, 5, 1};
  builder.add_body(make_box({0.2, 0.3, 0.2}), 1.0, box);
  const auto free_world = builder.compile();
  builder.add_ground();
  Simulator sim(builder.compile(), moreau(2e-3)), free(free_world, moreau(2e-3));
  int touched = 0;
  for (int i = 0; i < 400; ++i) {
    free.state().q = sim.state().q, free.state().v = sim.state().v;
    free.step(), sim.step();
    touched += !sim.contacts().empty();
    ASSERT_LE(sim.energy().kinetic, free.energy().kinetic * (1.0 + 1e-9) + 1e-12) << i;
  }
  EXPECT_GT(touched, 100);
}

// A limit holds a pendulum's moment m g l; nothing is asked for before it is reached, and the overlap stays.
TEST(MoreauMotion, JointLimit) {
  Simulator sim(pendulum(-0.5, 0.5), moreau(1e-3));
  sim.step(1500);
  const double q = sim.state().q[0];
  EXPECT_GT(q, 0.5);
  EXPECT_LT(q, 0.505);
  EXPECT_NEAR(sim.state().v[0], 0.0, 1e-9);
  EXPECT_NEAR(-sim.state().limit_force[0], kG * 0.5 * std::cos(q), 1e-6);
  sim = Simulator(pendulum(-0.5, 0.5), moreau(1e-3, "auto", {}, {{"stabilise", true}}));
  sim.step(1500);
  EXPECT_NEAR(sim.state().q[0], 0.5, 5e-6);
}

// How far the tip of an arm has moved from where a rigid loop holds it, after half a second.
double loop_drift(double dt, bool stabilise, double* open = nullptr) {
  Simulator sim(planar_arm(kInfinity), moreau(dt, "sor", {}, {{"stabilise", stabilise}}));
  const Loop& loop = sim.world().loops[0];
  const auto error = [&] { return Vec3(sim.pose(2) * loop.frame_b.translation - loop.frame_a.translation); };
  const Vec3 start = error();
  EXPECT_EQ(sim.step(static_cast<int>(std::lround(0.5 / dt))).status, Status::converged);
  if (open != nullptr) *open = error().norm();
  return (error() - start).norm();
}

// J(q_M) u_E = 0 leaves a drift of first order in dt; `stabilise` takes it away, and the error of the start as well.
TEST(MoreauMotion, RigidLoop) {
  EXPECT_NEAR(loop_drift(1e-3, false) / loop_drift(5e-4, false), 2.0, 0.3);
  double open = 1.0;
  loop_drift(1e-3, true, &open);
  EXPECT_LT(open, 1e-5);
}

// Implicit PD ends at the step's end: stable for any stiffness, at rest where kp (target − q) carries the weight.
TEST(MoreauMotion, ImplicitPdIsStable) {
  Simulator sim(pendulum(), moreau(0.01));
  sim.set_pd(1e6, 10.0, true);
  EXPECT_EQ(sim.step(2000).status, Status::converged);
  const double q = sim.state().q[0];
  EXPECT_NEAR(1e6 * (0.2 - q), -kG * 0.5 * std::cos(q), 1e-3 * kG);
}

// Oracles: the heap and the bits. The second run from the same start allocates nothing; a restored state repeats itself.
TEST(MoreauMotion, AllocatesNothingAndRepeatsItself) {
  for (const Settings& s :
       {moreau(2e-3), moreau(2e-3, "sor"), moreau(2e-3, "jor", {}, {{"rounds", 2}}), compliant(5e-4)}) {
    Simulator sim(busy_world(0.45), s), other(busy_world(0.45), s);
    sim.set_pd(100.0, 3.0), other.set_pd(100.0, 3.0);
    const State start = sim.state();
    const int steps = static_cast<int>(0.3 / s.dt);
    sim.step(steps);
    EXPECT_GT(sim.contacts().size(), 2u) << s.law << " " << s.solver;
    other.restore(sim.save());
    sim.step(100), other.step(100);
    EXPECT_EQ(sim.hash(), other.hash()) << s.law << " " << s.solver;
    if (!kCountsAllocations) continue;
    sim.state() = start;
    const HeapCount heap;
    sim.step(steps);
    EXPECT_EQ(heap.count(), 0) << s.law << " " << s.solver;
  }
}

// α beyond what the matrix allows: the iteration diverges, the status and the count say so, and the state stays finite.
TEST(MoreauMotion, DivergenceIsReported) {
  for (const char* solver : {"sor", "jor"}) {
    Simulator sim(brick(0.0, 0.5, 1.0), moreau(2e-3, solver, {{"alpha", 2.0}, {"cold_start", true}}));
    const StepReport report = sim.step(20);
    EXPECT_EQ(report.steps, 20) << solver;
    EXPECT_TRUE(report.status == Status::stalled || report.status == Status::max_iterations) << solver;
    EXPECT_GT(report.iterations, 20) << solver;
    EXPECT_GT(report.unaccepted, 0) << solver;
    EXPECT_TRUE(sim.state().q.allFinite() && sim.state().v.allFinite()) << solver;
  }
  for (const double alpha : {-0.5, 0.0, 2.5})
    EXPECT_THROW(Simulator(brick(0.0, 0.5), moreau(2e-3, "sor", {{"alpha", alpha}})), InvalidInput) << alpha;
}

TEST(MoreauMotion, BadInputIsNamed) {
  EXPECT_THROW(Simulator(brick(0.0, 0.5), moreau(2e-3, "auto", {}, {{"rounds", 0}})), InvalidInput);
  WorldBuilder builder;
  EXPECT_THROW(builder.add_ground(surface_of(0.5, 0.0, 1.2)), InvalidInput);
  EXPECT_THROW(builder.add_ground(surface_of(0.5, -0.1)), InvalidInput);
  Settings other = moreau(2e-3);
  other.stepper = "semi_implicit";
  EXPECT_THROW(Simulator(ball({0, 0, 1}, Vec3::Zero(), surface_of(0.5, 0.0, 0.5)), other), InvalidInput);
}

}  // namespace
}  // namespace stiction::test
