// SPDX-License-Identifier: BSD-2-Clause
// contact_space(): how the touching points of the law `relaxed` answer to forces.
#include <stiction/sim/contact_space_query.h>

#include "simulator.h"

namespace stiction::python {

void bind_simulator_contact_space(SimulatorClass& c) {
  c.def(
      "contact_space",
      [](PySimulator& s) {
        const auto view = s.run([](Simulator& e) { return ContactSpaceQuery(e).view(); });
        nb::dict out;
        out["A"] = new_matrix(view.A), out["a0"] = new_array(view.a0), out["J"] = new_matrix(view.J);
        return out;
      },
      "Law 'relaxed': the points that touch at the present q and v, and their answer to contact forces f: a = A f + "
      "a0.\n\n"
      "A : (3m, 3m) by unit forces, rows (T1, T2, N) per point [1/kg]\n"
      "a0 : (3m,) accelerations without contact [m/s^2]\n"
      "J : (3m, nv) rows of the points; A = J M^-1 J^T");
  c.def(
      "_contact_space_evaluator",
      [](PySimulator& s) {
        auto query = s.run([](Simulator& e) { return std::make_shared<ContactSpaceQuery>(e); });
        return nb::cpp_function([query] { query->evaluate(); });
      },
      "For measurements: a function that evaluates A and a0 of contact_space() at the present q and v once more.");
}

}  // namespace stiction::python
