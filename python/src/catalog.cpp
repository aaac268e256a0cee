// SPDX-License-Identifier: BSD-2-Clause
// The catalogs as plain dictionaries; python/stiction/catalog.py turns them into entries.
#include <stiction/law/catalog.h>
#include <stiction/scene/catalog.h>
#include <stiction/scene/core/scene.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>
#include <stiction/step/catalog.h>

#include "bind.h"

namespace stiction::python {
namespace {

nb::list describe(const std::vector<OptionInfo>& options) {
  nb::list out;
  for (const OptionInfo& o : options) out.append(nb::make_tuple(o.name, to_python(o.default_value), o.doc));
  return out;
}

template <class Info>
nb::dict method(const Info& info) {
  nb::dict d;
  d["name"] = info.name, d["summary"] = info.summary, d["references"] = info.reference;
  d["failure_modes"] = info.failure_modes, d["options"] = describe(info.options);
  return d;
}

nb::dict read_catalog() {
  nb::list laws, solvers, steppers, scenes;
  for (const LawInfo& l : law_catalog()) {
    nb::dict d = method(l);
    d["kind"] = name(l.kind);
    laws.append(d);
  }
  for (const SolverInfo& s : solver_catalog()) {
    nb::dict d = method(s);
    nb::list solved;
    for (const auto kind : s.laws) solved.append(name(kind));
    d["laws"] = solved;
    solvers.append(d);
  }
  for (const StepperInfo& s : stepper_catalog()) steppers.append(method(s));
  for (const SceneInfo& s : scene_catalog()) {
    nb::dict d;
    d["name"] = s.name, d["summary"] = s.summary, d["truth"] = s.truth, d["options"] = describe(s.options);
    scenes.append(d);
  }
  nb::dict out;
  out["laws"] = laws, out["solvers"] = solvers, out["steppers"] = steppers, out["scenes"] = scenes;
  return out;
}

}  // namespace

void bind_catalog(nb::module_& m) {
  m.def("catalog", &read_catalog, "Laws, solvers, steppers and scenes as dictionaries; stiction.catalog documents it.");
}

}  // namespace stiction::python
