// SPDX-License-Identifier: BSD-2-Clause
// Oracles: differences of positions along q ⊕ t v, and momenta as the base rows of M v.
#include <gtest/gtest.h>

#include "dynamics/dense_oracle.h"

namespace stiction {
namespace {

using test::DenseOracle, test::relative_error;

class Queries : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(RandomTrees, Queries, ::testing::Range(0, 6));

const Vec3 kPointOfBody(0.1, -0.2, 0.3);

// k of a world that has moved for a time t with the constant face velocity v.
Kinematics after(const DenseOracle& o, double t, Purpose purpose) {
  Vec q = o.tree.q;
  add_tangent(o.layout, q, t * o.tree.v, q);
  Kinematics there;
  there.resize(o.world, o.layout);
  fused_pass(o.world, o.layout, q.data(), o.tree.v.data(), purpose, there);
  return there;
}

// Rate of change of f(k) along the motion.
template <class F>
auto rate(const DenseOracle& o, F&& f) {
  const double e = 1e-5;
  return ((f(after(o, e, Purpose::query)) - f(after(o, -e, Purpose::query))) / (2 * e)).eval();
}

TEST_P(Queries, PointJacobian) {
  const DenseOracle o(GetParam());
  for (int body = 0; body < o.bodies(); ++body) {
    const Vec3 point = o.k.pose(o.layout, body) * kPointOfBody;
    EXPECT_LE(relative_error(point_jacobian(o.world, o.layout, o.k, body, point), o.jacobian(body, point)), 1e-8);
  }
}

TEST_P(Queries, PointTwistIsTheJacobianTimesTheVelocity) {
  const DenseOracle o(GetParam());
  for (int body = 0; body < o.bodies(); ++body) {
    const Vec3 point = o.k.pose(o.layout, body) * kPointOfBody;
    const Vec wanted = point_jacobian(o.world, o.layout, o.k, body, point) * o.tree.v;
    EXPECT_LE(relative_error(point_twist(o.layout, o.k, body, point), wanted), 1e-13);
    EXPECT_LE(relative_error(point_velocity(o.layout, o.k, body, point), wanted.head<3>()), 1e-13);
  }
}

TEST_P(Queries, PointVelocityIsTheRateOfThePosition) {
  const DenseOracle o(GetParam());
  for (int body = 0; body < o.bodies(); ++body) {
    const auto position = [&](const Kinematics& k) { return Vec3(k.pose(o.layout, body) * kPointOfBody); };
    EXPECT_LE(relative_error(point_velocity(o.layout, o.k, body, position(o.k)), rate(o, position)), 1e-8);
  }
}

TEST_P(Queries, PointDriftIsTheRateOfTheVelocity) {
  const DenseOracle o(GetParam());
  const Kinematics here = after(o, 0.0, Purpose::query);
  for (int body = 0; body < o.bodies(); ++body) {
    const auto twist = [&](const Kinematics& k) {
      return Vec6(point_twist(o.layout, k, body, k.pose(o.layout, body) * kPointOfBody));
    };
    const Vec3 point = here.pose(o.layout, body) * kPointOfBody;
    EXPECT_LE(relative_error(point_drift(o.world, o.layout, here, body, point), rate(o, twist)), 1e-7);
  }
}

TEST_P(Queries, TheWorldDoesNotMove) {
  const DenseOracle o(GetParam());
  const Vec3 point(1, 2, 3);
  EXPECT_TRUE(point_jacobian(o.world, o.layout, o.k, kWorldBody, point).isZero(0.0));
  EXPECT_TRUE(point_twist(o.layout, o.k, kWorldBody, point).isZero(0.0));
  EXPECT_TRUE(point_drift(o.world, o.layout, o.k, kWorldBody, point).isZero(0.0));
}

TEST_P(Queries, CentreOfMass) {
  const DenseOracle o(GetParam());
  Vec3 sum = Vec3::Zero();
  double mass = 0.0;
  for (int i = 0; i < o.bodies(); ++i) {
    const Inertia& inertia = o.world.bodies[i].inertia;
    sum += inertia.mass * (o.k.pose(o.layout, i) * inertia.com), mass += inertia.mass;
  }
  EXPECT_LE(relative_error(centre_of_mass(o.layout, o.k), sum / mass), 1e-14);
}

TEST_P(Queries, CentreJacobianAndDrift) {
  const DenseOracle o(GetParam());
  const auto centre = [&](const Kinematics& k) { return Vec3(centre_of_mass(o.layout, k)); };
  EXPECT_LE(relative_error(centre_jacobian(o.world, o.layout, o.k) * o.tree.v, rate(o, centre)), 1e-8);
  const auto speed = [&](const Kinematics& k) { return Vec3(centre_jacobian(o.world, o.layout, k) * o.tree.v); };
  const Kinematics here = after(o, 0.0, Purpose::query);
  EXPECT_LE(relative_error(centre_drift(o.world, o.layout, here), rate(o, speed)), 1e-7);
}

// The base of a floating tree carries all of it: R (M v)_linear is the momentum, R (M v)_angular that about the base's origin.
TEST_P(Queries, MomentumOfFloatingTrees) {
  DenseOracle o(2 * GetParam());
  o.tree.world.armature.setZero();
  const Vec p = mass_matrix(o.world, o.layout, o.tree.q) * o.tree.v;
  Vec6 wanted = Vec6::Zero();
  for (const Tree& tree : o.world.trees) {
    const Pose base = o.k.pose(o.layout, tree.first_body);
    const Vec3 linear = base.rotation * p.segment<3>(tree.v);
    wanted.head<3>() += linear;
    wanted.tail<3>() += base.rotation * p.segment<3>(tree.v + 3) + base.translation.cross(linear);
  }
  EXPECT_LE(relative_error(total_momentum(o.layout, o.k), wanted), 1e-12);
}

TEST_P(Queries, BodyInertiaAndMotion) {
  const DenseOracle o(GetParam());
  for (int i = 0; i < o.bodies(); ++i) {
    const Inertia& inertia = o.world.bodies[i].inertia;
    const Pose pose = o.k.pose(o.layout, i);
    const Mat3 I = pose.rotation * inertia.about_com * pose.rotation.transpose();
    EXPECT_LE(relative_error(body_inertia(o.layout, o.k, i), I), 1e-14);
    const BodyMotion m = body_motion(o.layout, o.k, i);
    const Vec6 twist = point_twist(o.layout, o.k, i, m.centre);
    EXPECT_LE(relative_error(m.centre, pose * inertia.com), 1e-14);
    EXPECT_LE(relative_error(m.linear, twist.head<3>()), 1e-13);
    EXPECT_LE(relative_error(m.spin_momentum, I * twist.tail<3>()), 1e-13);
  }
}

TEST_P(Queries, EnergiesOfTreesAddUp) {
  const DenseOracle o(GetParam());
  double kinetic = 0.0, potential = 0.0;
  for (const Tree& tree : o.world.trees) {
    const TreeEnergy energy = tree_energy(o.world, o.layout, o.k, tree, o.tree.v.data());
    kinetic += energy.kinetic, potential += energy.potential;
  }
  EXPECT_NEAR(kinetic, kinetic_energy(o.world, o.layout, o.k, o.tree.v), 1e-13 * kinetic);
  EXPECT_NEAR(potential, potential_energy(o.world, o.layout, o.k), 1e-13 * (1.0 + std::abs(potential)));
}

}  // namespace
}  // namespace stiction
