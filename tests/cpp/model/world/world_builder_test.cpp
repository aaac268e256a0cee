// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/model/world/state.h>

#include <Eigen/Geometry>

#include "model/refusal.h"

namespace stiction {
namespace {

bool excluded(const World& w, int i, int j) {
  return std::binary_search(w.excluded_pairs.begin(), w.excluded_pairs.end(),
                            std::pair{std::min(i, j), std::max(i, j)});
}

// Oracle: v = (Rᵀ velocity, Rᵀ spin), q = (position, x y z w).
TEST(WorldBuilder, FreeBodyStartsInTheFaceConvention) {
  WorldBuilder world;
  BodyOptions o;
  o.name = "ball";
  o.position = {1, 2, 3};
  o.rotation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  o.velocity = {4, 5, 6};
  o.angular_velocity = {-1, 0.5, 2};
  EXPECT_EQ(world.add_body(make_box({0.2, 0.4, 0.6}), 2.0, o), 0);
  const auto w = world.compile();
  ASSERT_EQ(w->nq, 7);
  ASSERT_EQ(w->nv, 6);
  EXPECT_EQ(w->ntau, 0);
  EXPECT_EQ(Vec3(w->q0.head<3>()), o.position);
  EXPECT_LE((w->q0.segment<4>(3) - o.rotation.coeffs()).norm(), 1e-15);
  EXPECT_LE((o.rotation * Vec3(w->v0.head<3>()) - o.velocity).norm(), 1e-14);
  EXPECT_LE((o.rotation * Vec3(w->v0.tail<3>()) - o.angular_velocity).norm(), 1e-14);
  ASSERT_EQ(w->trees.size(), 1u);
  EXPECT_TRUE(w->trees[0].free_body);
  EXPECT_EQ(w->trees[0].robot, -1);
  EXPECT_EQ(w->body_name(0), "ball");
  EXPECT_EQ(w->body_name(kWorldBody), "world");
  // solid box: m (b² + c²)/12
  EXPECT_NEAR(w->bodies[0].inertia.about_com(0, 0), 2.0 * (0.16 + 0.36) / 12.0, 1e-15);
}

// Oracle: a tetrahedron's centre of mass is the mean of its corners; the body's frame sits there, corners stay in place.
TEST(WorldBuilder, BodyFrameIsTheCentreOfMass) {
  const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  WorldBuilder world;
  BodyOptions o;
  o.position = {5, 0, 0};
  world.add_body(make_convex(corners), 1.0, o);
  const auto w = world.compile();
  EXPECT_LE((Vec3(w->q0.head<3>()) - Vec3(5.25, 0.25, 0.25)).norm(), 1e-12);
  EXPECT_TRUE(w->trees[0].free_body);
  EXPECT_LE((w->geoms[0].placement.translation + Vec3::Constant(0.25)).norm(), 1e-12);
}

// Oracle: counting. Boxes, a mesh of two separate tetrahedra, static triangles.
TEST(WorldBuilder, MovingMeshBecomesHulls) {
  std::vector<Vec3> v = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::vector<Eigen::Vector3i> t = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  for (int i = 0; i < 4; ++i) v.push_back(v[static_cast<std::size_t>(i)] + Vec3(3, 0, 0));
  for (int i = 0; i < 4; ++i) t.push_back(t[static_cast<std::size_t>(i)] + Eigen::Vector3i::Constant(4));
  const Shape mesh = make_mesh(v, t);
  WorldBuilder world;
  world.add_static(mesh);
  EXPECT_TRUE(world.warnings().empty());
  world.add_body(mesh, 1.0);
  ASSERT_EQ(world.warnings().size(), 1u);
  EXPECT_NE(world.warnings()[0].find("2 connected part"), std::string::npos) << world.warnings()[0];
  const auto w = world.compile();
  ASSERT_EQ(w->geoms.size(), 3u);
  EXPECT_EQ(w->geoms[0].shape.kind, ShapeKind::mesh);
  EXPECT_EQ(w->geoms[1].shape.kind, ShapeKind::convex);
  EXPECT_EQ(w->geoms[2].body, 0);
}

TEST(WorldBuilder, LaterEditsDoNotReachACompiledWorld) {
  WorldBuilder world;
  world.add_body(make_sphere(0.1), 1.0);
  const auto before = world.compile();
  const WorldBuilder copy = world;
  world.gravity = {0, 0, -1.62};
  world.add_body(make_sphere(0.1), 1.0);
  EXPECT_EQ(before->bodies.size(), 1u);
  EXPECT_EQ(copy.compile()->fingerprint, before->fingerprint);
  EXPECT_NE(world.compile()->fingerprint, before->fingerprint);
  EXPECT_EQ(world.compile()->gravity.z(), -1.62);
}

TEST(WorldBuilder, FingerprintSeesEveryNumber) {
  const auto build = [](double radius, double mass, double mu, double x) {
    WorldBuilder world;
    BodyOptions o;
    o.values.mu = mu;
    o.position.x() = x;
    world.add_body(make_sphere(radius), mass, o);
    return world.compile()->fingerprint;
  };
  const auto base = build(0.1, 1.0, 0.5, 0.0);
  EXPECT_EQ(base, build(0.1, 1.0, 0.5, 0.0));
  EXPECT_NE(base, build(0.2, 1.0, 0.5, 0.0));
  EXPECT_NE(base, build(0.1, 1.1, 0.5, 0.0));
  EXPECT_NE(base, build(0.1, 1.0, 0.6, 0.0));
  EXPECT_NE(base, build(0.1, 1.0, 0.5, 0.1));
}

TEST(WorldBuilder, FiltersExcludePairs) {
  WorldBuilder world;
  const int ground = world.add_ground();
  const BodyId a = world.add_body(make_sphere(0.1), 1.0), b = world.add_body(make_sphere(0.1), 1.0);
  const int extra = world.add_geom(b, make_box({0.1, 0.1, 0.1}), {Mat3::Identity(), Vec3(0.2, 0, 0)});
  EXPECT_TRUE(world.compile()->excluded_pairs.empty());
  world.exclude_pair(ground, 1);
  EXPECT_TRUE(excluded(*world.compile(), ground, 1));
  EXPECT_FALSE(excluded(*world.compile(), ground, 2));
  world.exclude_bodies(a, b);
  EXPECT_TRUE(excluded(*world.compile(), 1, 2));
  EXPECT_TRUE(excluded(*world.compile(), 1, extra));
  EXPECT_FALSE(excluded(*world.compile(), ground, extra));
}

// Oracle: the point of the body at the start, R·offset + position.
TEST(WorldBuilder, BilateralPointIsHeldWhereItIs) {
  WorldBuilder world;
  BodyOptions o;
  o.position = {1, 2, 3};
  o.rotation = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitZ()));
  const BodyId body = world.add_body(make_sphere(0.5), 1.0, o);
  EXPECT_EQ(world.add_contact_point(body, {0.5, 0, 0}, true, 1e5, 300.0), 0);
  EXPECT_EQ(world.add_contact_point(body, {0, 0, -0.5}, false, {}, {}), 1);
  const auto w = world.compile();
  ASSERT_EQ(w->loops.size(), 1u);
  EXPECT_EQ(w->loops[0].a, kWorldBody);
  EXPECT_LE((w->loops[0].frame_a.translation - Vec3(1, 2.5, 3)).norm(), 1e-14);
  EXPECT_EQ(w->loops[0].stiffness, 1e5);
  EXPECT_EQ(w->geoms[1].shape.kind, ShapeKind::point);
  EXPECT_EQ(initial_state(*w).loop_force.size(), 3);
}

TEST(WorldBuilder, BadBodiesAreRefused) {
  WorldBuilder world;
  BodyOptions named;
  named.name = "ball";
  world.add_body(make_sphere(0.1), 1.0, named);
  const auto body = [](double mass, const std::function<void(BodyOptions&)>& edit) {
    return [=](WorldBuilder& w) {
      BodyOptions o;
      edit(o);
      w.add_body(make_sphere(0.1), mass, o);
    };
  };
  const auto keep = [](BodyOptions&) {};
  expect_refused(world, body(-1.0, keep), {"sphere.mass", "-1", "> 0"});
  expect_refused(world, body(0.0, keep), {"mass", "0"});
  expect_refused(world, body(std::nan(""), keep), {"mass", "nan"});
  expect_refused(world, body(1.0, [](BodyOptions& o) { o.position.y() = std::nan(""); }), {"position", "nan"});
  expect_refused(world, body(1.0, [](BodyOptions& o) { o.rotation = Quat(2, 0, 0, 0); }), {"rotation", "length 2"});
  expect_refused(world, body(1.0, [](BodyOptions& o) { o.velocity.x() = kInfinity; }), {"velocity", "inf"});
  expect_refused(world, body(1.0, [](BodyOptions& o) { o.inertia = Vec3(1, 1, -1).asDiagonal(); }),
                 {"inertia", "-1", "positive definite"});
  expect_refused(world, body(1.0, [](BodyOptions& o) { o.inertia = Mat3::Zero(); }), {"inertia", "positive definite"});
  expect_refused(world, body(1.0, [](BodyOptions& o) { o.inertia = Mat3::Identity(), (*o.inertia)(0, 1) = 0.5; }),
                 {"symmetric"});
  expect_refused(world, body(1.0, [](BodyOptions& o) { o.name = "ball"; }), {"'ball'", "taken"});
  expect_refused(world, [](WorldBuilder& w) { w.add_body(make_half_space(), 1.0); }, {"half", "static"});
  expect_refused(world, [](WorldBuilder& w) { w.add_body(make_point(), 1.0); }, {"inertia", "missing"});
  expect_refused(world, [](WorldBuilder& w) { w.add_geom(7, make_sphere(0.1), {}); }, {"body", "7"});
  expect_refused(world, [](WorldBuilder& w) { w.add_contact_point(-1, Vec3::Zero(), false, {}, {}); }, {"body", "-1"});
  expect_refused(world, [](WorldBuilder& w) { w.exclude_pair(0, 9); }, {"geom_b", "9"});
  expect_refused(world, [](WorldBuilder& w) { w.add_body(make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {}), 1.0); }, {});
  Loop loop;
  loop.a = 0, loop.b = 5;
  expect_refused(world, [&](WorldBuilder& w) { w.add_loop(loop); }, {"loop", "b", "5"});
  loop.b = 0;
  expect_refused(world, [&](WorldBuilder& w) { w.add_loop(loop); }, {"itself"});
  expect_refused(world,
                 [](WorldBuilder& w) {
                   w.add_static(make_sphere(1), [] {
                     BodyOptions o;
                     o.velocity.x() = 1;
                     return o;
                   }());
                 },
                 {"velocity"});
  world.gravity.z() = std::nan("");
  EXPECT_NE(refusal([&] { world.compile(); }).find("gravity"), std::string::npos);
}

}  // namespace
}  // namespace stiction
