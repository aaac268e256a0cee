// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/robots/starleth_push.h>
#include <stiction/scene/robots/starleth_stand.h>

namespace stiction {

Scene starleth_push(const StarlethPush& p) {
  check_parameters(p);
  Scene scene = starleth_stand({.mu = p.mu});
  constexpr BodyId trunk = 0;  // the only root of the world
  scene.drive = [=](Simulator& simulator, double t) {
    if (t >= p.start && t < p.start + p.length) simulator.apply_wrench(trunk, Vec3(0.0, p.force, 0.0), Vec3::Zero());
  };
  return scene;
}

}  // namespace stiction
