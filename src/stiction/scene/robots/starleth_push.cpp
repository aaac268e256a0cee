// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/robots/starleth_push.h>
#include <stiction/scene/robots/starleth_stand.h>

namespace stiction {

void StarlethPush::check() const {
  require_finite(kName, "force", force);
  require_not_negative(kName, "start", start);
  require_not_negative(kName, "length", length);
  require_not_negative(kName, "mu", mu);
}

Scene starleth_push(const StarlethPush& p) {
  p.check();
  Scene scene = starleth_stand({.mu = p.mu});
  constexpr BodyId trunk = 0;  // the only root of the world
  scene.drive = [=](Simulator& simulator, double t) {
    if (t >= p.start && t < p.start + p.length) simulator.apply_wrench(trunk, Vec3(0.0, p.force, 0.0), Vec3::Zero());
  };
  return scene;
}

SceneInfo starleth_push_info() {
  return describe_scene<StarlethPush, starleth_push>("StarlETH stands and is pushed sideways until its feet slip",
                                                     "keeps its feet and stands still again; weight 263.1 N");
}

}  // namespace stiction
