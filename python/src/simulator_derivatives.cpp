// SPDX-License-Identifier: BSD-2-Clause
// step_derivatives(): dx⁺/dx and dx⁺/dτ of the exponential step.
#include <stiction/step/exponential/exponential_derivatives.h>

#include <sstream>

#include "simulator.h"

namespace stiction::python {
namespace {

std::string text_of(const StepDerivatives& d) {
  std::ostringstream s;
  s << "StepDerivatives(nv=" << d.by_all.rows() / 2 << ", ntau=" << d.by_all.cols() - d.by_all.rows()
    << ", points=" << d.mode.size() << ", exact=" << (d.exact ? "True" : "False") << ")";
  return s.str();
}

StepDerivatives derivatives(PySimulator& s, const ArrayLike& tau) {
  const Vec torque = tau.is_none() ? Vec() : read_vector(tau, "step_derivatives.tau", s.world().ntau);
  StepDerivatives out = s.run([&](Simulator&) { return s.derivatives(torque); });
  if (out.status != Status::converged)
    throw InvalidInput("step_derivatives: the step from here is not finite, so it has no derivative");
  return out;
}

}  // namespace

void bind_step_derivatives(nb::module_& m) {
  nb::class_<StepDerivatives>(
      m, "StepDerivatives",
      "Derivatives of one exponential step by the state and the torques, inside its contact mode.\n\n"
      "Columns and rows: q in Pinocchio's tangent (base translation and rotation in base axes,\n"
      "then joints), v, and for du the torques.")
      .def_prop_ro(
          "dx", [](const StepDerivatives& d) { return new_matrix(d.dx()); },
          "(2 nv, 2 nv): state after by state before")
      .def_prop_ro(
          "du", [](const StepDerivatives& d) { return new_matrix(d.du()); }, "(2 nv, ntau): state after by torques")
      .def_prop_ro(
          "dforce", [](const StepDerivatives& d) { return new_matrix(d.dforce); },
          "(rows, 2 nv + ntau): average forces by (q, v, tau); rows (T1, T2, N) per point, one per joint limit [N]")
      .def_prop_ro(
          "mode",
          [](const StepDerivatives& d) {
            std::vector<std::string> out;
            for (const PointMode& mode : d.mode) out.push_back(describe(mode));
            return out;
          },
          "per point 'held', or where its force lies at the start / its average / its double average:\n"
          "stick, slip or clipped; 'new' if the step begins with it. Points as in anchors(), then joint limits")
      .def_ro(
          "exact", &StepDerivatives::exact,
          "False where terms are missing: contacts between moving bodies or on round static ones, cylinders, meshes;\n"
          "steps that switch_refinement would divide")
      .def("__repr__", &text_of);
}

void bind_simulator_derivatives(SimulatorClass& c) {
  c.def("step_derivatives", &derivatives, "tau"_a = nb::none(),
        "Derivatives of the step from here with torques tau (stepper 'exponential', approximants 1/1 to 2/3).\n\n"
        "With the wrenches that apply_wrench left for it. The state is not changed.\n\n"
        "Returns\n-------\nStepDerivatives: dx, du, dforce, mode, exact");
}

}  // namespace stiction::python
