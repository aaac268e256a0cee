// SPDX-License-Identifier: BSD-2-Clause
// step_derivatives(): dx⁺/dx and dx⁺/du of a step.
#include <nanobind/stl/tuple.h>
#include <stiction/step/report/step_derivatives.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <tuple>

#include "simulator.h"

namespace stiction::python {
namespace {

std::string text_of(const StepDerivatives& d) {
  std::ostringstream s;
  s << "StepDerivatives(nv=" << d.by_all.rows() / 2 << ", ntau=" << d.ntau << (d.rows.empty() ? ", points=" : ", rows=")
    << std::max(d.mode.size(), d.rows.size()) << ", exact=" << (d.exact ? "True" : "False") << ")";
  return s.str();
}

// Rows and columns q, v, then those of the anchors.
RowMat state_by_state(const StepDerivatives& d) {
  const Eigen::Index n = d.by_all.rows(), before = 3 * static_cast<Eigen::Index>(d.anchors_before.size());
  RowMat out(n + d.anchor_rows.rows(), n + before);
  out.topLeftCorner(n, n) = d.by_all.leftCols(n), out.topRightCorner(n, before) = d.by_all.rightCols(before);
  out.bottomLeftCorner(d.anchor_rows.rows(), n) = d.anchor_rows.leftCols(n);
  out.bottomRightCorner(d.anchor_rows.rows(), before) = d.anchor_rows.rightCols(before);
  return out;
}

// The pass that moves the anchors stands before the torques act.
RowMat state_by_torque(const StepDerivatives& d) {
  RowMat out(d.by_all.rows() + d.anchor_rows.rows(), d.ntau);
  out.setZero();
  out.topRows(d.by_all.rows()) = d.du();
  return out;
}

using AnchorName = std::tuple<int, int, std::uint32_t>;
std::vector<AnchorName> names_of(const std::vector<ContactKey>& keys) {
  std::vector<AnchorName> out;
  for (const ContactKey& k : keys)
    out.emplace_back(static_cast<int>(k.geom_a), static_cast<int>(k.geom_b), static_cast<std::uint32_t>(k.feature));
  return out;
}

std::optional<Vec> read_optional(const ArrayLike& x, const char* field, int size) {
  if (x.is_none()) return {};
  return read_vector(x, field, size);
}

StepDerivatives derivatives(PySimulator& s, const ArrayLike& tau, const ArrayLike& target, const ArrayLike& ctrl,
                            double smooth) {
  const World& world = s.world();
  const Vec torque = tau.is_none() ? Vec() : read_vector(tau, "step_derivatives.tau", world.ntau);
  const auto wanted = read_optional(target, "step_derivatives.target", world.ntau);
  const auto asked = read_optional(ctrl, "step_derivatives.ctrl", static_cast<int>(world.actuators.size()));
  StepDerivatives out = s.run([&](Simulator&) { return s.derivatives(torque, wanted, asked, smooth); });
  if (out.status != Status::converged)
    throw InvalidInput("step_derivatives: the step from here is not finite or not made, so it has no derivative");
  return out;
}

}  // namespace

void bind_step_derivatives(nb::module_& m) {
  nb::class_<StepDerivatives>(
      m, "StepDerivatives",
      "Derivatives of one step by the state and by what acts, inside its contact mode.\n\n"
      "Columns and rows: q in Pinocchio's tangent (base translation and rotation in base axes,\n"
      "then joints), v, and for du the torques.")
      .def_prop_ro(
          "dx", [](const StepDerivatives& d) { return new_matrix(state_by_state(d)); },
          "(2 nv, 2 nv): state after by state before. Law anchored: behind q and v three rows per anchor after the "
          "step\n"
          "(T1, T2, N) [m], and three columns per anchor before it")
      .def_prop_ro(
          "anchors", [](const StepDerivatives& d) { return names_of(d.anchors_after); },
          "law anchored: (geom_a, geom_b, feature) of the anchors after the step, in the order of their rows in dx")
      .def_prop_ro(
          "anchors_before", [](const StepDerivatives& d) { return names_of(d.anchors_before); },
          "likewise of those before the step, in the order of their columns")
      .def_prop_ro(
          "du", [](const StepDerivatives& d) { return new_matrix(state_by_torque(d)); },
          "(2 nv, ntau): state after by torques; as many rows as dx")
      .def_prop_ro(
          "dctrl", [](const StepDerivatives& d) { return new_matrix(d.by_ctrl); },
          "(2 nv, actuators): state after by ctrl; zero for actuators with an activation. Laws coulomb and convex")
      .def_prop_ro(
          "dtarget", [](const StepDerivatives& d) { return new_matrix(d.by_target); },
          "(2 nv, ntau): state after by the PD target. Laws coulomb and convex")
      .def_prop_ro(
          "border",
          [](const StepDerivatives& d) {
            std::vector<bool> out;
            for (const RowMode& row : d.rows) out.push_back(row.border != BorderKind::none);
            return out;
          },
          "laws coulomb and convex: per entry of mode, whether it is on the border of another mode (about to touch, "
          "to\n"
          "slip, to stop, to open, to reach a bound): there the step has a kink and this is the derivative of one side")
      .def_prop_ro(
          "border_of",
          [](const StepDerivatives& d) {
            std::vector<std::string> out;
            for (const RowMode& row : d.rows) out.push_back(name(row.border));
            return out;
          },
          "per entry of mode: '', or what is on a border: 'mode' (touch, slip, stop, open, bound), 'rule' (the "
          "velocity that\n"
          "is asked for: look-ahead, dead band, caps, restitution), 'shape' (a contact point comes, goes or jumps), "
          "'motor',\n'energy' (a correction was scaled by the bound on its energy; its share is taken as fixed)")
      .def_ro("velocity_unique", &StepDerivatives::velocity_unique,
              "False where friction forces may be shared in ways that move the bodies differently (a turning body on\n"
              "more contacts than it needs); the derivative belongs to the shortest change of the impulses")
      .def_prop_ro(
          "dforce", [](const StepDerivatives& d) { return new_matrix(d.dforce); },
          "(rows, 2 nv + ntau): average forces by (q, v, tau); rows (T1, T2, N) per point, one per joint limit [N]")
      .def_prop_ro(
          "mode",
          [](const StepDerivatives& d) {
            std::vector<std::string> out;
            for (const PointMode& mode : d.mode) out.push_back(describe(mode));
            for (const RowMode& row : d.rows) out.push_back(describe(row));
            return out;
          },
          "Laws coulomb and convex: 'stick', 'slide' or 'break' per contact in the order of contacts() after the "
          "step,\n"
          "then 'limit 7 stick', 'friction 7 bound', 'loop stick' (7: velocity). Law anchored: per point 'held', or "
          "where its force lies at the start / its average / its double average:\n"
          "stick, slip or clipped; 'new' if the step begins with it. Points as in anchors(), then joint limits")
      .def_ro(
          "exact", &StepDerivatives::exact,
          "False where terms are missing: contacts between moving bodies or on round static ones, cylinders, meshes;\n"
          "steps that switch_refinement would divide")
      .def("__repr__", &text_of);
}

void bind_simulator_derivatives(SimulatorClass& c) {
  c.def(
      "backward",
      [](nb::object self, const ArrayLike& bars, const ArrayLike& controls, const std::string& by,
         const std::optional<int>& checkpoints, double smooth) {
        return nb::module_::import_("stiction.gradients.trajectory")
            .attr("backward_of")(self, bars, controls, by, "checkpoints"_a = checkpoints, "smooth"_a = smooth);
      },
      "dL_dx"_a, "controls"_a = nb::none(), "by"_a = "tau", nb::kw_only(), "checkpoints"_a = nb::none(),
      "smooth"_a = 0.0,
      nb::sig(
          "def backward(self, dL_dx: numpy.typing.ArrayLike, controls: numpy.typing.ArrayLike | None = None, by: str = "
          "'tau', *, checkpoints: int | None = None, smooth: float = 0.0) -> typing.Any"),
      "The gradient of a function of the rollout from here, in reverse mode; the state is not changed.\n\n"
      "Parameters\n----------\n"
      "dL_dx : (T + 1, 2 nv) cotangents of all states, or (2 nv,) of the last one, in the tangents of difference()\n"
      "controls, by : (T, m) as for stiction.linearize. None: as many steps as dL_dx has, without torques; one step if "
      "it is\n"
      "    that of the last state\n"
      "checkpoints : states that are kept; about the square root of T unless given\n"
      "smooth : as for step_derivatives\n\n"
      "Returns\n-------\nstiction.gradients.Gradient: x0, u, border, exact, anchors");
  c.def(
      "step_derivatives", &derivatives, "tau"_a = nb::none(), nb::kw_only(), "target"_a = nb::none(),
      "ctrl"_a = nb::none(), "smooth"_a = 0.0,
      "Derivatives of the step from here with torques tau, and with this PD target and this ctrl if they are given.\n\n"
      "Steppers 'semi_implicit' and 'moreau' with law 'coulomb' or 'convex', 'exponential' (approximants 1/1 to 2/3)\n"
      "with law 'anchored'. smooth > 0 (coulomb, convex): of the step whose contacts are relaxed by so much [J]: one "
      "at gap d\n"
      "carries the force smooth/d, so that there is a gradient before it touches. With the wrenches that apply_wrench "
      "left for it, PD, ctrl and act of the simulator. The\n"
      "state is not changed.\n\n"
      "Returns\n-------\nStepDerivatives: dx, du, dctrl, dtarget, mode, border, exact; dforce with law 'anchored'");
}

}  // namespace stiction::python
