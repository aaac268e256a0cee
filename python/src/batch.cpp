// SPDX-License-Identifier: BSD-2-Clause
// BatchSimulator: making, stepping, PD, pushes. Its state is in batch_state.cpp.
#include "batch.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace stiction::python {
namespace {

int usual_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

BatchReport step_batch(PyBatch& b, const ArrayLike& ctrl, const ArrayLike& target, int n, const ArrayLike& tau) {
  const int size = b.size(), nu = b.engine().ctrl().width, ntau = b.world().ntau;
  if (!ctrl.is_none() && nu == 0)
    throw InvalidInput("step.ctrl is given, but this world has no actuators; joint efforts are tau=, targets target=");
  const ReadRows u = read_rows(ctrl, "step.ctrl", size, nu, Finite::rows_apart),
                 wanted = read_rows(target, "step.target", size, ntau, Finite::rows_apart),
                 torque = read_rows(tau, "step.tau", size, ntau, Finite::rows_apart);
  BatchInput in;
  in.ctrl = u.rows, in.target = wanted.rows, in.tau = torque.rows, in.steps = n;
  BatchReport report;
  b.run([&](BatchSimulator& e) {
    in.interrupted = signal_watch();
    e.step(in, report);
  });
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  return report;
}

// Gains for all joints alike, per joint, or per environment and joint.
ReadRows read_gains(const ArrayLike& value, const char* field, const PyBatch& b, Vec& alike) {
  double one = 0.0;
  const int n = b.size(), ntau = b.world().ntau;
  ReadRows out;
  if (nb::try_cast(value, one)) {
    alike = Vec::Constant(ntau, one);
    out.rows = {alike.data(), 0};
  } else {
    out = read_rows(value, field, n, ntau, Finite::all);
  }
  for (int i = 0; i < (out.rows.stride == 0 ? 1 : n); ++i)
    for (int k = 0; k < ntau; ++k)
      if (const double gain = out.rows.row(i)[k]; !(gain >= 0.0) || !std::isfinite(gain))
        throw InvalidInput(std::string(field) + " is " + std::to_string(gain) + ", expected a finite value >= 0");
  return out;
}

void set_batch_pd(PyBatch& b, const ArrayLike& kp, const ArrayLike& kd, bool implicit) {
  Vec p, d;
  const ReadRows stiffness = read_gains(kp, "set_pd.kp", b, p), damping = read_gains(kd, "set_pd.kd", b, d);
  b.run([&](BatchSimulator& e) { e.set_pd(stiffness.rows, damping.rows, implicit); });
}

void push(PyBatch& b, const BodyLike& body, const ArrayLike& force, const ArrayLike& torque, const ArrayLike& point,
          const MaskLike& mask) {
  const BodyId id = read_body(b.minimal_world(), body, "apply_wrench.body");
  const ReadRows f = read_rows(force, "apply_wrench.force", b.size(), 3, Finite::all),
                 t = read_rows(torque, "apply_wrench.torque", b.size(), 3, Finite::all),
                 at = read_rows(point, "apply_wrench.point", b.size(), 3, Finite::all);
  if (f.rows.data == nullptr) throw InvalidInput("apply_wrench.force is None, expected newtons in world axes");
  const std::vector<int> which = read_which(mask, "apply_wrench.mask", b.size());
  b.run([&](BatchSimulator& e) {
    const auto vector = [](const BatchRows& rows, int i) { return Vec3(Eigen::Map<const Vec3>(rows.row(i))); };
    for (const int i : which)
      e.apply_wrench(i, id, vector(f.rows, i), t.rows.data != nullptr ? vector(t.rows, i) : Vec3(Vec3::Zero()),
                     at.rows.data != nullptr ? std::optional<Vec3>(vector(at.rows, i)) : std::nullopt);
  });
}

}  // namespace

PyBatch::PyBatch(PySimulator& simulator, int n, std::optional<int> threads)
    : model_(simulator.clone()), engine_(simulator.run([&](Simulator& e) {
        return std::make_unique<BatchSimulator>(e, n, threads.value_or(usual_threads()), simulator.drive());
      })) {}

std::unique_ptr<PySimulator> PyBatch::simulator(const State& state) const {
  auto out = model_->clone();
  out->run([&](Simulator& e) { e.state() = state; });
  return out;
}

std::unique_ptr<PySimulator> PyBatch::environment(int i) {
  auto out = simulator(run([&](BatchSimulator& e) { return State(e.state(i)); }));
  if (!engine_->parameters().any()) return out;
  out->run([&](Simulator& e) { engine_->parameters().give(e, i); });
  out->scene.clear();  // its world is no longer the scene's
  return out;
}

void bind_batch(nb::module_& m) {
  BatchClass c(
      m, "BatchSimulator",
      "Many environments of one world, stepped in one call on several threads.\n\n"
      "Each environment has the bits of a Simulator stepped alone, for any number of threads and any place in the\n"
      "batch. What goes wrong in one of them is told in the report and touches no other. q, v, ctrl, act and time\n"
      "are writable NumPy views of one block of memory, a row per environment; other libraries read them without\n"
      "a copy (DLPack). Any number of threads may call it; each call has it to itself, and the GIL is released.");
  c.def(nb::init<PySimulator&, int, std::optional<int>>(), "sim"_a, "n"_a, "threads"_a = nb::none(),
        "n environments that stand where sim stands; sim itself is not kept.\n\n"
        "Parameters\n----------\n"
        "sim : Simulator; its world, settings, state, PD and scene (drive) are those of every environment\n"
        "n : number of environments\n"
        "threads : number of threads that step them; None takes all processors")
      .def("step", &step_batch, "ctrl"_a = nb::none(), "target"_a = nb::none(), "n"_a = 1, nb::kw_only(),
           "tau"_a = nb::none(),
           "Make n steps of every environment.\n\n"
           "Parameters\n----------\n"
           "ctrl : (environments, nu) what the actuators are asked for; goes into batch.ctrl and is kept\n"
           "target : (environments, ntau) joint positions of the PD set by set_pd; kept\n"
           "n : steps made with the same input\n"
           "tau : (environments, ntau) joint efforts [N m, N] of this call; None is zero\n\n"
           "One row, (nu,) or (ntau,), is for all environments alike. A row of (environments, …) that is not finite\n"
           "concerns its environment alone: it stays where it is and is told in report.refused.\n\n"
           "Returns\n-------\nBatchReport : arrays status, ok, failed, steps, unaccepted, contacts, residual")
      .def("set_pd", &set_batch_pd, "kp"_a, "kd"_a = 0.0, "implicit"_a = false,
           "Joint PD inside the engine, as Simulator.set_pd: tau += kp (target - q) - kd v.\n\n"
           "Parameters\n----------\n"
           "kp, kd : one number, (ntau,), or (environments, ntau) [N m/rad, N m s/rad]\n"
           "implicit : stable for stiff gains\n\n"
           "Gains stay when environments are reset.")
      .def(
          "clear_pd", [](PyBatch& b) { b.run([](BatchSimulator& e) { e.clear_pd(); }); }, "Switch the PD off.")
      .def("apply_wrench", &push, "body"_a, "force"_a, "torque"_a = nb::none(), "point"_a = nb::none(),
           "mask"_a = nb::none(),
           "Push a body during the next step() call: force [N] and torque [N m] in world axes, at a world point [m] "
           "or,\n"
           "without one, at the centre of mass.\n\n"
           "Parameters\n----------\n"
           "body : as in Simulator.apply_wrench\n"
           "force, torque, point : (3,) for all environments alike, or (environments, 3)\n"
           "mask : which environments: bools or indices; None is all")
      .def_prop_ro(
          "threads", [](const PyBatch& b) { return b.engine().threads(); }, "number of threads")
      .def_prop_ro(
          "lanes", [](const PyBatch& b) { return b.engine().lanes(); },
          "number of environments that a thread steps side by side in SIMD lanes; 1: one after the other")
      .def_prop_ro(
          "dt", [](const PyBatch& b) { return b.engine().simulator().settings().dt; }, "step [s]")
      .def_prop_ro(
          "nq", [](const PyBatch& b) { return b.world().nq; }, "width of q")
      .def_prop_ro(
          "nv", [](const PyBatch& b) { return b.world().nv; }, "width of v")
      .def_prop_ro(
          "ntau", [](const PyBatch& b) { return b.world().ntau; }, "width of tau and target")
      .def("__len__", &PyBatch::size)
      .def("__repr__", [](const PyBatch& b) {
        const Settings& s = b.engine().simulator().settings();
        return "BatchSimulator(n=" + std::to_string(b.size()) + ", threads=" + std::to_string(b.engine().threads()) +
               ", law='" + s.law + "', stepper='" + s.stepper + "', nq=" + std::to_string(b.world().nq) +
               ", nv=" + std::to_string(b.world().nv) + ")";
      });
  bind_batch_state(c);
  bind_batch_readings(c);
  bind_batch_parameters(m, c);
}

}  // namespace stiction::python
