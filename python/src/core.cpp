// SPDX-License-Identifier: BSD-2-Clause
// The extension module stiction._core.
#include <stiction/base/missing_file.h>

#include "bind.h"

#ifndef STICTION_VERSION
#define STICTION_VERSION "0"
#endif

NB_MODULE(_core, m) {
  using namespace stiction::python;
  m.doc() = "Compiled core of stiction. Import `stiction`, which carries the public names.";
  m.attr("version") = STICTION_VERSION;
  m.attr("compiler") = __VERSION__;
  nb::exception<stiction::InvalidInput>(m, "InvalidInput", PyExc_ValueError).attr("__doc__") =
      "Bad input, refused before anything changed; the sentence names field, value and what was wanted.";
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const stiction::MissingFile& e) {
      PyErr_SetString(PyExc_FileNotFoundError, e.what());
    }
  });
  bind_report(m);
  bind_problem(m);
  bind_solve(m);
  bind_polish(m);
  bind_feasibility(m);
  bind_handles(m);
  bind_geoms(m);
  bind_world(m);
  bind_step_derivatives(m);
  bind_contact_mode(m);
  bind_simulator(m);
  bind_rollout(m);
  bind_catalog(m);
  bind_scene(m);
  bind_recording(m);
  bind_raster(m);
  bind_paint(m);
  bind_reference(m);
  bind_derivatives(m);
  bind_inverse_dynamics(m);
}
