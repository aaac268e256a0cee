// SPDX-License-Identifier: BSD-2-Clause
// Oracle: MuJoCo's rules, worked out by hand for a small scene (qpos0, body and geom positions, masses, collision filters).
#include <stiction/model/world/draft.h>

#include "model/refusal.h"

namespace stiction {
namespace {

const char* kToy = R"(<mujoco model="toy">
  <compiler angle="degree"/>
  <default><joint damping="0.5" armature="0.01"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="table" pos="1 0 .5"><geom name="top" type="box" size=".3 .2 .05" mass="3"/>
      <body name="door" pos="0.3 0 0"><joint name="hinge" axis="0 0 1" range="-90 90" frictionloss="0.3"/>
        <geom name="leaf" type="box" size=".1 .01 .2" pos=".1 0 0" mass="1"/></body></body>
    <body name="cube" pos="0 0 1" quat="1 0 0 1"><freejoint name="cube_free"/><geom name="cube" type="box" size=".1 .1 .1" mass="2"/></body>
    <body name="arm" pos="0 1 0.2">
      <joint name="slide_x" type="slide" axis="1 0 0" range="-1 1"/>
      <joint name="slide_y" type="slide" axis="0 1 0"/>
      <joint name="turn" type="hinge" axis="0 0 1" pos=".05 0 0" ref="10"/>
      <geom name="trunk" type="capsule" fromto="0 0 0 0 0 .3" size=".05" mass="1.5"/>
      <body name="ball_link" pos="0 0 .3"><joint name="ball" type="ball" damping=".1"/>
        <geom name="tip" type="sphere" size=".04" pos="0 0 .1" mass=".5"/>
        <body name="tool" pos="0 0 .1"><inertial pos="0 0 .02" mass=".3" diaginertia=".001 .001 .0008"/>
          <geom type="cylinder" size=".02 .05" contype="0" conaffinity="0"/></body></body>
    </body>
  </worldbody>
  <contact><exclude body1="cube" body2="arm"/></contact>
  <equality><connect body1="tool" body2="world" anchor="0 0 .1"/></equality>
</mujoco>)";

class MjcfToy : public ::testing::Test {
 protected:
  MjcfToy() : file("toy.xml", kToy) {
    world.add_mjcf(file.path());
    w = world.compile();
  }
  int geom(const std::string& name) const {
    for (std::size_t i = 0; i < w->geoms.size(); ++i)
      if (w->geoms[i].name == name) return static_cast<int>(i);
    ADD_FAILURE() << "no geom " << name;
    return 0;
  }
  Vec3 start(const std::string& name) const {
    const Geom& g = w->geoms[static_cast<std::size_t>(geom(name))];
    return start_pose(*w, g.body) * g.placement.translation;
  }
  bool excluded(const std::string& a, const std::string& b) const {
    const auto pair = std::minmax({geom(a), geom(b)});
    return std::binary_search(w->excluded_pairs.begin(), w->excluded_pairs.end(), std::pair<int, int>(pair));
  }
  TemporaryFile file;
  WorldBuilder world;
  std::shared_ptr<const World> w;
};

TEST_F(MjcfToy, TreesJointsAndStart) {
  EXPECT_EQ(w->trees.size(), 3u);
  EXPECT_EQ(w->robots[0].name, "toy");
  EXPECT_EQ(w->robots[0].joint_names,
            (std::vector<std::string>{"hinge", "cube_free", "slide_x", "slide_y", "turn", "ball"}));
  EXPECT_TRUE(w->trees[1].floating);
  EXPECT_EQ(w->nq, 1 + 7 + 3 + 4);
  EXPECT_EQ(w->nv, 1 + 6 + 3 + 3);
  EXPECT_EQ(w->ntau, 7);
  EXPECT_TRUE(w->trees[1].free_body);  // defaults of <joint> do not reach a <freejoint>
  const double h = std::sqrt(0.5), ref = 10.0 * M_PI / 180.0;
  const Vec q0 = (Vec(15) << 0, 0, 0, 1, 0, 0, h, h, 0, 0, ref, 0, 0, 0, 1).finished();
  EXPECT_LE((w->q0 - q0).norm(), 1e-12);
  EXPECT_EQ(w->bodies[2].inertia.mass, 0.0);  // inner bodies of the composite
  EXPECT_EQ(w->bodies[3].inertia.mass, 0.0);
  EXPECT_NEAR(w->bodies[4].inertia.mass, 1.5, 1e-12);
  EXPECT_NEAR(w->bodies[5].inertia.mass, 0.8, 1e-12);
}

TEST_F(MjcfToy, EverythingStartsWhereTheFileSays) {
  const std::pair<const char*, Vec3> places[] = {{"floor", {0, 0, 0}}, {"top", {1, 0, 0.5}},    {"leaf", {1.4, 0, 0.5}},
                                                 {"cube", {0, 0, 1}},  {"trunk", {0, 1, 0.35}}, {"tip", {0, 1, 0.6}}};
  for (const auto& [name, place] : places)
    EXPECT_LE((start(name) - place).norm(), 1e-12) << name << " " << start(name).transpose();
  EXPECT_LE((w->geoms[static_cast<std::size_t>(geom("top"))].shape.size - Vec3(0.3, 0.2, 0.05)).norm(), 1e-15);
  EXPECT_NEAR(w->geoms[static_cast<std::size_t>(geom("trunk"))].shape.half_length(), 0.15, 1e-15);
  EXPECT_EQ(w->geoms.size(), 6u);  // the tool's cylinder collides with nothing
}

TEST_F(MjcfToy, JointNumbers) {
  EXPECT_NEAR(w->lower[0], -M_PI / 2, 1e-12);
  EXPECT_NEAR(w->upper[0], M_PI / 2, 1e-12);
  EXPECT_NEAR(w->lower[7], -1.0, 1e-12);  // a slide: metres, not degrees
  EXPECT_NEAR(w->upper[7], 1.0, 1e-12);
  EXPECT_EQ(w->lower[9], -kInfinity);
  EXPECT_EQ(w->joint_damping[0], 0.5);
  EXPECT_EQ(w->armature[9], 0.01);
  EXPECT_NEAR(w->dry_friction[0], 0.3, 1e-15);
  for (int i = 10; i < 13; ++i) EXPECT_EQ(w->joint_damping[i], 0.1) << i;
}

TEST_F(MjcfToy, WhoMayCollide) {
  EXPECT_FALSE(excluded("top", "leaf"));   // jointed to what is static
  EXPECT_TRUE(excluded("cube", "trunk"));  // <exclude>
  EXPECT_TRUE(excluded("trunk", "tip"));   // parent and child
  EXPECT_FALSE(excluded("cube", "top"));
  EXPECT_FALSE(excluded("cube", "leaf"));
  EXPECT_FALSE(excluded("floor", "leaf"));
  EXPECT_FALSE(excluded("floor", "tip"));
}

// MuJoCo: 1 unless given, the larger of two, that of the higher priority, none for condim 1.
TEST(Mjcf, FrictionWithinTheFile) {
  const TemporaryFile file("surfaces.xml", R"(<mujoco model="m"><worldbody>
    <geom name="floor" type="plane" size="1 1 1" friction="0.3"/>
    <body name="a" pos="0 0 1"><freejoint/><geom name="a" size=".1"/></body>
    <body name="b" pos="1 0 1"><freejoint/><geom name="b" size=".1" friction="0.2"/></body>
    <body name="c" pos="2 0 1"><freejoint/><geom name="c" size=".1" friction="0.1" priority="1"/></body>
    </worldbody></mujoco>)");
  WorldBuilder world;
  const int ground = world.add_ground([] {
    MaterialValues v;
    v.mu = 0.25;
    return v;
  }());
  world.add_mjcf(file.path());
  const auto w = world.compile();
  const auto mu = [&](int i, const char* name) {
    for (std::size_t j = 0; j < w->geoms.size(); ++j)
      if (w->geoms[j].name == name) return w->material(i, static_cast<int>(j)).mu;
    return -1.0;
  };
  const int floor = ground + 1;
  EXPECT_EQ(w->geoms[static_cast<std::size_t>(floor)].name, "floor");
  EXPECT_EQ(mu(floor, "a"), 1.0);
  EXPECT_EQ(mu(floor, "b"), 0.3);
  EXPECT_EQ(mu(floor, "c"), 0.1);
  EXPECT_EQ(mu(ground, "a"), 0.25);  // what users add: the smaller one
  EXPECT_EQ(mu(ground, "b"), 0.2);
}

TEST_F(MjcfToy, EqualitiesAreLoops) {
  ASSERT_EQ(w->loops.size(), 1u);
  const Loop& l = w->loops[0];
  EXPECT_EQ(l.kind, Loop::point);
  EXPECT_EQ(l.b, kWorldBody);
  EXPECT_LE((start_pose(*w, l.a) * l.frame_a.translation - l.frame_b.translation).norm(), 1e-12);
  EXPECT_LE((l.frame_b.translation - Vec3(0, 1, 0.7)).norm(), 1e-12);
}

TEST(Mjcf, BadFilesAreRefused) {
  WorldBuilder world;
  world.add_ground();
  const auto refuse = [&](const std::string& body, const std::vector<std::string>& needles, bool fixed = false) {
    const TemporaryFile file("bad.xml", "<mujoco><worldbody>" + body + "</worldbody></mujoco>");
    RobotOptions o;
    o.fixed = fixed;
    expect_refused(world, [&](WorldBuilder& w) { w.add_mjcf(file.path(), o); }, needles);
  };
  const std::string inertial = R"(<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>)";
  expect_refused(world, [](WorldBuilder& w) { w.add_mjcf("no.xml"); }, {"no.xml", "does not exist"});
  refuse(R"(<body name="a"><freejoint/><inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/></body>)",
         {"body 'a'", "mass", "-1"});
  refuse(R"(<body name="a"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 -1"/></body>)",
         {"body 'a'", "positive definite"});
  refuse(R"(<body name="a"><freejoint/>)" + inertial + R"(</body><body name="a">)" + inertial + "</body>",
         {"two bodies", "'a'"});
  refuse(R"(<body name="a"><freejoint/>)" + inertial + R"(<geom type="sdf" size="1"/></body>)", {"sdf", "ellipsoid"});
  refuse(R"(<body name="a"><freejoint/>)" + inertial + "</body>", {"free joint", "fixed"}, true);
  refuse(R"(<body name="a"><composite count="3"/></body>)", {"body 'a'", "composite"});
  refuse(R"(<body name="a"><joint type="screw"/>)" + inertial + "</body>", {"screw", "hinge"});
  refuse(R"(<body name="a"><joint name="j" range="1 -1"/>)" + inertial + "</body>", {"joint 'j'", "lower limit 1"});
  refuse(R"(<body name="a"><freejoint/><geom class="leg" size="1"/></body>)", {"class", "leg", "main"});
  refuse(R"(<body name="a"><freejoint/><geom type="mesh" mesh="m"/></body>)", {"mesh", "'m'"});
  refuse(R"(<body name="a"><joint/>)" + inertial + R"(<body name="b"><freejoint/>)" + inertial + "</body></body>",
         {"free joint inside"});
  refuse(R"(<include file="none.xml"/>)", {"none.xml", "not found"});
}

}  // namespace
}  // namespace stiction
