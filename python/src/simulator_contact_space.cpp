// SPDX-License-Identifier: BSD-2-Clause
// contact_space(): how the touching points of the law `relaxed` answer to forces.
#include <stiction/sim/contact_space_query.h>

#include "simulator.h"

namespace stiction::python {

void bind_simulator_contact_space(SimulatorClass& c) {
  c.def(
      "contact_space",
      [](PySimulator& s, int repeat) {
        const ContactSpaceView view = s.run([repeat](Simulator& e) { return contact_space(e, repeat); });
        nb::dict out;
        out["A"] = new_matrix(view.A), out["a0"] = new_array(view.a0), out["J"] = new_matrix(view.J);
        out["seconds"] = view.seconds;
        return out;
      },
      "repeat"_a = 1,
      "Law 'relaxed': the points that touch at the present q and v, and their answer to contact forces f: a = A f + "
      "a0.\n\n"
      "A : (3m, 3m) by unit forces, rows (T1, T2, N) per point [1/kg]\n"
      "a0 : (3m,) accelerations without contact [m/s^2]\n"
      "J : (3m, nv) rows of the points; A = J M^-1 J^T\n"
      "seconds : processor time of one evaluation, over `repeat` of them");
}

}  // namespace stiction::python
