// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/find_named.h>
#include <stiction/scene/catalog.h>
#include <stiction/scene/core/entry.h>
#include <stiction/scene/friction/ball_rolling.h>
#include <stiction/scene/friction/brick_on_slope.h>
#include <stiction/scene/friction/cube_drag.h>
#include <stiction/scene/friction/cube_slide.h>
#include <stiction/scene/friction/heavy_on_light.h>
#include <stiction/scene/friction/rolling.h>
#include <stiction/scene/impact/ball_bounce.h>
#include <stiction/scene/impact/break_shot.h>
#include <stiction/scene/impact/elastic_balls.h>
#include <stiction/scene/impact/four_spheres.h>
#include <stiction/scene/impact/free_flight.h>
#include <stiction/scene/impact/rod.h>
#include <stiction/scene/robots/anymal_stand.h>
#include <stiction/scene/robots/four_legs.h>
#include <stiction/scene/robots/pendulum6.h>
#include <stiction/scene/robots/starleth_push.h>
#include <stiction/scene/robots/starleth_stand.h>
#include <stiction/scene/stacks/kapla.h>
#include <stiction/scene/stacks/pile.h>

namespace stiction {

const std::vector<SceneInfo>& scene_catalog() {
  static const std::vector<SceneInfo> scenes{scene_info<StarlethPush, starleth_push>(),
                                             scene_info<StarlethStand, starleth_stand>(),
                                             scene_info<AnymalStand, anymal_stand>(),
                                             scene_info<CubeSlide, cube_slide>(),
                                             scene_info<CubeDrag, cube_drag>(),
                                             scene_info<HeavyOnLight, heavy_on_light>(),
                                             scene_info<BrickOnSlope, brick_on_slope>(),
                                             scene_info<BallBounce, ball_bounce>(),
                                             scene_info<BallRolling, ball_rolling>(),
                                             scene_info<Rolling, rolling>(),
                                             scene_info<Pile, pile>(),
                                             scene_info<Kapla, kapla>(),
                                             scene_info<SpinningBallFlight, free_flight>(),
                                             scene_info<Rod, rod>(),
                                             scene_info<FourSpheres, four_spheres>(),
                                             scene_info<BreakShot, break_shot>(),
                                             scene_info<Pendulum6, pendulum6>(),
                                             scene_info<FourLegs, four_legs>(),
                                             scene_info<ElasticBalls, elastic_balls>()};
  return scenes;
}

const SceneInfo& find_scene(const std::string& name) { return find_named("scene", scene_catalog(), name); }

Scene make_scene(const std::string& name, const OptionMap& parameters) { return find_scene(name).make(parameters); }

}  // namespace stiction
