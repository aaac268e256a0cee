// SPDX-License-Identifier: BSD-2-Clause
// Oracle: SDF's rules, worked out by hand: links are placed in the model, joints in their child link.
#include <stiction/model/world/draft.h>

#include "model/refusal.h"

namespace stiction {
namespace {

std::string sdf_link(const std::string& name, const std::string& pose, const std::string& inside = "") {
  return "<link name='" + name + "'><pose>" + pose +
         "</pose><inertial><pose>0 0 0.1 0 0 0</pose><mass>2</mass><inertia><ixx>1</ixx>" +
         "<iyy>1</iyy><izz>1</izz></inertia></inertial>" + inside + "</link>";
}
std::string sdf_joint(const std::string& name, const std::string& type, const std::string& parent,
                      const std::string& child, const std::string& inside = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent>" + parent + "</parent><child>" + child + "</child>" +
         inside + "</joint>";
}
std::string sdf(const std::string& inside) {
  return "<?xml version='1.0'?><sdf version='1.6'><model name='m'>" + inside + "</model></sdf>";
}

const std::string kBall =
    "<collision name='c'><pose>0 0 0.3 0 0 "
    "0</pose><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>";

TEST(Sdf, ChainWithOffsetJoints) {
  const TemporaryFile file(
      "m.sdf",
      sdf("<pose>0 0 1 0 0 0</pose>" + sdf_link("base", "0 0 0.5 0 0 0") +
          sdf_link("arm", "1 0 0.5 0 0 1.5707963267948966", kBall) +
          sdf_joint("elbow", "revolute", "base", "arm",
                    "<pose>0 0.2 0 0 0 0</pose><axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit>"
                    "<dynamics><damping>0.7</damping></dynamics></axis>")));
  WorldBuilder world;
  world.add_sdf(file.path());
  const auto w = world.compile();
  ASSERT_EQ(w->bodies.size(), 2u);
  EXPECT_LE((Vec3(w->q0.head<3>()) - Vec3(0, 0, 1.5)).norm(), 1e-12);
  // link at (1, 0), turned by 90°: its y is −x of the model, so the joint sits at (0.8, 0)
  EXPECT_LE((start_pose(*w, 1).translation - Vec3(0.8, 0, 1.5)).norm(), 1e-12);
  EXPECT_LE((start_pose(*w, 1) * w->bodies[1].inertia.com - Vec3(1, 0, 1.6)).norm(), 1e-12);
  EXPECT_LE((start_pose(*w, 1) * w->geoms[0].placement.translation - Vec3(1, 0, 1.8)).norm(), 1e-12);
  EXPECT_LE((start_pose(*w, 1).rotation * w->bodies[1].axis - Vec3(-1, 0, 0)).norm(), 1e-12);
  EXPECT_EQ(w->lower[6], -1.0);
  EXPECT_EQ(w->joint_damping[6], 0.7);
}

TEST(Sdf, BallJointsAndLoops) {
  const TemporaryFile file("m.sdf", sdf(sdf_link("a", "0 0 0 0 0 0") + sdf_link("b", "1 0 0 0 0 0") +
                                        sdf_link("c", "1 1 0 0 0 0") + sdf_joint("ab", "ball", "a", "b") +
                                        sdf_joint("bc", "revolute", "b", "c", "<axis><xyz>0 0 1</xyz></axis>") +
                                        sdf_joint("ac", "ball", "a", "c") + sdf_joint("world", "fixed", "world", "a")));
  WorldBuilder world;
  world.add_sdf(file.path());
  const auto w = world.compile();
  EXPECT_EQ(w->nv, 3 + 1);
  EXPECT_EQ(w->bodies[0].joint, JointKind::spherical);
  ASSERT_EQ(w->loops.size(), 1u);
  const Loop& l = w->loops[0];
  EXPECT_EQ(l.a, kWorldBody);
  EXPECT_EQ(l.b, 1);
  EXPECT_LE((l.frame_a.translation - Vec3(1, 1, 0)).norm(), 1e-12);
  EXPECT_LE((start_pose(*w, l.b) * l.frame_b.translation - Vec3(1, 1, 0)).norm(), 1e-12);
}

TEST(Sdf, BadFilesAreRefused) {
  WorldBuilder world;
  world.add_ground();
  const auto refuse = [&](const std::string& text, const std::vector<std::string>& needles) {
    const TemporaryFile file("bad.sdf", text);
    expect_refused(world, [&](WorldBuilder& w) { w.add_sdf(file.path()); }, needles);
  };
  expect_refused(world, [](WorldBuilder& w) { w.add_sdf("no.sdf"); }, {"no.sdf", "does not exist"});
  refuse("<sdf version='1.6'></sdf>", {"0 models"});
  refuse("<robot/>", {"<robot>", "<sdf>"});
  refuse(sdf(sdf_link("a", "0 0 0 0 0")), {"link 'a'", "6 numbers"});
  refuse(sdf(sdf_link("alpha", "0 0 0 0 0 0") + sdf_link("b", "0 0 0 0 0 0") + sdf_joint("j", "ball", "alhpa", "b")),
         {"joint 'j'", "did you mean 'alpha'"});
  refuse(sdf(sdf_link("a", "0 0 0 0 0 0") + sdf_link("b", "0 0 0 0 0 0") + sdf_joint("j", "screw", "a", "b")),
         {"joint 'j'", "screw"});
}

}  // namespace
}  // namespace stiction
