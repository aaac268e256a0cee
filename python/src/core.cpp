// SPDX-License-Identifier: BSD-2-Clause
// The extension module stiction._core.
#include <stiction/base/missing_file.h>
#include <stiction/base/utf8.h>

#include "bind.h"

#ifndef STICTION_VERSION
#define STICTION_VERSION "0"
#endif

NB_MODULE(_core, m) {
  using namespace stiction::python;
  m.doc() = "Compiled core of stiction. Import `stiction`, which carries the public names.";
  m.attr("version") = STICTION_VERSION;
  m.attr("compiler") = __VERSION__;
  const nb::exception<stiction::InvalidInput> invalid(m, "InvalidInput", PyExc_ValueError);
  invalid.attr("__doc__") =
      "Bad input, refused before anything changed; the sentence names field, value and what was wanted.";
  // Sentences may quote bytes of a file, or of its name.
  const auto translate = [](const std::exception_ptr& thrown, void* type) {
    try {
      std::rethrow_exception(thrown);
    } catch (const stiction::MissingFile& e) {
      PyErr_SetString(PyExc_FileNotFoundError, stiction::to_utf8(e.what()).c_str());
    } catch (const stiction::InvalidInput& e) {
      PyErr_SetString(static_cast<PyObject*>(type), stiction::to_utf8(e.what()).c_str());
    }
  };
  nb::register_exception_translator(translate, invalid.ptr());
  bind_report(m);
  bind_problem(m);
  bind_solve(m);
  bind_polish(m);
  bind_feasibility(m);
  bind_handles(m);
  bind_geoms(m);
  bind_ray_hit(m);
  bind_world(m);
  bind_step_derivatives(m);
  bind_contact_mode(m);
  bind_simulator(m);
  bind_rollout(m);
  bind_batch_report(m);
  bind_batch(m);
  bind_catalog(m);
  bind_scene(m);
  bind_recording(m);
  bind_raster(m);
  bind_paint(m);
  bind_reference(m);
  bind_derivatives(m);
  bind_inverse_dynamics(m);
}
