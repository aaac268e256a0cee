// SPDX-License-Identifier: BSD-2-Clause
// What stiction.recording needs of a simulator: its settings and world as data, and to be told of every step.
#include <stiction/model/world/world_blob.h>

#include "simulator.h"

namespace stiction::python {
namespace {

nb::dict to_dict(const OptionMap& options) {
  nb::dict out;
  for (const auto& [name, value] : options) out[name.c_str()] = to_python(value);
  return out;
}

nb::dict settings_dict(const Settings& s) {
  nb::dict out;
  out["law"] = s.law, out["solver"] = s.solver, out["stepper"] = s.stepper, out["dt"] = s.dt;
  out["law_options"] = to_dict(s.law_options), out["solver_options"] = to_dict(s.solver_options);
  out["stepper_options"] = to_dict(s.stepper_options), out["coordinates"] = s.coordinates, out["cut"] = s.cut;
  return out;
}

nb::list wrench_list(const std::vector<Wrench>& wrenches) {
  const auto tuple = [](const Vec3& x) { return nb::make_tuple(x.x(), x.y(), x.z()); };
  nb::list out;
  for (const Wrench& w : wrenches)
    out.append(
        nb::make_tuple(w.body, tuple(w.force), tuple(w.torque), w.point ? nb::object(tuple(*w.point)) : nb::none()));
  return out;
}

std::unique_ptr<PySimulator> simulator_of_world(const nb::bytes& world, const LawLike& law, const SolverLike& solver,
                                                const StepperLike& stepper, double dt, const OptionsLike& law_options,
                                                const OptionsLike& solver_options, const OptionsLike& stepper_options,
                                                const std::string& coordinates, const std::vector<std::string>& cut) {
  const auto* first = static_cast<const std::byte*>(world.data());
  const Settings s =
      read_settings(law, solver, stepper, dt, law_options, solver_options, stepper_options, coordinates, cut);
  return std::make_unique<PySimulator>(Simulator(load_world({first, first + world.size()}), s));
}

}  // namespace

// Step by step, so that the observer sees each one; wrenches last for the whole call as they do without it.
StepReport step_observed(PySimulator& s, const nb::object& observer, const ArrayLike& tau, const ArrayLike& target,
                         int n) {
  const bool table = is_table(target);
  const int rows = table ? static_cast<int>(nb::len(target)) : n;
  if (n < 1 || rows < 1 || (table && n != 1 && n != rows)) return step_alone(s, tau, target, n);  // says what is wrong
  const std::vector<Wrench> load = s.run([&](Simulator&) { return s.wrenches; });
  const nb::list wrenches = wrench_list(load);
  observer.attr("before")();
  StepReport total;
  for (int i = 0; i < rows; ++i) {
    s.run([&](Simulator&) { s.wrenches = load; });
    const ArrayLike wanted = table ? nb::borrow<ArrayLike>(nb::object(target[nb::slice(i, i + 1)])) : target;
    const StepReport r = step_alone(s, tau, wanted, 1);
    if (i == 0)
      total = r;
    else
      merge(total, r);
    observer.attr("after")(r, tau, wanted, wrenches);
    if (r.not_made()) break;  // the state stays at its last good value
  }
  return total;
}

void bind_simulator_recording(SimulatorClass& c) {
  c.def_prop_ro(
       "settings", [](const PySimulator& s) { return settings_dict(s.settings()); },
       "law, solver, stepper, dt, their options and coordinates, as Simulator takes them")
      .def_prop_ro(
          "parameters", [](const PySimulator& s) { return to_dict(s.parameters); },
          "physical parameters that the scene was asked for; empty without a scene")
      .def_prop_ro(
          "fingerprint", [](const PySimulator& s) { return s.world().fingerprint; },
          "A 64-bit number of the world's bits: equal worlds, equal numbers.")
      .def(
          "save_world",
          [](const PySimulator& s) {
            const auto bytes = save_world(s.minimal_world());
            return nb::bytes(bytes.data(), bytes.size());
          },
          "The compiled world as bytes, meshes included; stiction.recording makes simulators of it.")
      .def(
          "observe", [](PySimulator& s, nb::object observer) { s.observer = std::move(observer); }, "observer"_a.none(),
          "observer is a weak reference to an object with before() and after(report, tau, target, wrenches), which is "
          "told of "
          "every step,\n"
          "or None. stiction.record uses it.");
}

void bind_recording(nb::module_& m) {
  m.def("simulator_of_world", &simulator_of_world, "world"_a, "law"_a, "solver"_a, "stepper"_a, "dt"_a, "law_options"_a,
        "solver_options"_a, "stepper_options"_a, "coordinates"_a, "cut"_a = std::vector<std::string>(),
        "A simulator of the bytes of Simulator.save_world().");
}

}  // namespace stiction::python
