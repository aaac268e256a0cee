// SPDX-License-Identifier: BSD-2-Clause
// Oracles: a cube on four springs k rests at −m g/(4 k); λ(R) tends to the rigid solution linearly in R.
//                                                                                 contact-models 14, test 25
#include <stiction/scene/friction/corner_cube.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include "support/play.h"

namespace stiction::test {
namespace {

double rest_depth(double dt, double damping) {
  Scene scene;
  MaterialValues spring;
  spring.stiffness = 1e4;
  spring.damping = damping;
  scene.world.add_ground(spring);
  BodyOptions cube;
  cube.position = {0.0, 0.0, kCubeRest};
  add_corner_cube(scene.world, 1.0, cube);
  Play play(scene, settings_for("coulomb", dt));
  play.run(static_cast<int>(std::lround(1.0 / dt)));
  EXPECT_EQ(play.unaccepted, 0);
  EXPECT_EQ(play.sim.contacts().size(), 4u);
  return kCubeRest - play.position(0).z();
}

TEST(Compliance, CubeRestsOnItsSprings) {
  const double exact = 1.0 * 9.81 / (4.0 * 1e4);
  for (const double dt : {0.5e-3, 1e-3, 2e-3})
    for (const double damping : {0.0, 30.0, 300.0})
      EXPECT_NEAR(rest_depth(dt, damping), exact, 1e-3 * exact) << dt << " " << damping;
}

// A spring does not reach out: a ball above the floor falls freely until it touches.
TEST(Compliance, OpenSpringDoesNotBrake) {
  Scene scene;
  MaterialValues spring;
  spring.stiffness = 1e4;
  spring.damping = 1e3;
  scene.world.add_ground(spring);
  BodyOptions ball;
  ball.position = {0.0, 0.0, 0.15};
  scene.world.add_body(make_sphere(0.1), 1.0, ball);
  Play play(scene, settings_for("coulomb", 1e-3));
  for (int n = 1; n <= 99; ++n) {  // 0.05 m take 101 ms
    play.step();
    ASSERT_NEAR(play.velocity(0).z(), -9.81e-3 * n, 1e-12) << n;
  }
}

TEST(Compliance, ForceTendsToTheRigidOneLinearly) {
  Mat A(6, 9);
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j) A(i, j) = std::sin(1.0 + 3.7 * i + 1.9 * j * j);
  const Mat G = A * A.transpose() + Mat::Identity(6, 6);
  const Vec g = (Vec(6) << 0.1, -0.2, -1.0, 0.3, 0.05, -2.0).finished();
  const auto solve = [&](double R) {
    ContactProblem p = ContactProblem::from_dense(G, g, Vec::Constant(2, 0.6), {}, 1e-3);
    if (R > 0.0) p.compliance.assign(6, R);
    Vec lambda = Vec::Zero(6);
    const Report report = make_solver("nsgs", {{"tolerance", 1e-12}, {"force_tolerance", 1e-12}})->solve(p, lambda);
    EXPECT_TRUE(report.status == Status::converged || report.status == Status::stalled) << name(report.status);
    EXPECT_LE(report.own.natural, 1e-8);
    return lambda;
  };
  const Vec rigid = solve(0.0);
  ASSERT_GE(rigid.norm(), 1e-2);
  const double far = (solve(1e-3) - rigid).norm(), near = (solve(1e-4) - rigid).norm();
  EXPECT_GE(near, 1e-8);
  EXPECT_NEAR(far / near, 10.0, 0.1);
}

}  // namespace
}  // namespace stiction::test
