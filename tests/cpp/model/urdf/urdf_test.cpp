// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/model/world/draft.h>

#include "model/refusal.h"

namespace stiction {
namespace {

const std::string kInertial =
    R"(<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>)";

std::string link(const std::string& name, const std::string& inside = kInertial) {
  return "<link name=\"" + name + "\">" + inside + "</link>\n";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& inside = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/>" + inside + "</joint>\n";
}
std::string robot(const std::string& inside) { return "<robot name=\"r\">" + inside + "</robot>"; }

bool excluded(const World& w, int i, int j) {
  return std::binary_search(w.excluded_pairs.begin(), w.excluded_pairs.end(),
                            std::pair{std::min(i, j), std::max(i, j)});
}

const std::string kLimit =
    R"(<limit lower="-1" upper="2" effort="30" velocity="5"/><dynamics damping="0.2" friction="0.3"/>)";

// Every joint kind in one chain.
std::string zoo() {
  return robot(link("base") + link("a") + link("b") + link("c") + link("d") + link("e") + link("f", "") +
               joint("ja", "revolute", "base", "a", R"(<axis xyz="0 1 0"/><origin xyz="1 0 0"/>)" + kLimit) +
               joint("jb", "continuous", "a", "b", R"(<axis xyz="1 1 0"/>)") +
               joint("jc", "prismatic", "b", "c",
                     R"(<axis xyz="0 0 1"/><limit lower="0.1" upper="0.5" effort="0" velocity="1"/>)") +
               joint("jd", "planar", "c", "d", R"(<axis xyz="0 0 1"/>)") + joint("je", "spherical", "d", "e") +
               joint("jf", "fixed", "e", "f", R"(<origin xyz="0 0 0.5"/>)"));
}

// Oracle: sizes of each kind, by hand.
TEST(Urdf, AllJointKinds) {
  WorldBuilder world;
  RobotOptions o;
  o.position = {1, 2, 3};
  world.add_urdf_text(zoo(), o);
  const auto w = world.compile();
  ASSERT_EQ(w->bodies.size(), 6u);
  const JointKind kinds[] = {JointKind::free,      JointKind::revolute, JointKind::continuous,
                             JointKind::prismatic, JointKind::planar,   JointKind::spherical};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(w->bodies[i].joint, kinds[i]) << i;
  EXPECT_EQ(w->nq, 7 + 1 + 2 + 1 + 4 + 4);
  EXPECT_EQ(w->nv, 6 + 1 + 1 + 1 + 3 + 3);
  EXPECT_EQ(w->ntau, w->nv - 6);
  EXPECT_EQ(w->tau_velocity.front(), 6);
  const Vec q0 = (Vec(19) << 1, 2, 3, 0, 0, 0, 1, 0, 1, 0, 0.1, 0, 0, 1, 0, 0, 0, 0, 1).finished();
  EXPECT_EQ(w->q0, q0);  // the slide starts at its lower limit
  EXPECT_EQ(w->lower[6], -1.0);
  EXPECT_EQ(w->upper[6], 2.0);
  EXPECT_EQ(w->effort_limit[6], 30.0);
  EXPECT_EQ(w->joint_damping[6], 0.2);
  EXPECT_EQ(w->dry_friction[6], 0.3);
  EXPECT_EQ(w->effort_limit[8], kInfinity);  // 0 means not given
  EXPECT_EQ(w->lower[7], -kInfinity);
  EXPECT_LE((w->bodies[2].axis - Vec3(1, 1, 0).normalized()).norm(), 1e-15);
  const Robot& r = w->robots[0];
  EXPECT_EQ(r.name, "r");
  EXPECT_EQ(r.joint_names, (std::vector<std::string>{"root_joint", "ja", "jb", "jc", "jd", "je"}));
  EXPECT_EQ(r.frames, 8);  // seven links and one fixed joint
  EXPECT_EQ(r.ntau, 9);
}

// Oracle: StarlETH's table, 17.1 + 4 (1.8 + .31 + .32) kg.
TEST(Urdf, StarlethFromItsFile) {
  WorldBuilder world;
  world.add_urdf(std::string(STICTION_SOURCE_DIR) + "/models/starleth.urdf");
  const auto w = world.compile();
  double mass = 0.0;
  for (const Body& b : w->bodies) mass += b.inertia.mass;
  EXPECT_NEAR(mass, 26.82, 1e-12);
  EXPECT_EQ(w->nv, 18);
  EXPECT_EQ(w->geoms.size(), 5u);
  EXPECT_TRUE(world.warnings().empty());
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = i + 1; j < 5; ++j) EXPECT_TRUE(excluded(*w, static_cast<int>(i), static_cast<int>(j)));
  // foot at the end of a straight leg
  for (const Frame& f : w->frames)
    if (f.name == "LF_foot") {
      const Vec3 foot = start_pose(*w, f.body) * f.placement.translation;
      EXPECT_LE((foot - Vec3(0.2525, 0.185, -0.0685 - 0.2 - 0.235)).norm(), 1e-15);
    }
}

TEST(Urdf, SeveralRobotsAndFixedOnes) {
  const std::string file = std::string(STICTION_SOURCE_DIR) + "/models/anymal_prim.urdf";
  WorldBuilder world;
  world.add_ground();
  RobotOptions fixed;
  fixed.fixed = true;
  fixed.position = {0, 2, 1};
  EXPECT_EQ(world.add_urdf(file), 0);
  world.add_body(make_sphere(0.1), 1.0);
  EXPECT_EQ(world.add_urdf(file, fixed), 1);
  const auto w = world.compile();
  EXPECT_EQ(w->robots[0].name, "anymal_prim");
  EXPECT_EQ(w->robots[1].name, "anymal_prim_2");
  EXPECT_EQ(w->nq, 31 + 7 + 24);  // continuous joints have (cos, sin)
  EXPECT_EQ(w->nv, 18 + 6 + 12);
  EXPECT_EQ(w->ntau, 24);
  EXPECT_EQ(w->robots[1].tau, 12);
  EXPECT_EQ(w->robots[1].v, 24);
  EXPECT_EQ(w->trees.size(), 2u + 4u);  // each leg of the fixed robot is a tree of its own
  int base_box = -1;
  for (std::size_t i = 0; i < w->geoms.size(); ++i)
    if (w->geoms[i].body == kWorldBody && w->geoms[i].shape.kind == ShapeKind::box) base_box = static_cast<int>(i);
  ASSERT_GE(base_box, 0);
  EXPECT_LE((w->geoms[static_cast<std::size_t>(base_box)].placement.translation - Vec3(0, 2, 1.08)).norm(), 1e-12);
  EXPECT_TRUE(excluded(*w, base_box, base_box + 1));  // its own feet
  EXPECT_FALSE(excluded(*w, 0, 1));                   // ground and the first robot
}

// Oracle: by hand. a - (massless m) - b: parent and child across m; c hangs on b.
TEST(Urdf, SelfCollisionLeavesOutParentAndChild) {
  const std::string ball = kInertial + R"(<collision><geometry><sphere radius="0.1"/></geometry></collision>)";
  const std::string xml = robot(link("a", ball) + link("m", "") + link("b", ball) + link("c", ball) +
                                joint("j1", "continuous", "a", "m", R"(<axis xyz="1 0 0"/>)") +
                                joint("j2", "continuous", "m", "b", R"(<axis xyz="0 1 0"/>)") +
                                joint("j3", "continuous", "b", "c", R"(<axis xyz="0 1 0"/>)"));
  RobotOptions o;
  o.self_collision = true;
  WorldBuilder world;
  world.add_urdf_text(xml, o);
  const auto w = world.compile();
  EXPECT_TRUE(excluded(*w, 0, 1));
  EXPECT_TRUE(excluded(*w, 1, 2));
  EXPECT_FALSE(excluded(*w, 0, 2));
}

TEST(Urdf, JointPositionsAndValues) {
  WorldBuilder world;
  const int r = world.add_urdf_text(zoo());
  world.set_joint_position(r, "ja", 0.5);
  world.set_joint_position(r, "jb", 1.0);
  EXPECT_EQ(world.draft().q0[7], 0.5);
  EXPECT_NEAR(world.draft().q0[8], std::cos(1.0), 1e-15);
  EXPECT_NEAR(world.draft().q0[9], std::sin(1.0), 1e-15);
  WorldBuilder::JointValues v;
  v.damping = 3.0, v.upper = 0.7, v.armature = 0.01;
  world.set_joint_values(r, "ja", v);
  const auto w = world.compile();
  EXPECT_EQ(w->joint_damping[6], 3.0);
  EXPECT_EQ(w->upper[6], 0.7);
  EXPECT_EQ(w->lower[6], -1.0);
  EXPECT_EQ(w->armature[6], 0.01);
  EXPECT_EQ(w->dry_friction[6], 0.3);
  expect_refused(world, [&](WorldBuilder& b) { b.set_joint_position(r, "jaa", 0.1); }, {"'jaa'", "did you mean 'ja'"});
  expect_refused(world, [&](WorldBuilder& b) { b.set_joint_position(3, "ja", 0.1); }, {"robot", "3"});
  expect_refused(world, [&](WorldBuilder& b) { b.set_joint_position(r, "ja", 5.0); }, {"'ja'", "5", "0.7"});
  expect_refused(world, [&](WorldBuilder& b) { b.set_joint_position(r, "je", 0.1); }, {"'je'", "3 velocities"});
  expect_refused(world, [&](WorldBuilder& b) { b.set_joint_values(r, "ja", {9.0, {}, {}, {}, {}, {}}); },
                 {"lower", "9"});
  expect_refused(world, [&](WorldBuilder& b) { b.set_joint_values(r, "ja", {{}, {}, -1.0, {}, {}, {}}); },
                 {"damping", "-1"});
}

TEST(Urdf, BadFilesAreRefused) {
  WorldBuilder world;
  world.add_ground();
  const auto urdf = [](const std::string& xml) { return [xml](WorldBuilder& w) { w.add_urdf_text(xml); }; };
  expect_refused(world, [](WorldBuilder& w) { w.add_urdf("nowhere/robot.urdf"); },
                 {"nowhere/robot.urdf", "does not exist"});
  expect_refused(world, urdf(""), {"empty"});
  expect_refused(world, urdf("<robot name=\"r\"><link name=\"a\"></robot>"), {"XML", "line"});
  expect_refused(world, urdf("<mujoco/>"), {"<mujoco>", "<robot>"});
  expect_refused(world, urdf(robot("")), {"<link>"});
  const auto inertial = [](const std::string& mass, const std::string& ixx) {
    return "<inertial><mass value=\"" + mass + "\"/><inertia ixx=\"" + ixx +
           R"(" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>)";
  };
  expect_refused(world, urdf(robot(link("a", inertial("-2", "1")))), {"link 'a'", "mass", "-2", ">= 0"});
  expect_refused(world, urdf(robot(link("a", inertial("nan", "1")))), {"link 'a'", "nan"});
  expect_refused(world, urdf(robot(link("a", inertial("1x", "1")))), {"link 'a'", "1x"});
  expect_refused(world, urdf(robot(link("a", inertial("1", "-1")))),
                 {"link 'a'", "inertia", "-1", "positive definite"});
  expect_refused(world, urdf(robot(link("a", inertial("1", "0")))), {"link 'a'", "positive definite"});
  expect_refused(world, urdf(robot(link("a", ""))), {"link 'a'", "no mass"});
  expect_refused(world, urdf(robot(link("a") + link("a"))), {"two links", "'a'"});
  expect_refused(world, urdf(robot(link("a") + link("b"))), {"'a'", "'b'", "roots"});
  expect_refused(world, urdf(robot(link("base") + link("b") + joint("j", "continuous", "bse", "b"))),
                 {"joint 'j'", "bse", "did you mean 'base'"});
  expect_refused(world, urdf(robot(link("a") + link("b") + joint("j", "revolut", "a", "b"))),
                 {"joint 'j'", "did you mean 'revolute'"});
  expect_refused(world, urdf(robot(link("a") + link("b") + joint("j", "revolute", "a", "b"))), {"joint 'j'", "<limit"});
  expect_refused(world, urdf(robot(link("a") + link("b") + joint("j", "floating", "a", "b"))), {"joint 'j'", "free"});
  expect_refused(world,
                 urdf(robot(link("a") + link("b") + joint("j", "continuous", "a", "b", R"(<axis xyz="0 0 0"/>)"))),
                 {"joint 'j'", "axis"});
  expect_refused(
      world,
      urdf(robot(link("a") + link("b") + joint("j", "continuous", "a", "b") + joint("k", "continuous", "b", "a"))),
      {"loop"});
  const auto shape = [&](const std::string& s) {
    return urdf(robot(link("a", kInertial + "<collision><geometry>" + s + "</geometry></collision>")));
  };
  expect_refused(world, shape(R"(<sphere radius="-1"/>)"), {"link 'a'", "radius", "-1"});
  expect_refused(world, shape(R"(<box size="1 2"/>)"), {"link 'a'", "size", "3 numbers"});
  expect_refused(world, shape(R"(<cone radius="1"/>)"), {"link 'a'", "cone", "expected"});
  expect_refused(world, shape(R"(<mesh filename="package://foo/bar.stl"/>)"),
                 {"link 'a'", "package://foo/bar.stl", "looked for", "package_dirs"});
  expect_refused(world,
                 [](WorldBuilder& w) {
                   RobotOptions o;
                   o.position.x() = std::nan("");
                   w.add_urdf_text(zoo(), o);
                 },
                 {"position", "nan"});
  RobotOptions twin;
  twin.name = "twin";
  world.add_urdf_text(zoo(), twin);
  expect_refused(world, [&](WorldBuilder& w) { w.add_urdf_text(zoo(), twin); }, {"'twin'", "taken"});
}

// Oracle: the corners of the mesh. Relative path and package:// find the same file; fixed robots keep triangles.
TEST(Urdf, MeshesAreFound) {
  const TemporaryFile mesh("tet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  const std::filesystem::path dir = std::filesystem::path(mesh.path()).parent_path();
  const std::string uris[] = {mesh.path(), "file://" + mesh.path(),
                              "package://" + dir.filename().string() + "/tet.obj"};
  for (const std::string& uri : uris)
    for (const bool fixed : {false, true}) {
      RobotOptions o;
      o.fixed = fixed;
      o.package_dirs = {dir.parent_path().string()};
      WorldBuilder world;
      world.add_urdf_text(robot(link("a", kInertial + "<collision><geometry><mesh filename=\"" + uri +
                                              "\" scale=\"2 2 2\"/></geometry></collision>")),
                          o);
      const auto w = world.compile();
      ASSERT_EQ(w->geoms.size(), 1u) << uri;
      EXPECT_EQ(w->geoms[0].shape.kind, fixed ? ShapeKind::mesh : ShapeKind::convex);
      EXPECT_EQ(world.warnings().size(), fixed ? 0u : 1u);
      EXPECT_LE((bounds(w->geoms[0].shape, {}).hi - Vec3(2, 2, 2)).norm(), 1e-6);
    }
  const TemporaryFile empty("empty.obj", "v 0 0 0\nv 1 0 0\n");
  WorldBuilder world;
  expect_refused(world,
                 [&](WorldBuilder& w) {
                   w.add_urdf_text(robot(link("a", kInertial + "<collision><geometry><mesh filename=\"" + empty.path() +
                                                       "\"/></geometry></collision>")));
                 },
                 {"link 'a'", "empty.obj"});
}

}  // namespace
}  // namespace stiction
