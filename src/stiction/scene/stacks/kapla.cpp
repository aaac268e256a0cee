// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/stacks/kapla.h>

#include <array>
#include <span>

namespace stiction {
namespace {

struct Place {
  int x, y;  // centre [dm]
};
constexpr std::array<Place, 8> kBeams{{{0, 0}, {2, 0}, {4, 0}, {6, 0}, {8, 0}, {10, 0}, {12, 0}, {14, 0}}};
constexpr std::array<Place, 9> kBlocks{{{1, -1}, {5, -1}, {9, -1}, {13, -1}, {3, 1}, {7, 1}, {11, 1}, {1, 1}, {13, 1}}};
constexpr double kMass = 10.0;  // [kg]

void add_layer(WorldBuilder& world, std::span<const Place> places, const Vec3& edges, int layer) {
  for (const Place& place : places) {
    BodyOptions block;
    block.material = "wood";
    block.position = {place.x / 10.0, place.y / 10.0, (2 * layer + 1) / 20.0};  // layers are 0.1 m high
    world.add_body(make_box(edges), kMass, block);
  }
}

}  // namespace

Scene kapla(const Kapla& p) {
  check_parameters(p);
  Scene scene;
  scene.dt = 1e-2;
  scene.duration = 10.0;
  scene.world.add_material("wood", surface(p.mu));
  scene.world.add_ground({}, "wood");
  for (int storey = 0; storey < p.storeys; ++storey) {
    add_layer(scene.world, kBeams, {0.05, 0.25, 0.1}, 2 * storey);
    add_layer(scene.world, kBlocks, {0.2, 0.05, 0.1}, 2 * storey + 1);
  }
  return scene;
}

double kapla_displacement(const VecRef& q0, const VecRef& q) {
  double largest = 0.0;
  for (int i = 0; i + 7 <= q.size(); i += 7) {
    const double distance = (q.segment<3>(i) - q0.segment<3>(i)).norm();
    if (!(distance <= largest)) largest = distance;  // written so that NaN is kept
  }
  return largest;
}

}  // namespace stiction
