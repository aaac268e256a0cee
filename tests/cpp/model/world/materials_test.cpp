// SPDX-License-Identifier: BSD-2-Clause
// Oracle: the table of rules in docs (a pair entry wins; one side; both: smaller mu, larger restitution, smaller stiffness,
// larger damping; none: mu .8, restitution 0, rigid).
#include <stiction/model/world/materials.h>

#include "model/refusal.h"

namespace stiction {
namespace {

MaterialValues friction(double mu) {
  MaterialValues m;
  m.mu = mu;
  return m;
}

TEST(Materials, NoneNamesAnything) {
  const PairMaterial p = combine({}, {}, {});
  EXPECT_EQ(p.mu, 0.8);
  EXPECT_EQ(p.mu_static, 0.8);
  EXPECT_EQ(p.restitution, 0.0);
  EXPECT_EQ(p.stiffness, kInfinity);
  EXPECT_EQ(p.damping, 0.0);
}

TEST(Materials, OneSideNames) {
  const MaterialValues a{0.3, 0.4, 0.2, 1e5, 30.0};
  for (const PairMaterial& p : {combine(a, {}, {}), combine({}, a, {})}) {
    EXPECT_EQ(p.mu, 0.3);
    EXPECT_EQ(p.mu_static, 0.4);
    EXPECT_EQ(p.restitution, 0.2);
    EXPECT_EQ(p.stiffness, 1e5);
    EXPECT_EQ(p.damping, 30.0);
  }
}

TEST(Materials, BothSidesName) {
  const MaterialValues a{0.3, 0.9, 0.2, 1e5, 30.0}, b{0.5, 0.6, 0.7, 1e4, 10.0};
  for (const PairMaterial& p : {combine(a, b, {}), combine(b, a, {})}) {
    EXPECT_EQ(p.mu, 0.3);
    EXPECT_EQ(p.mu_static, 0.6);
    EXPECT_EQ(p.restitution, 0.7);
    EXPECT_EQ(p.stiffness, 1e4);
    EXPECT_EQ(p.damping, 30.0);
  }
}

TEST(Materials, PairWinsValueByValue) {
  const MaterialValues a{0.3, 0.9, 0.2, 1e5, 30.0};
  const PairMaterial p = combine(a, {}, friction(0.05));
  EXPECT_EQ(p.mu, 0.05);
  EXPECT_EQ(p.mu_static, 0.05);  // a pair that names mu alone speaks for static friction too
  EXPECT_EQ(p.restitution, 0.2);
  EXPECT_EQ(p.stiffness, 1e5);
}

TEST(Materials, StaticFrictionIsNeverBelowSliding) {
  EXPECT_EQ(combine({0.5, 0.2, {}, {}, {}}, {}, {}).mu_static, 0.5);
  EXPECT_EQ(combine(friction(0.3), {1.0, 1.2, {}, {}, {}}, {}).mu_static, 0.3);  // the slippery side decides both
}

TEST(Materials, NamesMayComeInAnyOrder) {
  WorldBuilder world;
  BodyOptions rubber, steel;
  rubber.material = "rubber", steel.material = "steel";
  steel.position.x() = 5.0;
  world.add_body(make_sphere(0.1), 1.0, rubber);
  world.add_static(make_box({1, 1, 1}), steel);
  MaterialValues values = friction(0.25);
  values.restitution = 0.5;
  world.set_material_pair("steel", "rubber", values);
  const auto w = world.compile();
  EXPECT_EQ(w->material(0, 1).mu, 0.25);
  EXPECT_EQ(w->material(1, 0).restitution, 0.5);
  EXPECT_EQ(w->material(0, 0).mu, 0.8);
}

TEST(Materials, EqualAnonymousOnesAreShared) {
  WorldBuilder world;
  BodyOptions o;
  o.values = friction(0.5);
  for (int i = 0; i < 50; ++i) {
    o.position.x() = i;
    world.add_body(make_sphere(0.1), 1.0, o);
  }
  EXPECT_EQ(world.compile()->material_names.size(), 2u);
}

TEST(Materials, UnknownNameIsRefusedWithTheCloseOne) {
  WorldBuilder world;
  world.add_material("rubber", friction(1.0));
  BodyOptions o;
  o.material = "ruber";
  world.add_body(make_sphere(0.1), 1.0, o);
  const std::string message = refusal([&] { world.compile(); });
  EXPECT_NE(message.find("ruber"), std::string::npos) << message;
  EXPECT_NE(message.find("did you mean 'rubber'"), std::string::npos) << message;
}

TEST(Materials, BadValuesAreRefused) {
  WorldBuilder world;
  world.add_ground(friction(0.5));
  const auto ground = [](const MaterialValues& v) { return [v](WorldBuilder& w) { w.add_ground(v); }; };
  expect_refused(world, ground(friction(-0.1)), {"mu", "-0.1", ">= 0"});
  expect_refused(world, ground(friction(std::nan(""))), {"mu", "nan"});
  expect_refused(world, ground(friction(kInfinity)), {"mu", "inf"});
  expect_refused(world, ground({{}, -1.0, {}, {}, {}}), {"mu_static", "-1"});
  expect_refused(world, ground({{}, {}, 1.5, {}, {}}), {"restitution", "1.5", "0 to 1"});
  expect_refused(world, ground({{}, {}, {}, 0.0, {}}), {"stiffness", "0"});
  expect_refused(world, ground({{}, {}, {}, {}, -3.0}), {"damping", "-3"});
  expect_refused(world, [](WorldBuilder& w) { w.add_ground(friction(0.5), "ice"); }, {"ice", "one of both"});
  expect_refused(world, [](WorldBuilder& w) { w.add_material("", {}); }, {"name"});
  expect_refused(world, [](WorldBuilder& w) { w.set_material_pair("a", "b", friction(-2)); }, {"'a', 'b'", "mu", "-2"});
  world.add_material("ice", friction(0.02));
  expect_refused(world, [](WorldBuilder& w) { w.add_material("ice", friction(0.1)); }, {"ice", "already"});
}

}  // namespace
}  // namespace stiction
