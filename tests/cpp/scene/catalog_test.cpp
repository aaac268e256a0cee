// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the public names; the published scene files; every parameter changes something and is checked.
#include <stiction/base/invalid_input.h>
#include <stiction/scene/catalog.h>
#include <stiction/scene/robots/quadruped.h>
#include <stiction/scene/stacks/kapla.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "support/play.h"

namespace stiction::test {
namespace {

TEST(SceneCatalog, HasThePublicNames) {
  for (const char* name : {"starleth_push", "starleth_stand", "anymal_stand", "cube_slide", "cube_drag",
                           "heavy_on_light", "brick_on_slope", "ball_bounce", "ball_rolling", "rolling", "pile",
                           "kapla", "free_flight", "pendulum6", "four_legs", "elastic_balls"})
    EXPECT_EQ(find_scene(name).name, name);
}

TEST(SceneCatalog, SuggestsTheClosestName) {
  try {
    make_scene("cube_slid");
    FAIL();
  } catch (const InvalidInput& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean 'cube_slide'"), std::string::npos) << e.what();
  }
  EXPECT_THROW(make_scene("cube_slide", {{"angel", 0.5}}), InvalidInput);
  EXPECT_THROW(make_scene("cube_slide", {{"angle", std::string("steep")}}), InvalidInput);
  EXPECT_THROW(make_scene("anymal_stand", {{"targets", std::string("movin")}}), InvalidInput);
}

OptionValue changed(const SceneInfo& scene, const OptionInfo& option) {
  if (scene.name == "anymal_stand" && option.name == "targets") return std::string("moving");
  if (const bool* b = std::get_if<bool>(&option.default_value)) return !*b;
  if (const int* i = std::get_if<int>(&option.default_value)) return *i + 1;
  const double x = std::get<double>(option.default_value);
  return x == 0.0 ? 0.5 : 0.93 * x;
}

// State after enough steps that every parameter has had its effect.
std::uint64_t outcome(const SceneInfo& info, const OptionMap& parameters) {
  const Scene scene = info.make(parameters);
  Play play(scene);
  const bool pushed = info.name == "starleth_push";
  play.run(pushed                       ? 750
           : info.name == "cube_drag"   ? 250
           : info.name == "pile"        ? 20
           : info.name == "ball_bounce" ? 500
                                        : 5);
  return play.sim.hash();
}

TEST(SceneCatalog, EveryParameterChangesSomething) {
  for (const SceneInfo& info : scene_catalog()) {
    OptionMap base;
    if (info.name == "anymal_stand") base["targets"] = std::string("moving");  // static targets have no seed
    const auto reference = info.make(base).world.compile()->fingerprint;
    const std::uint64_t plain = outcome(info, base);
    for (const OptionInfo& option : info.options) {
      OptionMap parameters = base;
      parameters[option.name] = option.name == "targets" ? OptionValue(std::string("static")) : changed(info, option);
      const bool world = info.make(parameters).world.compile()->fingerprint != reference;
      EXPECT_TRUE(world || outcome(info, parameters) != plain) << info.name << "." << option.name;
    }
  }
}

TEST(SceneCatalog, ParametersAreChecked) {
  for (const SceneInfo& info : scene_catalog()) {
    EXPECT_FALSE(info.summary.empty());
    EXPECT_FALSE(info.truth.empty());
    for (const OptionInfo& option : info.options) {
      EXPECT_NE(option.doc.find('['), std::string::npos) << info.name << "." << option.name << " has no unit";
      if (!std::holds_alternative<double>(option.default_value)) continue;
      for (const double wrong : {std::nan(""), kInfinity}) {
        try {
          info.make({{option.name, wrong}});
          ADD_FAILURE() << info.name << "." << option.name << " = " << wrong << " was accepted";
        } catch (const InvalidInput& e) {
          EXPECT_NE(std::string(e.what()).find(info.name + "." + option.name), std::string::npos) << e.what();
        }
      }
    }
  }
}

// Numbers after `key` in the text, count of them, brackets and commas skipped.
std::vector<double> numbers_after(const std::string& text, const std::string& key, std::size_t& from, int count) {
  from = text.find(key, from);
  if (from == std::string::npos) return {};
  std::string rest = text.substr(from + key.size(), 200);
  for (char& c : rest)
    if (c == '[' || c == ',' || c == ':' || c == ']') c = ' ';
  std::istringstream words(rest);
  std::vector<double> out(static_cast<std::size_t>(count));
  for (double& x : out) words >> x;
  ++from;
  return out;
}

// The tower made by our own code is the one of models/kapla.json.
TEST(SceneCatalog, KaplaIsThePublishedTower) {
  std::ifstream file(model_path("kapla.json"));
  std::stringstream stream;
  stream << file.rdbuf();
  const std::string text = stream.str();
  const auto world = kapla({}).world.compile();
  ASSERT_EQ(world->bodies.size(), 102u);
  std::size_t position = 0, size = 0;
  for (std::size_t i = 0; i < world->bodies.size(); ++i) {
    const std::vector<double> p = numbers_after(text, "\"pos\"", position, 3),
                              s = numbers_after(text, "\"size\"", size, 3);
    ASSERT_EQ(p.size(), 3u);
    const int q = world->bodies[i].q;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(world->q0[q + k], p[static_cast<std::size_t>(k)], 1e-15) << i;
      EXPECT_NEAR(2.0 * world->geoms[i + 1].shape.size[k], s[static_cast<std::size_t>(k)], 1e-15) << i;
    }
    EXPECT_EQ(world->bodies[i].inertia.mass, 10.0);
  }
}

TEST(SceneCatalog, StartPostureIsTheTarget) {
  const Scene scene = make_scene("anymal_stand");
  const Simulator sim = make_simulator(scene, settings_for("coulomb", scene.dt));
  ASSERT_EQ(sim.world().ntau, 12);
  const Vec target = sim.state().pd.target;
  EXPECT_NEAR(target.cwiseAbs().sum(), 4 * (0.03 + 0.4 + 0.8), 1e-12);
  EXPECT_NEAR(target.sum(), 0.0, 1e-12);
}

TEST(ModelPath, NamesTheFileAndThePlacesLookedIn) {
  try {
    model_path("no_such_robot.urdf");
    FAIL();
  } catch (const InvalidInput& e) {
    EXPECT_NE(std::string(e.what()).find("no_such_robot.urdf"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("STICTION_MODELS"), std::string::npos);
  }
  EXPECT_THROW(set_model_directory("no/such/folder"), InvalidInput);
}

}  // namespace
}  // namespace stiction::test
