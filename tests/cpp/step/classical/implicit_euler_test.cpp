// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the equation of the step evaluated by queries, the end state and order of specification test 15, Newton's own
// theory (errors square from iterate to iterate, which only an exact derivative gives).
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>

#include <cmath>
#include <vector>

#include "support/dense_oracles.h"
#include "support/heap_count.h"
#include "support/soft_worlds.h"

namespace stiction {
namespace {

using test::planar_arm, test::point_quadruped, test::soft;

const Vec3 kTorque(1.0, 2.0, -0.5), kRate(0.5, -1.0, 2.0);

Simulator arm(double dt, const OptionMap& options = {}) {
  Simulator sim(planar_arm(), soft("implicit_euler", dt, options));
  sim.state().v = kRate;
  return sim;
}

TEST(ImplicitEuler, TheEquationOfTheStepHolds) {
  const double h = 5e-3;
  Simulator sim = arm(h, {{"tolerance", 1e-12}});
  for (int i = 0; i < 10; ++i) {
    const Vec q = sim.state().q, v = sim.state().v;
    const StepReport report = sim.step(kTorque);
    EXPECT_EQ(report.status, Status::converged);
    const Vec q1 = sim.state().q, v1 = sim.state().v;
    const Vec force = sim.bias();
    const AnchorView tip = sim.anchors().at(0);
    // Forces at the end: −K (p − p₀) − B ṗ with p and ṗ by hand.
    double angle = 0.0;
    Vec3 p = Vec3::Zero();
    Mat J = Mat::Zero(3, 3);
    const double length[3] = {0.3, 0.3, 0.2};
    for (int k = 0; k < 3; ++k) {
      angle += q1[k];
      const Vec3 rod = length[k] * Vec3(std::cos(angle), std::sin(angle), 0.0);
      p += rod;
      for (int j = 0; j <= k; ++j) J.col(j) += Vec3::UnitZ().cross(rod);
    }
    const Loop& hold = sim.world().loops[0];
    const Vec3 lambda = -1e4 * (p - hold.frame_a.translation) - 60.0 * (J * v1);
    EXPECT_LE((tip.force - lambda).norm(), 1e-9 * (1.0 + lambda.norm()));
    const Vec a = test::solve_symmetric(sim.mass_matrix(), kTorque - force + J.transpose() * lambda);
    EXPECT_LE((v1 - v - h * a).norm(), 1e-11);
    EXPECT_LE((q1 - q - h * v1).norm(), 1e-14);
  }
}

TEST(ImplicitEuler, FirstOrderOnTheArm) {
  Vec wanted_q(3), wanted_v(3);
  wanted_q << 0.3691535440472, 0.7302107043237, -0.4604235470770;
  wanted_v << -0.9867650447336, 0.1919590912551, 3.247213087744;
  std::vector<double> error;
  for (const double h : {0.5e-3, 0.25e-3, 0.125e-3}) {
    Simulator sim = arm(h);
    EXPECT_EQ(sim.step(kTorque, static_cast<int>(std::lround(64e-3 / h))).status, Status::converged);
    error.push_back(std::hypot((sim.state().q - wanted_q).norm(), (sim.state().v - wanted_v).norm()));
  }
  EXPECT_LE(error[2], 1.3e-2);  // of 3.4: explicit Euler has as much at this step
  for (std::size_t i = 0; i + 1 < error.size(); ++i) EXPECT_NEAR(std::log2(error[i] / error[i + 1]), 1.0, 0.05);
}

// Distances of the first iterates from the solution of one step: Newton with k iterations and then with many.
std::vector<double> newton_errors(const Simulator& start, const VecRef& tau, double dt, int count) {
  const auto result = [&](const OptionMap& options) {
    Simulator sim(start.shared_world(), soft("implicit_euler", dt, options));
    sim.state() = start.state();
    sim.step(tau);
    Vec x(sim.state().q.size() + sim.state().v.size());
    x << sim.state().q, sim.state().v;
    return x;
  };
  const Vec wanted = result({{"tolerance", 1e-13}, {"max_iterations", 60}});
  std::vector<double> errors;
  for (int k = 1; k <= count; ++k)
    errors.push_back((result({{"tolerance", 1e-300}, {"max_iterations", k}, {"restart", false}}) - wanted).norm());
  return errors;
}

// The last error above round-off is at most C times the square of the one before; halving would need twenty iterations.
void expect_quadratic(const std::vector<double>& errors, double floor) {
  EXPECT_LE(errors.back(), floor);
  for (std::size_t k = 1; k < errors.size(); ++k)
    if (errors[k - 1] < 1e-2) {
      EXPECT_LE(errors[k], std::max(floor, 1e-2 * errors[k - 1]));
    }
}

TEST(ImplicitEuler, NewtonIsQuadraticOnTheArm) {
  for (const double h : {2e-3, 20e-3}) {
    SCOPED_TRACE(h);
    expect_quadratic(newton_errors(arm(h), kTorque, h, 9), 1e-12);
  }
}

// A floating base that turns, feet that slip: every term of the derivative counts.
TEST(ImplicitEuler, NewtonIsQuadraticInStanceAndSlip) {
  for (const bool slip : {false, true}) {
    SCOPED_TRACE(slip ? "slip" : "stance");
    const double h = 2e-3;
    Simulator sim(point_quadruped(slip ? 0.2 : 1.0), soft("implicit_euler", h));
    sim.state().q[2] -= 1e-4;
    sim.set_pd(8.0, 0.2);
    sim.step(100);
    sim.state().v.head<6>() << (slip ? 0.5 : 0.02), 0.01, -0.02, 0.2, -0.1, (slip ? 0.4 : 0.05);
    sim.step(2);
    int slipping = 0;
    for (const AnchorView& a : sim.anchors()) slipping += a.slipping;
    EXPECT_EQ(sim.anchors().size(), 4u);
    EXPECT_EQ(slipping > 0, slip);
    expect_quadratic(newton_errors(sim, Vec::Constant(12, 0.1), h, 14), 1e-11);
  }
}

TEST(ImplicitEuler, NonConvergenceIsTold) {
  Simulator sim = arm(20e-3, {{"tolerance", 1e-14}, {"max_iterations", 1}, {"restart", false}});
  const StepReport report = sim.step(kTorque, 3);
  EXPECT_EQ(report.status, Status::max_iterations);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_EQ(report.unaccepted, 3);
  EXPECT_TRUE(sim.state().q.allFinite() && sim.state().v.allFinite());
  // A fall on the floor at 40 ms: whatever happens, nothing becomes NaN and failures are counted.
  Simulator drop(point_quadruped(), soft("implicit_euler", 40e-3));
  drop.state().q[2] += 0.05;
  const StepReport fall = drop.step(50);
  EXPECT_TRUE(drop.state().q.allFinite() && drop.state().v.allFinite());
  EXPECT_EQ(fall.unaccepted > 0, fall.status != Status::converged);
}

TEST(ImplicitEuler, StableWhereExplicitEulerIsNot) {
  for (const char* stepper : {"implicit_euler", "euler"}) {
    Simulator sim(point_quadruped(), soft(stepper, 2e-3));
    sim.set_pd(8.0, 0.2);
    const StepReport report = sim.step(500);
    if (std::string(stepper) == "euler") {
      EXPECT_EQ(report.status, Status::unphysical);  // the energy guard ends what explodes
    } else {
      EXPECT_EQ(report.status, Status::converged);
      EXPECT_LE(sim.state().v.lpNorm<Eigen::Infinity>(), 0.1);
    }
  }
}

TEST(ImplicitEuler, BadOptionsAreRefused) {
  EXPECT_THROW(arm(1e-3, {{"tolerance", 0.0}}), InvalidInput);
  EXPECT_THROW(arm(1e-3, {{"max_iterations", 0}}), InvalidInput);
  EXPECT_THROW(arm(1e-3, {{"guess", std::string("explicit")}}), InvalidInput);
  EXPECT_THROW(arm(1e-3, {{"regularisation", 1.0}}), InvalidInput);
}

TEST(ImplicitEuler, NothingIsAllocated) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "the sanitizers have their own malloc";
  Simulator sim(point_quadruped(0.3), soft("implicit_euler", 2e-3));
  sim.state().v[0] = 0.3;
  sim.step(50);
  const test::HeapCount heap;
  sim.step(20);
  EXPECT_EQ(heap.count(), 0);
}

}  // namespace
}  // namespace stiction
