// SPDX-License-Identifier: BSD-2-Clause
// Reports and residuals. A status is its name, a plain string.
#include <stiction/sim/simulator.h>
#include <stiction/solver/core/solver.h>

#include <sstream>

#include "bind.h"

namespace stiction::python {
namespace {

nb::dict residual_dict(const Residual& r) {
  nb::dict d;
  d["primal"] = r.primal, d["dual"] = r.dual, d["complementarity"] = r.complementarity;
  d["signorini_power"] = r.signorini_power, d["signorini_velocity"] = r.signorini_velocity;
  d["natural"] = r.natural, d["mdp_angle"] = r.mdp_angle, d["mdp_defect"] = r.mdp_defect;
  d["b3"] = r.b3, d["b4"] = r.b4, d["force_scale"] = r.force_scale, d["velocity_scale"] = r.velocity_scale;
  d["floor"] = r.floor, d["ratio"] = r.ratio;
  return d;
}

std::string residual_text(const Residual& r) {
  std::ostringstream s;
  s << "Residual(natural=" << r.natural << " N, primal=" << r.primal << " N, dual=" << r.dual
    << " m/s, complementarity=" << r.complementarity << " W, b3=" << r.b3 << ", ratio=" << r.ratio << ")";
  return s.str();
}

// A Report has no room for it: solve() hangs it on the Python object, so that those who do not ask pay nothing.
nb::object read_history(nb::handle self) { return nb::getattr(self, "_history", nb::none()); }

void bind_residual(nb::module_& m) {
  nb::class_<Residual>(m, "Residual",
                       "What the judge found: how far an impulse is from solving its problem.\n\n"
                       "Made only by `evaluate`, never by a solver. `ratio` <= 1 means accepted.")
      .def_ro("primal", &Residual::primal, "distance of the impulse from its set, as a force [N]")
      .def_ro("dual", &Residual::dual, "distance of the velocity from the dual set [m/s]")
      .def_ro("complementarity", &Residual::complementarity, "|<impulse, velocity>| per time [W]")
      .def_ro("signorini_power", &Residual::signorini_power, "|normal force x normal velocity| [W]")
      .def_ro("signorini_velocity", &Residual::signorini_velocity, "approaching normal velocity left over [m/s]")
      .def_ro("natural", &Residual::natural, "natural map |x - P(x - rho u)|, as a force [N]")
      .def_ro("mdp_angle", &Residual::mdp_angle, "angle between friction and -slip while sliding [rad]")
      .def_ro("mdp_defect", &Residual::mdp_defect, "dissipation missing from the maximum [W]")
      .def_ro("b3", &Residual::b3, "scaled natural map, relative [-]")
      .def_ro("b4", &Residual::b4, "largest of De Saxce's triple, relative [-]")
      .def_ro("force_scale", &Residual::force_scale, "scale of the forces [N]")
      .def_ro("velocity_scale", &Residual::velocity_scale, "scale of the velocities [m/s]")
      .def_ro("floor", &Residual::floor, "round-off floor of the velocity errors [m/s]")
      .def_ro("ratio", &Residual::ratio, "largest error over what the tolerance allows; <= 1 is accepted")
      .def_prop_ro("accepted", &Residual::accepted, "True if every error is within the tolerance")
      .def("to_dict", &residual_dict, "All numbers by name.")
      .def("__repr__", &residual_text);
}

}  // namespace

void bind_report(nb::module_& m) {
  bind_residual(m);
  nb::class_<Report>(m, "Report", nb::dynamic_attr(),
                     "How one solve ended. `status == \"converged\"` means the judge accepted the result.")
      .def_prop_ro(
          "status", [](const Report& r) { return name(r.status); },
          "converged, stalled, max_iterations, infeasible, numerical_failure or invalid_problem")
      .def_prop_ro(
          "ok", [](const Report& r) { return r.status == Status::converged; },
          "True if the judge accepted the result: status == 'converged'")
      .def_ro("iterations", &Report::iterations, "iterations of the method, summed over its stages")
      .def_ro("factorisations", &Report::factorisations, "matrix factorisations")
      .def_ro("own", &Report::own, "residual under the problem's own law")
      .def_ro("ncp", &Report::ncp, "residual under exact rigid Coulomb; the gap to `own` is the price of the model")
      .def_prop_ro(
          "path", [](const Report& r) { return std::string(r.path); }, "stages taken, e.g. nsgs>ppa_newton")
      .def_ro("regularised", &Report::regularised,
              "residual with the R that the solver itself added (newton); zero elsewhere. Never decides the status")
      .def_ro("cycle", &Report::cycle,
              "period in sweeps of the limit cycle in which nsgs or pgs was caught (status stalled), 0 if in none")
      .def_prop_ro("history", &read_history, nb::sig("def history(self) -> numpy.ndarray | None"),
                   "what the judge found at every iteration, if solve() was asked for it, else None: a structured\n"
                   "array of iteration, seconds (of the solver, without the judge), natural, primal, dual,\n"
                   "complementarity, b3, b4 and ratio")
      .def("__repr__", [](const Report& r) {
        return "Report(status='" + std::string(name(r.status)) + "', iterations=" + std::to_string(r.iterations) +
               ", path='" + r.path + "', own=" + residual_text(r.own) + ")";
      });
  nb::class_<StepReport>(m, "StepReport",
                         "How step() went: the worst status, the largest residuals, summed iterations of its n steps.")
      .def_prop_ro(
          "status", [](const StepReport& r) { return name(r.status); },
          "converged, stalled, max_iterations, infeasible, numerical_failure, invalid_problem or unphysical")
      .def_prop_ro(
          "ok", [](const StepReport& r) { return r.unaccepted == 0 && r.status == Status::converged; },
          "True if every step was accepted by the judge")
      .def_ro("iterations", &StepReport::iterations, "solver iterations, summed")
      .def_ro("factorisations", &StepReport::factorisations, "matrix factorisations, summed")
      .def_ro("steps", &StepReport::steps, "steps made")
      .def_ro("unaccepted", &StepReport::unaccepted, "steps that the judge did not accept")
      .def_ro("contacts", &StepReport::contacts, "contact points of the last step")
      .def_ro("islands", &StepReport::islands, "separate contact problems of the last step")
      .def_ro("own", &StepReport::own, "largest residuals under the chosen law")
      .def_ro("ncp", &StepReport::ncp, "largest residuals under exact rigid Coulomb")
      .def_ro("penetration", &StepReport::penetration, "deepest overlap met [m]")
      .def_ro("fallbacks", &StepReport::fallbacks,
              "stewart_trinkle: contact problems that the solver failed on and the fallback solved")
      .def_ro("corrections_dropped", &StepReport::corrections_dropped,
              "contact problems solved with less drift correction than the law asks for, or with none")
      .def_ro("turning_bounded", &StepReport::turning_bounded,
              "steps made with bounded Coriolis and centrifugal forces: something turns by a radian and more in them")
      .def_ro("excess", &StepReport::excess,
              "status 'unphysical': energy that the step would have had beyond what was given to it [J]")
      .def_ro("imbalance", &StepReport::imbalance,
              "moreau, with energy_balance: largest error in the energy of a step, before it was taken out [J]")
      .def_ro("substeps", &StepReport::substeps, "soft contacts: parts that the steps were made in")
      .def_ro("switches", &StepReport::switches,
              "soft contacts, with switch_refinement: parts at whose end other contacts were active")
      .def_ro("exact_solves", &StepReport::exact_solves,
              "exponential, approximant 'auto': contact problems that needed the exact exponential")
      .def_ro("estimate", &StepReport::estimate, "exponential: largest error estimate [m/s, rad/s]")
      .def("__repr__", [](const StepReport& r) {
        return "StepReport(status='" + std::string(name(r.status)) + "', steps=" + std::to_string(r.steps) +
               ", unaccepted=" + std::to_string(r.unaccepted) + ", contacts=" + std::to_string(r.contacts) +
               ", iterations=" + std::to_string(r.iterations) + ", ncp=" + residual_text(r.ncp) + ")";
      });
  nb::class_<Energy>(m, "Energy", "Mechanical energy [J]; potential energy is zero at the world's origin.")
      .def_ro("kinetic", &Energy::kinetic, "[J]")
      .def_ro("potential", &Energy::potential, "[J]")
      .def_prop_ro("total", &Energy::total, "kinetic + potential [J]")
      .def("__float__", &Energy::total)
      .def("__repr__", [](const Energy& e) {
        std::ostringstream s;
        s << "Energy(kinetic=" << e.kinetic << ", potential=" << e.potential << ")";
        return s.str();
      });
}

}  // namespace stiction::python
