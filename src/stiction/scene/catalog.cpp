// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/scene/catalog.h>
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
  static const std::vector<SceneInfo> scenes{
      starleth_push_info(),  starleth_stand_info(), anymal_stand_info(), cube_slide_info(),   cube_drag_info(),
      heavy_on_light_info(), brick_on_slope_info(), ball_bounce_info(),  ball_rolling_info(), rolling_info(),
      pile_info(),           kapla_info(),          free_flight_info(),  rod_info(),          four_spheres_info(),
      break_shot_info(),     pendulum6_info(),      four_legs_info(),    elastic_balls_info()};
  return scenes;
}

const SceneInfo& find_scene(const std::string& name) {
  std::vector<std::string> names;
  for (const SceneInfo& info : scene_catalog()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  throw InvalidInput(unknown_name("scene", name, names));
}

Scene make_scene(const std::string& name, const OptionMap& parameters) { return find_scene(name).make(parameters); }

}  // namespace stiction
