// SPDX-License-Identifier: BSD-2-Clause
// What Python's Simulator holds beside the engine's: the buffers that q and v show, a mutex, and a scene's drive.
#pragma once

#include <nanobind/stl/unique_ptr.h>
#include <stiction/sim/simulator.h>

#include <functional>
#include <memory>
#include <mutex>

#include "handles.h"

namespace stiction::python {

struct Wrench {
  BodyId body;
  Vec3 force, torque;
  std::optional<Vec3> point;
};

using Drive = std::function<void(Simulator&, double)>;

class PySimulator {
 public:
  explicit PySimulator(Simulator simulator, Drive drive = {}, double duration = 0.0, std::string scene = "");

  // Runs f(engine) alone, without the GIL. What Python wrote into q and v goes in before, what f changed comes out after.
  template <class F>
  auto run(F f) {
    nb::gil_scoped_release release;
    const std::lock_guard<std::mutex> lock(mutex_);
    push();
    struct Pull {
      PySimulator& self;
      ~Pull() { self.pull(); }
    } pull_at_end{*this};
    return f(engine_);
  }

  StepReport step(const Vec& tau, int n);                 // inside run()
  StepReport follow(const Vec& tau, const Mat& targets);  // likewise; one column of targets per step
  // inside run(): of the next step, with pending wrenches and the scene's drive; nothing is changed
  std::vector<ContactProblem> problems(const Vec& tau, bool keep_bodies) const;
  const World& world() const { return engine_.world(); }
  const Settings& settings() const { return engine_.settings(); }
  std::unique_ptr<PySimulator> clone();

  Vec q, v;                      // what sim.q and sim.v are views of; never reallocated
  std::vector<Wrench> wrenches;  // of the next step() call
  double duration = 0.0;         // a scene's usual length [s]
  std::string scene;

 private:
  void push();
  void pull();

  Simulator engine_;
  Drive drive_;
  std::mutex mutex_;
};

Settings read_settings(const std::string& law, const std::string& solver, const std::string& stepper, double dt,
                       const nb::dict& law_options, const nb::dict& solver_options, const nb::dict& stepper_options,
                       const std::string& coordinates);

using SimulatorClass = nb::class_<PySimulator>;
void bind_simulator_queries(SimulatorClass& c);
void bind_simulator_contacts(SimulatorClass& c);

}  // namespace stiction::python
