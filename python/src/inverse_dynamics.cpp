// SPDX-License-Identifier: BSD-2-Clause
// st.inverse_dynamics: torques and contact impulses that make the next step end at a wanted velocity.
#include <nanobind/stl/pair.h>
#include <stiction/sim/inverse_dynamics.h>

#include "simulator.h"

namespace stiction::python {
namespace {

InverseSolution solve(PySimulator& s, const ArrayLike& v_ref, double compliance) {
  const Vec wanted = read_vector(v_ref, "inverse_dynamics.v_ref", s.world().nv);
  std::vector<stiction::Wrench> wrenches;
  for (const Wrench& w : s.run([&](Simulator&) { return s.wrenches; }))
    wrenches.push_back({w.body, w.force, w.torque, w.point.value_or(Vec3::Zero()), !w.point.has_value()});
  InverseOptions options;
  options.compliance = compliance;
  return s.run([&](Simulator& e) { return InverseDynamics(e).solve(e.state(), wanted, options, wrenches); });
}

using Member = Vec3 InverseContact::*;

// One row per contact.
FloatArray table(const InverseSolution& r, Member member) {
  Mat out(static_cast<Eigen::Index>(r.contacts.size()), 3);
  for (std::size_t i = 0; i < r.contacts.size(); ++i)
    out.row(static_cast<Eigen::Index>(i)) = (r.contacts[i].*member).transpose();
  return new_matrix(out);
}

FloatArray gaps(const InverseSolution& r) {
  Vec out(static_cast<Eigen::Index>(r.contacts.size()));
  for (std::size_t i = 0; i < r.contacts.size(); ++i) out[static_cast<Eigen::Index>(i)] = r.contacts[i].gap;
  return new_array(out);
}

std::vector<std::pair<int, int>> bodies(const InverseSolution& r) {
  std::vector<std::pair<int, int>> out;
  for (const InverseContact& c : r.contacts) out.emplace_back(c.body_a, c.body_b);
  return out;
}

void bind_contacts(nb::class_<InverseSolution>& c) {
  c.def_prop_ro(
       "impulse", [](const InverseSolution& r) { return table(r, &InverseContact::impulse); },
       "(contacts, 3) impulses (T1, T2, N) in the contacts' own frames [N s]")
      .def_prop_ro(
          "force", [](const InverseSolution& r) { return table(r, &InverseContact::force); },
          "(contacts, 3) forces on body_b, world axes [N]; the opposite acts on body_a")
      .def_prop_ro(
          "point", [](const InverseSolution& r) { return table(r, &InverseContact::point); },
          "(contacts, 3) contact points [m]")
      .def_prop_ro(
          "normal", [](const InverseSolution& r) { return table(r, &InverseContact::normal); },
          "(contacts, 3) normals, from body_a to body_b")
      .def_prop_ro("gap", &gaps, "(contacts,) gaps, negative is overlap [m]")
      .def_prop_ro("bodies", &bodies, "(body_a, body_b) per contact; -1 is the world");
}

}  // namespace

void bind_inverse_dynamics(nb::module_& m) {
  nb::class_<InverseSolution> c(m, "InverseSolution", "What inverse_dynamics hands back.");
  c.def_prop_ro(
       "status", [](const InverseSolution& r) { return name(r.status); },
       "converged, or max_iterations if the contacts did not settle")
      .def_ro("iterations", &InverseSolution::iterations, "rounds of assembly, as a rule 2")
      .def_prop_ro(
          "tau", [](const InverseSolution& r) { return new_array(r.tau); },
          "(ntau,) joint torques as step() takes them, before effort limits and without PD [N m, N]")
      .def_prop_ro(
          "base_residual", [](const InverseSolution& r) { return new_array(r.base_residual); },
          "(nv - ntau,) forces on free bodies and floating bases that nothing supplies, in the body's own frame\n"
          "(linear, angular); zero if v_ref can be reached by tau alone [N, N m]")
      .def_prop_ro(
          "generalised", [](const InverseSolution& r) { return new_array(r.generalised); },
          "(nv,) tau and base_residual together, in the order of sim.v")
      .def_prop_ro(
          "constraint", [](const InverseSolution& r) { return new_array(r.constraint); },
          "(nv,) generalised force of contacts, loops, limits and joint friction, in the order of sim.v")
      .def("__repr__", [](const InverseSolution& r) {
        return "InverseSolution(status='" + std::string(name(r.status)) +
               "', iterations=" + std::to_string(r.iterations) + ", contacts=" + std::to_string(r.contacts.size()) +
               ")";
      });
  bind_contacts(c);
  m.def(
      "inverse_dynamics", &solve, "sim"_a, "v_ref"_a, "compliance"_a = 0.05,
      "Joint torques and contact impulses that make the next step of `sim` end at the velocity v_ref.\n\n"
      "Uses the simulator's own contacts, law (coulomb or convex), dt and pending wrenches at its present state, and\n"
      "changes nothing. Contacts are compliant: u = J v_ref - c* + R impulse obeys the law.\n\n"
      "Parameters\n----------\n"
      "sim : Simulator\n"
      "v_ref : (nv,) velocity after the step, as sim.v will read then\n"
      "compliance : R > 0 of rows whose material is rigid, and of all friction rows [1/kg]\n\n"
      "Returns\n-------\n"
      "InverseSolution: tau, base_residual, impulse, force, status, iterations, ...\n\n"
      "Rigid contacts leave no trace of their impulse in the velocity; see docs/derivatives.md.");
}

}  // namespace stiction::python
