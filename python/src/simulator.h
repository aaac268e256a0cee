// SPDX-License-Identifier: BSD-2-Clause
// What Python's Simulator holds beside the engine's: the buffers that q and v show, a mutex, and a scene's drive.
#pragma once

#include <nanobind/stl/unique_ptr.h>
#include <stiction/sim/simulator.h>

#include <functional>
#include <memory>
#include <mutex>

#include "handles.h"

namespace stiction {
struct StepDerivatives;
}

namespace stiction::python {

struct Wrench {
  BodyId body;
  Vec3 force, torque;
  std::optional<Vec3> point;
};

using Drive = std::function<void(Simulator&, double)>;

// At the end of a step nothing waits in the engine: if it was refused, its wrenches wait in PySimulator, once.
struct DropWrenches {
  Simulator& engine;
  ~DropWrenches() { engine.clear_wrenches(); }
};

// A UserWarning; nothing if the sentence is empty.
inline void warn(const std::string& sentence) {
  if (!sentence.empty() && PyErr_WarnEx(PyExc_UserWarning, sentence.c_str(), 1) != 0) throw nb::python_error();
}

class PySimulator {
 public:
  explicit PySimulator(Simulator simulator, Drive drive = {}, double duration = 0.0, std::string scene = "");

  // Runs f(engine) alone, without the GIL. What Python wrote into q, v, ctrl and act goes in before, what f changed comes out after.
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

  // A wrench of the next step() call. It waits for a step() that another thread is in, without the GIL.
  void add_wrench(const Wrench& wrench) {
    nb::gil_scoped_release release;
    const std::lock_guard<std::mutex> lock(mutex_);
    wrenches.push_back(wrench);
  }

  StepReport step(const Vec& tau, int n);                 // inside run()
  StepReport follow(const Vec& tau, const Mat& targets);  // likewise; one column of targets per step
  // inside run(): of the next step, with pending wrenches and the scene's drive; nothing is changed
  std::vector<ContactProblem> problems(const Vec& tau, bool keep_bodies) const;
  // likewise; target and ctrl that are given act in place of those of the simulator.
  StepDerivatives derivatives(const Vec& tau, const std::optional<Vec>& target = {},
                              const std::optional<Vec>& asked = {}, double smooth = 0.0);
  const World& world() const { return engine_.world(); }                  // as stepped
  const World& minimal_world() const { return engine_.minimal_world(); }  // whose bodies the face names
  const Settings& settings() const { return engine_.settings(); }
  const Drive& drive() const { return drive_; }
  std::unique_ptr<PySimulator> clone();
  // The same world, q, v, time, PD and drive under other settings; absent ones stay.
  std::unique_ptr<PySimulator> variant(const std::optional<std::string>& law, const std::optional<std::string>& solver,
                                       const std::optional<std::string>& stepper, std::optional<double> dt);

  Vec q, v, ctrl, act;           // what sim.q and so on are views of; never reallocated
  std::vector<Wrench> wrenches;  // of the next step() call
  double duration = 0.0;         // a scene's usual length [s]
  std::string scene;
  OptionMap parameters;  // that the scene was asked for
  nb::object observer;   // a weak reference to what is told of every step (simulator_recording.cpp), or None

 private:
  void push();
  void pull();

  Simulator engine_;
  Drive drive_;
  std::mutex mutex_;
};

Settings read_settings(nb::handle law, nb::handle solver, nb::handle stepper, double dt, nb::handle law_options,
                       nb::handle solver_options, nb::handle stepper_options, const std::string& coordinates,
                       const std::vector<std::string>& cut);

bool is_table(const nb::object& x);  // a target for every step
StepReport step_alone(PySimulator& s, const ArrayLike& tau, const ArrayLike& target, int n,
                      double budget = 0.0);  // nobody is told
StepReport step_observed(PySimulator& s, const nb::object& observer, const ArrayLike& tau, const ArrayLike& target,
                         int n);

// An array that Python reads and writes in place, and what `sim.q = …` does.
inline auto view(Vec& x) {
  return nb::ndarray<nb::numpy, double, nb::ndim<1>>(x.data(), {static_cast<std::size_t>(x.size())});
}
void write_view(Vec& to, const ArrayLike& value, const char* field);

using SimulatorClass = nb::class_<PySimulator>;
void bind_simulator_state(SimulatorClass& c);
void bind_simulator_queries(SimulatorClass& c);
void bind_simulator_actuators(SimulatorClass& c);
void bind_simulator_contacts(SimulatorClass& c);
void bind_simulator_anchors(SimulatorClass& c);
void bind_simulator_derivatives(SimulatorClass& c);
void bind_simulator_contact_space(SimulatorClass& c);
void bind_simulator_coordinates(SimulatorClass& c);
void bind_simulator_recording(SimulatorClass& c);
void bind_simulator_geometry(SimulatorClass& c);
void bind_simulator_sensors(SimulatorClass& c);

}  // namespace stiction::python
