// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the group laws of q ⊕ d, and closed forms of single joints.
#include <gtest/gtest.h>
#include <stiction/dynamics/kernels/integrate.h>

#include "dynamics/dense_oracle.h"

namespace stiction {
namespace {

using test::DenseOracle, test::RandomTree, test::relative_error;

class Manifold : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(RandomTrees, Manifold, ::testing::Range(0, 6));

// Quaternions of one rotation differ by sign: configurations are compared by where they put the bodies.
double distance(const DenseOracle& o, const Vec& q0, const Vec& q1) {
  Kinematics k0, k1;
  k0.resize(o.world, o.layout), k1.resize(o.world, o.layout);
  forward_kinematics(o.world, o.layout, q0.data(), o.tree.v.data(), k0);
  forward_kinematics(o.world, o.layout, q1.data(), o.tree.v.data(), k1);
  double worst = 0.0;
  for (int i = 0; i < o.bodies(); ++i) {
    const Pose a = k0.pose(o.layout, i), b = k1.pose(o.layout, i);
    worst = std::max({worst, (a.rotation - b.rotation).norm(), (a.translation - b.translation).norm()});
  }
  return worst;
}

Vec plus(const DenseOracle& o, const Vec& q, const Vec& d) {
  Vec out(q.size());
  add_tangent(o.layout, q, d, out);
  return out;
}

TEST_P(Manifold, ZeroMovesNothing) {
  const DenseOracle o(GetParam());
  EXPECT_LE(distance(o, plus(o, o.tree.q, Vec::Zero(o.world.nv)), o.tree.q), 1e-14);
}

TEST_P(Manifold, DifferenceTakesBack) {
  const DenseOracle o(GetParam());
  const Vec d = 2.0 * o.tree.vector(o.world.nv);
  Vec found(o.world.nv);
  tangent_between(o.layout, o.tree.q, plus(o, o.tree.q, d), found);
  EXPECT_LE(distance(o, plus(o, o.tree.q, found), plus(o, o.tree.q, d)), 1e-12);
}

// A constant face velocity: moving for s and then for t is moving for s + t.
TEST_P(Manifold, MotionsAlongOneVelocityAddUp) {
  const DenseOracle o(GetParam());
  const Vec d = o.tree.vector(o.world.nv);
  EXPECT_LE(distance(o, plus(o, plus(o, o.tree.q, 0.3 * d), 0.9 * d), plus(o, o.tree.q, 1.2 * d)), 1e-12);
}

// The step moves bases straight in world axes, the face's ⊕ along a screw: they agree to first order.
TEST_P(Manifold, StepAndFaceAgreeForSmallMotions) {
  const DenseOracle o(GetParam());
  const Vec v = o.tree.vector(o.world.nv);
  const auto gap = [&](double dt) {
    Vec q = o.tree.q, w = v;
    integrate(o.layout, dt, q.data(), w.data());
    return distance(o, q, plus(o, o.tree.q, dt * v));
  };
  const double coarse = gap(1e-3), fine = gap(5e-4);
  EXPECT_LE(coarse, 1e-5);
  if (coarse > 1e-9) {
    EXPECT_NEAR(coarse / fine, 4.0, 0.1);
  }
}

TEST(ManifoldOfFreeBody, StepMovesStraightInTheWorld) {
  DenseOracle o(2, 1);
  Vec q = o.tree.q, v = o.tree.v;
  const Mat3 before = Eigen::Map<const Quat>(q.data() + 3).toRotationMatrix();
  const Vec3 start = q.head<3>(), velocity = before * Vec3(v.head<3>());
  integrate(o.layout, 0.7, q.data(), v.data());
  EXPECT_LE((q.head<3>() - start - 0.7 * velocity).norm(), 1e-14);
  const Mat3 R = Eigen::Map<const Quat>(q.data() + 3).toRotationMatrix();
  const Vec3 w = o.tree.v.segment<3>(3);
  const Mat3 wanted = before * Eigen::AngleAxisd(0.7 * w.norm(), w.normalized()).toRotationMatrix();
  EXPECT_LE((R - wanted).norm(), 1e-14);
  EXPECT_LE((R * Vec3(v.head<3>()) - velocity).norm(), 1e-14);  // the same world velocity in the new axes
}

TEST(ManifoldOfFreeBody, StaysOnTheUnitSphere) {
  DenseOracle o(4);
  Vec q = o.tree.q;
  for (int i = 0; i < 1000; ++i) {
    Vec v = o.tree.v;
    integrate(o.layout, 1e-2, q.data(), v.data());
  }
  EXPECT_NEAR(q.segment<4>(o.world.trees.back().q + 3).norm(), 1.0, 1e-14);
}

}  // namespace
}  // namespace stiction
