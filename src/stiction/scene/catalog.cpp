// SPDX-License-Identifier: BSD-2-Clause
// The one list of scenes, and the checks their parameters share.
#include <stiction/scene/anymal_stand.h>
#include <stiction/scene/ball_bounce.h>
#include <stiction/scene/ball_rolling.h>
#include <stiction/scene/break_shot.h>
#include <stiction/scene/brick_on_slope.h>
#include <stiction/scene/catalog.h>
#include <stiction/scene/cube_drag.h>
#include <stiction/scene/cube_slide.h>
#include <stiction/scene/elastic_balls.h>
#include <stiction/scene/four_legs.h>
#include <stiction/scene/four_spheres.h>
#include <stiction/scene/free_flight.h>
#include <stiction/scene/heavy_on_light.h>
#include <stiction/scene/kapla.h>
#include <stiction/scene/pendulum6.h>
#include <stiction/scene/pile.h>
#include <stiction/scene/rod.h>
#include <stiction/scene/rolling.h>
#include <stiction/scene/starleth_push.h>
#include <stiction/scene/starleth_stand.h>

#include <cmath>
#include <sstream>

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

void require_positive(const std::string& scene, const std::string& field, double value) {
  require_option(value > 0.0 && std::isfinite(value), scene, field, value, "a positive number");
}

void require_not_negative(const std::string& scene, const std::string& field, double value) {
  require_option(value >= 0.0 && std::isfinite(value), scene, field, value, "a number that is not negative");
}

void require_finite(const std::string& scene, const std::string& field, double value) {
  require_option(std::isfinite(value), scene, field, value, "a finite number");
}

void require_within(const std::string& scene, const std::string& field, double value, double lo, double hi) {
  std::ostringstream wanted;
  wanted << "a value in [" << lo << ", " << hi << "]";
  require_option(value >= lo && value <= hi, scene, field, value, wanted.str());
}

}  // namespace stiction
