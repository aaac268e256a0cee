// SPDX-License-Identifier: BSD-2-Clause
// Whether a problem can be solved at all, and why an impulse does not solve it.
#include <stiction/solver/diagnose/diagnosis.h>

#include <cmath>
#include <string>
#include <vector>

#include "bind.h"

namespace stiction::python {
namespace {

nb::object array_or_none(const Vec& x) { return x.size() > 0 ? nb::object(new_array(x)) : nb::none(); }

nb::dict violation_dict(const Violation& o) {
  nb::dict d;
  d["block"] = o.block, d["component"] = name(o.component), d["amount"] = o.amount, d["relative"] = o.relative;
  return d;
}

nb::dict wedge_dict(const Wedge& w) {
  nb::dict d;
  nb::list blocks;
  blocks.append(w.first);
  if (w.second >= 0) blocks.append(w.second);
  d["blocks"] = blocks, d["inside"] = w.inside, d["closing"] = w.closing;
  return d;
}

template <class Item>
nb::list list_of(const std::vector<Item>& items, nb::dict (*convert)(const Item&)) {
  nb::list out;
  for (const Item& item : items) out.append(convert(item));
  return out;
}

nb::dict diagnosis_dict(const Diagnosis& d) {
  nb::dict out;
  out["verdict"] = name(d.verdict), out["sentence"] = d.sentence, out["blocks"] = nb::cast(d.blocks);
  out["groups"] = nb::cast(d.groups), out["closing_speed"] = d.closing_speed;
  out["violations"] = list_of(d.violations, &violation_dict), out["wedges"] = list_of(d.wedges, &wedge_dict);
  return out;
}

Diagnosis diagnose_impulse(const ContactProblem& problem, const ArrayLike& impulse, double tolerance) {
  if (!(tolerance > 0.0) || !std::isfinite(tolerance))
    throw InvalidInput("diagnose.tolerance is " + std::to_string(tolerance) + ", expected a number > 0");
  const Vec lambda = read_vector(impulse, "diagnose.impulse", problem.rows());
  Tolerance t;
  t.relative = tolerance;
  nb::gil_scoped_release release;
  return diagnose(problem, lambda, t);
}

void bind_check(nb::module_& m) {
  nb::class_<Feasibility>(m, "Feasibility",
                          "Whether any velocity satisfies all constraints; made by `check_feasibility`.")
      .def_prop_ro(
          "verdict", [](const Feasibility& f) { return std::string(name(f.verdict)); },
          "feasible (proven, with a strict witness), infeasible (proven, by a certificate) or undecided")
      .def_prop_ro(
          "velocity", [](const Feasibility& f) { return array_or_none(f.velocity); },
          nb::sig("def velocity(self) -> numpy.typing.NDArray[numpy.float64] | None"),
          "feasible: a velocity strictly inside of all constraints [m/s], else None. Rows with compliance are not read")
      .def_prop_ro(
          "impulse", [](const Feasibility& f) { return array_or_none(f.impulse); },
          nb::sig("def impulse(self) -> numpy.typing.NDArray[numpy.float64] | None"),
          "feasible: the impulse with velocity = G impulse + g [N s]; it obeys no friction law")
      .def_ro("margin", &Feasibility::margin, "feasible: least u_N - mu |u_T| over the contacts [m/s]")
      .def_prop_ro(
          "certificate", [](const Feasibility& f) { return array_or_none(f.certificate); },
          nb::sig("def certificate(self) -> numpy.typing.NDArray[numpy.float64] | None"),
          "infeasible: y with G y = 0 and g.y < 0, normalised to sum |y| = 1 over the one-sided rows; else None")
      .def_ro("closing_speed", &Feasibility::closing_speed,
              "infeasible: -g.y; at least one row of the certificate closes that fast, whatever the impulses [m/s]")
      .def_ro("leak", &Feasibility::leak, "infeasible: |G y| / |y|, dimensionless; at most 1e-11")
      .def_ro("push", &Feasibility::push, "infeasible: -g.y / |y|, dimensionless; at least 1e-9 and 1000 leak")
      .def_prop_ro(
          "jammed", [](const Feasibility& f) { return array_or_none(f.jammed); },
          nb::sig("def jammed(self) -> numpy.typing.NDArray[numpy.float64] | None"),
          "undecided: an impulse inside of the friction cones that moves nothing, if that is the reason; else None")
      .def("__repr__",
           [](const Feasibility& f) { return "Feasibility(verdict='" + std::string(name(f.verdict)) + "')"; });
  m.def(
      "check_feasibility",
      [](const ContactProblem& problem) {
        nb::gil_scoped_release release;
        return check_feasibility(problem);
      },
      "problem"_a,
      "Can any velocity u = G x + g of a problem satisfy all constraints (contacts and limits not closing, joints at "
      "rest)?\n\n"
      "infeasible: no friction law has a solution. feasible: Coulomb's law and its convex relaxation have one.\n"
      "undecided: neither could be proven beyond round-off; always so for general LCPs.");
}

}  // namespace

void bind_feasibility(nb::module_& m) {
  bind_check(m);
  nb::class_<Diagnosis>(
      m, "Diagnosis",
      "Why an impulse does not solve its problem; made by `diagnose`. Blocks are numbers in problem.blocks.")
      .def_prop_ro(
          "verdict", [](const Diagnosis& d) { return std::string(name(d.verdict)); },
          "solved; infeasible (proven: no velocity satisfies all constraints); jammed (contacts press against each "
          "other\n"
          "through what cannot move, a solution need not exist); unsolved (nothing stands in the way: the solver is "
          "to\n"
          "blame); undecided")
      .def_ro("sentence", &Diagnosis::sentence, "the diagnosis in words")
      .def_ro("blocks", &Diagnosis::blocks, "the offending blocks: those of the certificate or jam, else worst first")
      .def_ro("groups", &Diagnosis::groups,
              "velocity groups (a body, a robot) that several of `blocks` push; body space only")
      .def_ro("closing_speed", &Diagnosis::closing_speed,
              "infeasible: at least one of `blocks` closes that fast, whatever the impulses [m/s]")
      .def_prop_ro(
          "violations", [](const Diagnosis& d) { return list_of(d.violations, &violation_dict); },
          nb::sig("def violations(self) -> list[dict[str, typing.Any]]"),
          "the ten worst blocks of the impulse given: block, component (penetration, cone, separation, slip, joint, "
          "bound),\n"
          "amount [m/s; N s for cone], relative")
      .def_prop_ro(
          "wedges", [](const Diagnosis& d) { return list_of(d.wedges, &wedge_dict); },
          nb::sig("def wedges(self) -> list[dict[str, typing.Any]]"),
          "contacts and pairs of contacts with impulses in their friction cones that move nothing: blocks, inside (not "
          "on\n"
          "the boundary of a cone), closing [m/s] (above 0: the free velocity runs into the wedge)")
      .def_prop_ro(
          "y", [](const Diagnosis& d) { return array_or_none(d.y); },
          nb::sig("def y(self) -> numpy.typing.NDArray[numpy.float64] | None"), "certificate or jam by row, else None")
      .def_ro("residual", &Diagnosis::residual, "what the judge says about the impulse given")
      .def("to_dict", &diagnosis_dict, nb::sig("def to_dict(self) -> dict[str, typing.Any]"), "For JSON.")
      .def("__repr__", [](const Diagnosis& d) {
        return "Diagnosis(verdict='" + std::string(name(d.verdict)) + "', sentence='" + d.sentence + "')";
      });
  m.def("diagnose", &diagnose_impulse, "problem"_a, "impulse"_a, "tolerance"_a = 1e-8,
        "Say why an impulse does not solve its problem, and which contacts are to blame.\n\n"
        "Parameters\n----------\n"
        "problem : ContactProblem\n"
        "impulse : (rows,) what a solver returned [N s]\n"
        "tolerance : relative tolerance of the judge\n\n"
        "Returns\n-------\n"
        "Diagnosis with verdict, blocks, sentence.");
}

}  // namespace stiction::python
