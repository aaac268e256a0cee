// SPDX-License-Identifier: BSD-2-Clause
// Runs a scene the way the command line does: drive, step, look.
#pragma once

#include <gtest/gtest.h>
#include <stiction/scene/core/scene.h>

#include <cmath>
#include <cstdlib>
#include <string>

namespace stiction::test {

// Long versions of a test: STICTION_FULL=1.
inline bool full_run() {
  const char* value = std::getenv("STICTION_FULL");
  return value != nullptr && std::string(value) == "1";
}

// The larger of two numbers, or NaN if either is: std::max would lose it.
inline double worst(double a, double b) { return a >= b || std::isnan(a) ? a : b; }

inline Settings settings_for(const std::string& law, double dt, const OptionMap& law_options = {},
                             const std::string& solver = "auto", const OptionMap& solver_options = {}) {
  Settings s;
  s.law = law;
  s.solver = solver;
  s.dt = dt;
  s.law_options = law_options;
  s.solver_options = solver_options;
  return s;
}

class Play {
 public:
  explicit Play(const Scene& scene) : Play(scene, settings_for("coulomb", scene.dt)) {}
  Play(const Scene& scene, const Settings& settings) : sim(make_simulator(scene, settings)), drive_(scene.drive) {}

  StepReport step() {
    if (drive_) drive_(sim, sim.state().time);
    const StepReport report = sim.step();
    unaccepted += report.unaccepted;
    iterations += report.iterations;
    return report;
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) step();
  }

  Vec3 position(BodyId body) const { return sim.pose(body).translation; }
  // World axes; free bodies whose centre of mass is their origin.
  Vec3 velocity(BodyId body) const { return sim.pose(body).rotation * sim.state().v.segment<3>(first(body)); }
  Vec3 spin(BodyId body) const { return sim.pose(body).rotation * sim.state().v.segment<3>(first(body) + 3); }
  bool finite() const { return sim.state().q.allFinite() && sim.state().v.allFinite(); }

  Simulator sim;
  int unaccepted = 0;
  long iterations = 0;

 private:
  int first(BodyId body) const { return sim.world().bodies[static_cast<std::size_t>(body)].v; }
  std::function<void(Simulator&, double)> drive_;
};

}  // namespace stiction::test
