// SPDX-License-Identifier: BSD-2-Clause
// Oracle: the same passes one body at a time, which a layout without twins makes; others test those against differences and Pinocchio.
#include <gtest/gtest.h>
#include <stiction/dynamics/kernels/tree_factor.h>

#include "support/random_tree.h"

namespace stiction {
namespace {

using test::RandomTree;

// A root, a torso (1), two branches of four bodies with a fork each on the torso (2 … 5, 6 … 9) and two fingers on the root (10, 11).
// Even seeds float. Axes are aligned or not, joints have turns without end or not, alike in both branches; all else is random.
struct Robot {
  explicit Robot(int seed) : tree(seed, 12) {
    World& w = tree.world;
    const int parents[12] = {kWorldBody, 0, 1, 2, 3, 3, 1, 6, 7, 7, 0, 0};
    for (int i = 1; i < 12; ++i) {
      Body& b = w.bodies[i];
      const int like = i >= 6 && i < 10 ? i - 4 : (i == 11 ? 10 : i);
      b.parent = parents[i];
      b.joint = (like + seed) % 2 == 0 ? JointKind::continuous : JointKind::revolute;
      b.axis = (like + seed) % 4 == 3 ? Vec3(0.6, 0.0, 0.8) : Vec3(Vec3::Unit((like + seed) % 3));
      if (like == 10) b.placement.rotation.setIdentity();
    }
    number(w);
    w.armature = 0.1 * tree.vector(w.nv).cwiseAbs();
    q = tree.vector(w.nq), v = tree.vector(w.nv);
    for (const Body& b : w.bodies) {
      if (b.joint == JointKind::free) q.segment<4>(b.q + 3).normalize();
      if (b.joint == JointKind::continuous) q.segment<2>(b.q).normalize();
    }
  }

  static void number(World& w) {
    w.nq = w.nv = 0;
    for (Tree& t : w.trees) {
      t.q = w.nq, t.v = w.nv;
      for (int i = t.first_body; i < t.first_body + t.bodies; ++i) {
        Body& b = w.bodies[i];
        b.q = w.nq, b.v = w.nv;
        w.nq += sizes(b.joint).nq, w.nv += sizes(b.joint).nv;
      }
      t.nq = w.nq - t.q, t.nv = w.nv - t.v;
    }
    for (Vec* x : {&w.joint_damping, &w.dry_friction, &w.stiffness}) *x = Vec::Zero(w.nv);
    for (Vec* x : {&w.upper, &w.effort_limit, &w.actuation_upper}) *x = Vec::Constant(w.nv, kInfinity);
    w.lower = w.actuation_lower = -w.upper;
    w.spring_q = Vec::Zero(w.nq);
  }

  RandomTree tree;
  Vec q, v;
};

Layout without_twins(Layout layout) {
  layout.twins.clear();
  std::fill(layout.twins_of.begin(), layout.twins_of.end(), 0);
  std::fill(layout.is_twin.begin(), layout.is_twin.end(), 0);
  std::fill(layout.outside.begin(), layout.outside.end(), 0);
  return layout;
}

Kinematics pass(const World& world, const Layout& layout, const Robot& robot, bool factor) {
  Kinematics k;
  k.resize(world, layout);
  fused_pass(world, layout, robot.q.data(), robot.v.data(), Purpose::step, k);
  if (factor) factorise(layout, world.trees[0], k);
  return k;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-13 * (1.0 + std::abs(wanted[i])));
}

class Twins : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Robots, Twins, ::testing::Range(0, 8));

TEST_P(Twins, AreFound) {
  const Robot robot(GetParam());
  const Layout layout(robot.tree.world);
  ASSERT_EQ(layout.twins.size(), 2u);
  EXPECT_EQ(layout.twins[0].parent, 1);
  EXPECT_EQ(layout.twins[0].bodies.size(), 4u);
  EXPECT_EQ(layout.twins[1].parent, 0);
  EXPECT_EQ(layout.twins[1].bodies.size(), 1u);
  const std::vector<char> marks{0, 0, 1, 2, 2, 2, 1, 2, 2, 2, 1, 1, 0};
  EXPECT_EQ(layout.is_twin, marks);
}

TEST_P(Twins, OtherJointsAreNoTwins) {
  Robot robot(GetParam());
  robot.tree.world.bodies[8].axis = Vec3(0.0, 0.6, 0.8);
  robot.tree.world.bodies[11].inertia = {0.0, Vec3::Zero(), Mat3::Zero()};
  const bool same_code = Layout(robot.tree.world).bodies[4].code == JointCode::revolute;
  EXPECT_EQ(Layout(robot.tree.world).twins.size(), same_code ? 1u : 0u);
}

TEST_P(Twins, MoveAsTwoBranches) {
  const Robot robot(GetParam());
  const Layout layout(robot.tree.world);
  const Kinematics k = pass(robot.tree.world, layout, robot, false);
  const Kinematics one = pass(robot.tree.world, without_twins(layout), robot, false);
  for (std::size_t i = 0; i < k.bodies.size(); ++i) {
    EXPECT_LE((k.bodies[i].R - one.bodies[i].R).norm(), 1e-14) << i;
    EXPECT_LE((k.bodies[i].p - one.bodies[i].p).norm(), 1e-14) << i;
    EXPECT_LE((k.bodies[i].v - one.bodies[i].v).norm(), 1e-13) << i;
    EXPECT_LE((k.bodies[i].w - one.bodies[i].w).norm(), 1e-13) << i;
  }
  for (std::size_t j = 0; j < k.columns.size(); ++j) {
    EXPECT_LE((k.columns[j].lin - one.columns[j].lin).norm(), 1e-14) << j;
    EXPECT_LE((k.columns[j].ang - one.columns[j].ang).norm(), 1e-14) << j;
  }
}

TEST_P(Twins, BiasAndMassMatrix) {
  const Robot robot(GetParam());
  const Layout layout(robot.tree.world);
  const Kinematics k = pass(robot.tree.world, layout, robot, false);
  const Kinematics one = pass(robot.tree.world, without_twins(layout), robot, false);
  expect_near(k.bias, one.bias);
  expect_near(k.factor, one.factor);
}

TEST_P(Twins, Factor) {
  const Robot robot(GetParam());
  const Layout layout(robot.tree.world);
  const Kinematics k = pass(robot.tree.world, layout, robot, true);
  const Kinematics one = pass(robot.tree.world, without_twins(layout), robot, true);
  expect_near(k.factor, one.factor);
  expect_near(k.inverse_diagonal, one.inverse_diagonal);
}

TEST_P(Twins, WithoutMass) {
  Robot robot(GetParam());
  for (const int i : {3, 7}) robot.tree.world.bodies[i].inertia = {0.0, Vec3::Zero(), Mat3::Zero()};
  const Layout layout(robot.tree.world);
  ASSERT_EQ(layout.twins.size(), 2u);
  const Kinematics k = pass(robot.tree.world, layout, robot, true);
  const Kinematics one = pass(robot.tree.world, without_twins(layout), robot, true);
  expect_near(k.bias, one.bias);
  expect_near(k.factor, one.factor);
}

}  // namespace
}  // namespace stiction
