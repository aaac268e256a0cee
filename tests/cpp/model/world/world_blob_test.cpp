// SPDX-License-Identifier: BSD-2-Clause
// Oracle: identity. A world that was saved and read back has the same fingerprint, the same bytes, and steps to the same bits.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/geometry/convex_mesh.h>
#include <stiction/model/world/world_blob.h>
#include <stiction/scene/catalog.h>
#include <stiction/scene/core/scene.h>

namespace stiction {
namespace {

WorldBuilder every_shape() {
  WorldBuilder b;
  b.add_ground();
  b.add_static(make_heightfield(Mat::Constant(3, 4, -0.1), 2.0, 3.0));
  b.add_static(make_mesh({{0, 0, -1}, {1, 0, -1}, {0, 1, -1}}, {{0, 1, 2}}));
  BodyOptions up;
  up.position = {0.0, 0.0, 0.3};
  up.values.mu = 0.3;
  b.add_body(make_sphere(0.1), 1.0, up);
  up.position.x() = 1.0;
  // a point inside of the hull: it is not a vertex, and the hull of the vertices alone might order them otherwise
  const BodyId hull =
      b.add_body(make_convex({{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}, {0.02, 0.02, 0.02}}), 1.0, up);
  Loop loop;
  loop.a = hull;
  loop.stiffness = 1e4;
  b.add_loop(loop);
  return b;
}

TEST(WorldBlob, ReadsBackAsTheSameWorld) {
  const auto world = every_shape().compile();
  const auto bytes = save_world(*world);
  const auto again = load_world(bytes);
  EXPECT_EQ(again->fingerprint, world->fingerprint);
  EXPECT_EQ(save_world(*again), bytes);
  const ConvexMesh &a = *world->geoms.back().shape.convex, &b = *again->geoms.back().shape.convex;
  EXPECT_EQ(a.face_vertices, b.face_vertices);
  EXPECT_EQ(a.edges_of, b.edges_of);
  EXPECT_EQ(a.source.size(), 5u);
}

TEST(WorldBlob, StepsToTheSameBits) {
  for (const char* name : {"pile", "starleth_stand", "rod"}) {
    const Scene scene = make_scene(name);
    Simulator first = make_simulator(scene, {});
    Simulator second(load_world(save_world(first.world())), {});
    second.restore(first.save());
    first.step(40), second.step(40);
    EXPECT_EQ(first.hash(), second.hash()) << name;
  }
}

TEST(WorldBlob, RefusesDamage) {
  auto bytes = save_world(*every_shape().compile());
  bytes[bytes.size() / 2] ^= std::byte{1};
  EXPECT_THROW(load_world(bytes), InvalidInput);
  bytes.resize(10);
  EXPECT_THROW(load_world(bytes), InvalidInput);
  EXPECT_THROW(load_world({}), InvalidInput);
}

}  // namespace
}  // namespace stiction
