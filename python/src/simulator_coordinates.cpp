// SPDX-License-Identifier: BSD-2-Clause
// Minimal coordinates of a simulator with cut joints, and how far its loops have come apart.
#include "simulator.h"

namespace stiction::python {

void bind_simulator_coordinates(SimulatorClass& c) {
  c.def(
       "minimal_state",
       [](PySimulator& s) {
         const auto [q, v] = s.run([](Simulator& e) { return e.minimal_state(); });
         return nb::make_tuple(new_array(q), new_array(v));
       },
       "(q, v) in minimal coordinates, measured from the bodies; copies of sim.q and sim.v if no joint is cut.")
      .def(
          "set_minimal_state",
          [](PySimulator& s, const ArrayLike& q, const ArrayLike& v) {
            const Vec position = read_vector(q, "set_minimal_state.q", s.minimal_world().nq);
            const Vec velocity = read_vector(v, "set_minimal_state.v", s.minimal_world().nv);
            s.run([&](Simulator& e) { e.set_minimal_state(position, velocity); });
          },
          "q"_a, "v"_a, "Place all bodies as q and v of minimal coordinates say; cut joints are closed then.")
      .def(
          "bilateral_drift",
          [](PySimulator& s) {
            const Simulator::Drift d = s.run([](Simulator& e) { return e.bilateral_drift(); });
            return nb::make_tuple(d.position, d.angle);
          },
          "(position [m], angle [rad]): how far the rigid loop, or cut joint, that is worst has come apart.");
}

}  // namespace stiction::python
