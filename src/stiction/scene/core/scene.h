// SPDX-License-Identifier: BSD-2-Clause
// Named scenes: functions of physical parameters that know their own truth. One list feeds Python, command line, tests
// and bench.
#pragma once

#include <stiction/base/range.h>
#include <stiction/model/world/world_builder.h>
#include <stiction/sim/simulator.h>

#include <functional>
#include <string>
#include <vector>

namespace stiction {

// A scene ready to run: the world, how it is usually stepped, and what drives it.
struct Scene {
  WorldBuilder world;
  double dt = 1e-3;           // usual step [s]
  double duration = 1.0;      // usual length [s]
  double kp = 0.0, kd = 0.0;  // joint PD towards the start posture, if kp > 0
  bool implicit_pd = false;   // gains enter the mass matrix: stable for stiff ones
  // External load at time t, applied before each step; empty for none.
  std::function<void(Simulator&, double t)> drive;
};

struct SceneInfo {
  std::string name, summary, truth;  // truth: the closed form or the known outcome, in words
  std::vector<OptionInfo> options;   // physical parameters with units
  Scene (*make)(const OptionMap& parameters);
};

// Position of every driven joint at the start, one per entry of tau; joints of several velocities count from zero.
Vec start_posture(const World& world);
// Builds the simulator: compiles the world, sets PD and targets to the start posture.
Simulator make_simulator(const Scene& scene, const Settings& settings);

// Where the installed models/ folder is: STICTION_MODELS, beside the Python package, or the source tree.
std::string model_path(const std::string& file);
void set_model_directory(const std::string& directory);

}  // namespace stiction
