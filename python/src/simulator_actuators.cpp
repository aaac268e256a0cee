// SPDX-License-Identifier: BSD-2-Clause
// Actuators of a Simulator, and the forces of actuators, springs and dampers.
#include "simulator.h"

namespace stiction::python {
namespace {

template <class Query>
FloatArray forces(PySimulator& s, Query query) {
  const Vec x = s.run([&](Simulator& e) { return (e.*query)(); });
  return new_array(x.data(), static_cast<std::size_t>(x.size()));
}

FloatArray ctrl_limits(PySimulator& s) {
  const std::vector<Actuator>& actuators = s.minimal_world().actuators;
  Mat out(actuators.size(), 2);
  for (std::size_t i = 0; i < actuators.size(); ++i)
    out.row(static_cast<Eigen::Index>(i)) = actuators[i].ctrl_range.transpose();
  return new_matrix(out);
}

}  // namespace

void bind_simulator_actuators(SimulatorClass& c) {
  c.def_prop_rw(
       "ctrl", [](PySimulator& s) { return view(s.ctrl); },
       [](PySimulator& s, const ArrayLike& x) { write_view(s.ctrl, x, "Simulator.ctrl"); },
       nb::for_getter(nb::rv_policy::reference_internal),
       "What the actuators are asked for, a writable view: one entry per actuator, in the order of the file, robots "
       "in\n"
       "the order added. Kept from step to step; ranges of the file apply.")
      .def_prop_rw(
          "act", [](PySimulator& s) { return view(s.act); },
          [](PySimulator& s, const ArrayLike& x) { write_view(s.act, x, "Simulator.act"); },
          nb::for_getter(nb::rv_policy::reference_internal),
          "Activations of those actuators that have one (integrators, filters), a writable view.")
      .def_prop_ro("ctrl_limits", &ctrl_limits,
                   "(nu, 2): the range of each entry of ctrl, infinite where the file gives none")
      .def(
          "actuator_forces", [](PySimulator& s) { return forces(s, &Simulator::actuator_forces); },
          "Force of each actuator at the present state, within its force range [N, N m].")
      .def(
          "joint_actuation", [](PySimulator& s) { return forces(s, &Simulator::joint_actuation); },
          "Generalised forces of the actuators at the present state, one per entry of sim.v [N m, N].")
      .def(
          "passive_forces", [](PySimulator& s) { return forces(s, &Simulator::passive_forces); },
          "Generalised forces of springs, dampers, gravity compensation and fluid at the present state, one per entry\n"
          "of sim.v [N m, N]. Dry friction is not among them.");
}

}  // namespace stiction::python
