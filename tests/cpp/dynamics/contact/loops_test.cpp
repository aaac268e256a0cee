// SPDX-License-Identifier: BSD-2-Clause
// Loops and cut joints as seen from their bodies. Oracle: frames that are put apart by known turns and shifts.
#include <gtest/gtest.h>
#include <stiction/dynamics/contact/cut_joint.h>

#include "dynamics/dense_oracle.h"

namespace stiction {
namespace {

using test::DenseOracle;

// A loop between the world and a body of the rig: frame_b is put where `apart` takes frame_a.
Loop loop_apart(const DenseOracle& o, Loop::Kind kind, const Pose& apart) {
  Loop loop;
  loop.kind = kind;
  loop.a = kWorldBody, loop.b = 3;
  loop.frame_a = {o.tree.rotation(), Vec3(0.1, 0.2, 0.3)};
  loop.axis = Vec3(1, 2, 2) / 3.0;
  loop.frame_b = o.k.pose(o.layout, 3).inverse() * loop.frame_a * apart;
  return loop;
}

TEST(Across, CompletesAFrame) {
  for (const Vec3& axis :
       {Vec3(Vec3::UnitX()), Vec3(-Vec3::UnitY()), Vec3(Vec3::UnitZ()), Vec3(Vec3(1, -2, 3).normalized())}) {
    const Axes2 t = across(axis);
    EXPECT_LE((t * t.transpose() - Mat2::Identity()).norm(), 1e-15);
    EXPECT_LE((Vec3(t.row(0)).cross(Vec3(t.row(1))) - axis).norm(), 1e-15);
  }
}

TEST(LoopErrors, ClosedLoopsHaveNone) {
  const DenseOracle o(2);
  for (const Loop::Kind kind : {Loop::point, Loop::weld, Loop::hinge, Loop::slider}) {
    const LoopError e = loop_error(o.layout, o.k, loop_apart(o, kind, Pose{}));
    EXPECT_LE(e.linear.norm(), 1e-14);
    EXPECT_LE(e.angular.norm(), 1e-7);  // the angle of a rotation matrix near the identity: √ε
  }
}

TEST(LoopErrors, PointsFeelShiftsAlone) {
  const DenseOracle o(2);
  const Pose apart{Eigen::AngleAxisd(0.4, Vec3::UnitY()).toRotationMatrix(), Vec3(0.01, -0.02, 0.03)};
  const Loop loop = loop_apart(o, Loop::point, apart);
  const LoopError e = loop_error(o.layout, o.k, loop);
  EXPECT_LE((e.linear - loop.frame_a.rotation * apart.translation).norm(), 1e-14);
  EXPECT_TRUE(e.angular.isZero(0.0));
}

TEST(LoopErrors, WeldsFeelTheTurn) {
  const DenseOracle o(2);
  const Vec3 axis = Vec3(2, -1, 2) / 3.0;
  const Pose apart{Eigen::AngleAxisd(0.4, axis).toRotationMatrix(), Vec3::Zero()};
  const Loop loop = loop_apart(o, Loop::weld, apart);
  EXPECT_LE((loop_error(o.layout, o.k, loop).angular - 0.4 * (loop.frame_a.rotation * axis)).norm(), 1e-12);
}

TEST(LoopErrors, HingesTurnFreelyAboutTheirAxis) {
  const DenseOracle o(2);
  const Vec3 axis = Vec3(1, 2, 2) / 3.0;
  const auto error = [&](const Vec3& about) {
    const Pose apart{Eigen::AngleAxisd(0.4, about).toRotationMatrix(), Vec3::Zero()};
    return loop_error(o.layout, o.k, loop_apart(o, Loop::hinge, apart)).angular.norm();
  };
  EXPECT_LE(error(axis), 1e-14);
  EXPECT_NEAR(error(Vec3(across(axis).row(0))), 0.4, 1e-13);
}

TEST(LoopErrors, SlidersSlideFreelyAlongTheirAxis) {
  const DenseOracle o(2);
  const Vec3 axis = Vec3(1, 2, 2) / 3.0, side = across(axis).row(0);
  const Loop loop = loop_apart(o, Loop::slider, {Mat3::Identity(), 0.5 * axis + 0.1 * side});
  EXPECT_LE((loop_error(o.layout, o.k, loop).linear - 0.1 * (loop.frame_a.rotation * side)).norm(), 1e-14);
}

// The angle of a cut hinge comes back from its frames, also beyond half a turn if its limits lie there.
TEST(CutMotions, HingeAngleAndRate) {
  DenseOracle o(2);
  const Vec3 axis = Vec3(1, 2, 2) / 3.0;
  for (const double angle : {-2.0, 0.3, 3.0, 4.0}) {
    o.tree.world.loops = {
        loop_apart(o, Loop::hinge, {Eigen::AngleAxisd(angle, axis).toRotationMatrix(), Vec3::Zero()})};
    CutJoint joint;
    joint.kind = JointKind::revolute;
    if (angle > 3.5) joint.lower = 2.0, joint.upper = 6.0;
    const CutMotion m = cut_motion(o.world, o.layout, o.k, joint);
    EXPECT_NEAR(m.position, angle, 1e-13);
    const Vec3 w = point_twist(o.layout, o.k, 3, m.frame_b.translation).tail<3>();
    EXPECT_NEAR(m.rate[0], (o.world.loops[0].frame_a.rotation * axis).dot(w), 1e-13);
  }
}

TEST(CutMotions, SliderPositionAndRate) {
  DenseOracle o(2);
  const Vec3 axis = Vec3(1, 2, 2) / 3.0;
  o.tree.world.loops = {loop_apart(o, Loop::slider, {Mat3::Identity(), 0.7 * axis})};
  CutJoint joint;
  joint.kind = JointKind::prismatic;
  const CutMotion m = cut_motion(o.world, o.layout, o.k, joint);
  EXPECT_NEAR(m.position, 0.7, 1e-13);
  const Vec3 v = point_velocity(o.layout, o.k, 3, m.frame_b.translation);
  EXPECT_NEAR(m.rate[0], (o.world.loops[0].frame_a.rotation * axis).dot(v), 1e-13);
}

}  // namespace
}  // namespace stiction
