// SPDX-License-Identifier: BSD-2-Clause
// Which contacts are found. Oracle: distances of spheres, all pairs.
#include <gtest/gtest.h>
#include <stiction/dynamics/kernels/integrate.h>

#include <random>
#include <set>

#include "dynamics/contact/contact_rig.h"
#include "support/busy_world.h"

namespace stiction {
namespace {

using test::at, test::ContactRig;

TEST(Detect, GapPointAndNormalOfABallOnTheGround) {
  WorldBuilder builder;
  builder.add_ground();
  builder.add_body(make_sphere(0.5), 1.0, at({1, 2, 0.49}));
  ContactRig rig(builder.compile());
  ASSERT_EQ(rig.look(0.0, 1e-3).size(), 1u);
  const Contact& c = rig.contacts[0];
  EXPECT_EQ(c.a, kWorldBody);
  EXPECT_EQ(c.b, 0);
  EXPECT_NEAR(c.gap, -0.01, 1e-15);
  EXPECT_LE((c.normal - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_LE((c.point - Vec3(1, 2, -0.005)).norm(), 1e-15);
}

TEST(Detect, NormalPointsFromTheLowerBodyToTheHigher) {
  WorldBuilder builder;
  builder.add_body(make_sphere(0.5), 1.0, at({2, 0, 0}));
  builder.add_body(make_sphere(0.5), 1.0, at({1, 0, 0}));
  ContactRig rig(builder.compile());
  ASSERT_EQ(rig.look(0.0, 1e-3).size(), 1u);
  EXPECT_EQ(rig.contacts[0].a, 0);
  EXPECT_EQ(rig.contacts[0].b, 1);
  EXPECT_LE((rig.contacts[0].normal + Vec3::UnitX()).norm(), 1e-15);
}

TEST(Detect, ClosedContactsOnly) {
  WorldBuilder builder;
  builder.add_ground();
  for (const double height : {0.45, 0.5, 0.5001})
    builder.add_body(make_sphere(0.5), 1.0, at({4 * height, 10 * height, height}));
  builder.exclude_bodies(0, 1), builder.exclude_bodies(0, 2), builder.exclude_bodies(1, 2);
  ContactRig rig(builder.compile());
  EXPECT_EQ(rig.look(0.0, 1e-2).size(), 3u);
  detect_closed(*rig.world, rig.layout, rig.plan, rig.k, rig.work, rig.contacts);
  ASSERT_EQ(rig.contacts.size(), 2u);  // touching counts
  EXPECT_EQ(rig.contacts[0].b, 0);
  EXPECT_EQ(rig.contacts[1].b, 1);
}

TEST(Detect, ExcludedPairsAreLeftOut) {
  WorldBuilder builder;
  for (int i = 0; i < 3; ++i) builder.add_body(make_sphere(0.5), 1.0, at({0.9 * i, 0, 0}));
  EXPECT_EQ(ContactRig(builder.compile()).look(0.0, 1e-3).size(), 2u);
  builder.exclude_bodies(0, 1);
  ContactRig rig(builder.compile());
  ASSERT_EQ(rig.look(0.0, 1e-3).size(), 1u);
  EXPECT_EQ(rig.contacts[0].a, 1);
}

TEST(Detect, ContactPointsMeetStaticGeometryOnly) {
  WorldBuilder builder;
  builder.add_ground();
  builder.add_body(make_sphere(0.5), 1.0, at({0, 0, 0.6}));
  builder.add_body(make_sphere(0.1), 1.0, at({0, 0, 3}));
  builder.add_contact_point(1, {0, 0, -2.9}, false, std::nullopt,
                            std::nullopt);  // inside the first ball, above the ground
  ContactRig rig(builder.compile());
  const auto& contacts = rig.look(0.0, 0.2);
  ASSERT_EQ(contacts.size(), 2u);
  for (const Contact& c : contacts) EXPECT_EQ(c.a, kWorldBody);
}

// 80 balls and 20 static ones go through the broad phase: the same pairs as by distances, in the order of their keys.
TEST(Detect, BroadPhaseFindsWhatAllPairsFind) {
  std::mt19937_64 rng(3);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  WorldBuilder builder;
  const int balls = 100;
  std::vector<Vec3> centres;
  std::vector<double> radii;
  for (int i = 0; i < balls; ++i) {
    centres.emplace_back(4 * uniform(rng), 4 * uniform(rng), 4 * uniform(rng));
    radii.push_back(0.1 + 0.3 * uniform(rng));
    const BodyOptions body = at(centres.back());
    if (i % 5 == 4)
      builder.add_static(make_sphere(radii.back()), body);
    else
      builder.add_body(make_sphere(radii.back()), 1.0, body);
  }
  ContactRig rig(builder.compile());
  ASSERT_FALSE(rig.plan.swept.empty());
  const double margin = 0.05;
  std::set<std::pair<std::uint32_t, std::uint32_t>> wanted, found;
  for (std::uint32_t i = 0; i < balls; ++i)
    for (std::uint32_t j = i + 1; j < balls; ++j)
      if ((i % 5 != 4 || j % 5 != 4) && (centres[i] - centres[j]).norm() - radii[i] - radii[j] <= margin)
        wanted.insert({i, j});
  for (const Contact& c : rig.look(0.0, margin)) found.insert(std::minmax(c.key.geom_a, c.key.geom_b));
  EXPECT_GT(wanted.size(), 20u);
  EXPECT_EQ(found, wanted);
  EXPECT_TRUE(std::is_sorted(rig.contacts.begin(), rig.contacts.end(),
                             [](const Contact& x, const Contact& y) { return x.key < y.key; }));
}

// A robot and bodies that walk at random: what is remembered of far pairs changes nothing that is found, not even the bits.
TEST(Detect, RememberedDistancesChangeNothing) {
  const std::shared_ptr<const World> world = test::busy_world();
  ContactRig rig(world);
  std::mt19937_64 rng(11);
  std::normal_distribution<double> normal;
  std::size_t contacts = 0;
  for (int step = 0; step < 600; ++step) {
    const double size = step % 100 == 99 ? 0.3 : 0.01;  // at times a leap
    Vec d(world->nv);
    for (double& x : d) x = size * normal(rng);
    for (int i = 0; i < world->nv; ++i) rig.v[i] = 10.0 * d[i];
    advance(rig.layout, 1.0, d.data(), rig.q.data(), rig.v.data());
    ContactRig fresh(world);
    fresh.q = rig.q, fresh.v = rig.v;
    rig.look(1e-3, 1e-3), fresh.look(1e-3, 1e-3);
    ASSERT_EQ(rig.contacts.size(), fresh.contacts.size()) << step;
    for (std::size_t i = 0; i < rig.contacts.size(); ++i) {
      EXPECT_EQ(rig.contacts[i].key, fresh.contacts[i].key);
      EXPECT_EQ(rig.contacts[i].gap, fresh.contacts[i].gap);
    }
    contacts += rig.contacts.size();
  }
  EXPECT_GT(contacts, 100u);
}

}  // namespace
}  // namespace stiction
