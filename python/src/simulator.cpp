// SPDX-License-Identifier: BSD-2-Clause
// Simulator: making, stepping, PD. Its state is in simulator_state.cpp, queries are in simulator_queries.cpp.
#include "simulator.h"

#include <stiction/model/world/world_builder.h>
#include <stiction/step/exponential/exponential_derivatives.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace stiction::python {
namespace {

constexpr std::chrono::milliseconds kSignalInterval{50};

Vec read_gain(nb::handle value, const char* field, int size) {
  double one = 0.0;
  Vec x = nb::try_cast(value, one) ? Vec(Vec::Constant(size, one)) : read_vector(value, field, size);
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (!(x[i] >= 0.0) || !std::isfinite(x[i]))
      throw InvalidInput(std::string(field) + " is " + std::to_string(x[i]) + ", expected a finite value >= 0");
  return x;
}

// As run(), but Ctrl-C ends it: with the state of the last whole step and KeyboardInterrupt.
template <class F>
StepReport interruptible(PySimulator& s, double budget, F f) {
  const StepReport report = s.run([&](Simulator& engine) {
    engine.set_budget(budget);
    engine.set_interrupt(signal_watch());
    struct Clear {
      Simulator& engine;
      ~Clear() { engine.set_interrupt({}), engine.set_budget(0.0); }
    } clear_at_end{engine};
    return f(engine);
  });
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  return report;
}

// One row of targets per step.
StepReport follow(PySimulator& s, const ArrayLike& tau, const ArrayLike& target, int n, double budget) {
  const int size = s.world().ntau;
  const Vec torque = tau.is_none() ? Vec() : read_vector(tau, "step.tau", size);
  const Mat rows = read_matrix(target, "step.target", -1, size).transpose();  // a row of targets lies together
  if (n != 1 && n != rows.cols())
    throw InvalidInput("step.n is " + std::to_string(n) + ", expected 1 or the " + std::to_string(rows.cols()) +
                       " rows of target");
  return interruptible(s, budget, [&](Simulator&) { return s.follow(torque, rows); });
}

StepReport step(PySimulator& s, const ArrayLike& tau, const ArrayLike& target, int n, std::optional<double> budget) {
  if (budget && !(*budget > 0.0)) throw InvalidInput("step.budget is not > 0 s; leave it away for no limit");
  if (s.observer.is_valid() && !s.observer.is_none())
    if (const nb::object observer = s.observer(); !observer.is_none()) {
      if (budget)
        throw InvalidInput("step.budget ends steps by the clock, so a recording of them could not be replayed");
      return step_observed(s, observer, tau, target, n);
    }
  return step_alone(s, tau, target, n, budget.value_or(0.0));
}

void apply_wrench(PySimulator& s, const BodyLike& body, const ArrayLike& force, const ArrayLike& torque,
                  const ArrayLike& point) {
  Wrench w{read_body(s.minimal_world(), body, "apply_wrench.body"), read_vec3(force, "apply_wrench.force"),
           torque.is_none() ? Vec3(Vec3::Zero()) : read_vec3(torque, "apply_wrench.torque"), std::nullopt};
  if (!point.is_none()) w.point = read_vec3(point, "apply_wrench.point");
  s.add_wrench(w);
}

}  // namespace

std::function<bool()> signal_watch() {
  using Clock = std::chrono::steady_clock;
  return [next = Clock::now() + kSignalInterval]() mutable {
    if (const auto now = Clock::now(); now < next) return false;
    const nb::gil_scoped_acquire hold;
    next = Clock::now() + kSignalInterval;
    return PyErr_CheckSignals() != 0;
  };
}

bool is_table(const nb::object& x) { return nb::hasattr(x, "ndim") && nb::cast<int>(x.attr("ndim")) == 2; }

StepReport step_alone(PySimulator& s, const ArrayLike& tau, const ArrayLike& target, int n, double budget) {
  if (is_table(target)) return follow(s, tau, target, n, budget);
  if (n < 1) throw InvalidInput("step.n is " + std::to_string(n) + ", expected at least 1");
  const int size = s.world().ntau;
  const Vec torque = tau.is_none() ? Vec() : read_vector(tau, "step.tau", size);
  const Vec wanted = target.is_none() ? Vec() : read_vector(target, "step.target", size);
  return interruptible(s, budget, [&](Simulator& engine) {
    if (!target.is_none()) {
      if (!engine.state().pd.active) throw InvalidInput("step.target needs gains: call set_pd(kp=…, kd=…) first");
      engine.set_target(wanted);
    }
    return s.step(torque, n);
  });
}

PySimulator::PySimulator(Simulator simulator, Drive drive, double usual_length, std::string scene_name)
    : q(simulator.state().q),
      v(simulator.state().v),
      ctrl(simulator.state().ctrl),
      act(simulator.state().act),
      duration(usual_length),
      scene(std::move(scene_name)),
      engine_(std::move(simulator)),
      drive_(std::move(drive)) {}

std::unique_ptr<PySimulator> PySimulator::clone() {
  Simulator copy = run([](Simulator& e) { return e.clone(); });
  auto out = std::make_unique<PySimulator>(std::move(copy), drive_, duration, scene);
  out->parameters = parameters;
  return out;
}

// A name that changes leaves its options behind; a law that changes also leaves solver and stepper to their usual choice.
std::unique_ptr<PySimulator> PySimulator::variant(const std::optional<std::string>& law,
                                                  const std::optional<std::string>& solver,
                                                  const std::optional<std::string>& stepper, std::optional<double> dt) {
  const auto exchange = [](std::string& name, OptionMap& options, const std::string& wanted) {
    if (name != wanted) options.clear();
    name = wanted;
  };
  Settings s = settings();
  if (law && *law != s.law) {
    exchange(s.law, s.law_options, *law);
    exchange(s.solver, s.solver_options, "auto");
    exchange(s.stepper, s.stepper_options, "auto");
  }
  if (solver) exchange(s.solver, s.solver_options, *solver);
  if (stepper) exchange(s.stepper, s.stepper_options, *stepper);
  s.dt = dt.value_or(s.dt);
  Simulator other = run([&](Simulator& e) {
    Simulator made(e.shared_minimal_world(), s);  // joints are cut anew
    made.state().time = e.state().time, made.state().pd = e.state().pd;
    made.state().q = e.state().q, made.state().v = e.state().v;
    made.state().ctrl = e.state().ctrl, made.state().act = e.state().act;
    return made;
  });
  auto out = std::make_unique<PySimulator>(std::move(other), drive_, duration, scene);
  out->parameters = parameters;
  return out;
}

void PySimulator::push() {
  State& s = engine_.state();
  for (const auto& [from, to] : {std::pair{&q, &s.q}, {&v, &s.v}, {&ctrl, &s.ctrl}, {&act, &s.act}})
    std::copy(from->data(), from->data() + from->size(), to->data());
}

void PySimulator::pull() {
  const State& s = engine_.state();
  for (const auto& [from, to] : {std::pair{&s.q, &q}, {&s.v, &v}, {&s.ctrl, &ctrl}, {&s.act, &act}})
    std::copy(from->data(), from->data() + from->size(), to->data());
}

// A drive changes its load from step to step, so the steps are made one by one and the caller's wrenches are repeated.
StepReport PySimulator::step(const Vec& tau, int n) {
  const DropWrenches at_end{engine_};
  StepReport total;
  const int rounds = drive_ ? n : 1;
  for (int i = 0; i < rounds; ++i) {
    for (const Wrench& w : wrenches) engine_.apply_wrench(w.body, w.force, w.torque, w.point);
    if (drive_) drive_(engine_, engine_.state().time);
    const StepReport r = tau.size() > 0 ? engine_.step(tau, drive_ ? 1 : n) : engine_.step(drive_ ? 1 : n);
    i == 0 ? void(total = r) : merge(total, r);
    if (r.not_made() || (drive_ && r.steps == 0)) break;  // the state stays at its last good value
  }
  wrenches.clear();
  return total;
}

StepReport PySimulator::follow(const Vec& tau, const Mat& targets) {
  const DropWrenches at_end{engine_};
  for (const Wrench& w : wrenches) engine_.apply_wrench(w.body, w.force, w.torque, w.point);
  const StepReport report = engine_.follow(tau, targets.data(), static_cast<int>(targets.cols()));
  wrenches.clear();
  return report;
}

std::vector<ContactProblem> PySimulator::problems(const Vec& tau, bool keep_bodies) const {
  if (wrenches.empty() && !drive_) return engine_.problems(tau, keep_bodies);
  Simulator copy = engine_.clone();  // loads and targets of the step go to the copy
  for (const Wrench& w : wrenches) copy.apply_wrench(w.body, w.force, w.torque, w.point);
  if (drive_) drive_(copy, copy.state().time);
  return copy.problems(tau, keep_bodies);
}

StepDerivatives PySimulator::derivatives(const Vec& tau, const std::optional<Vec>& target,
                                         const std::optional<Vec>& asked, double smooth) {
  State& state = engine_.state();
  if (target && !state.pd.active)
    throw InvalidInput("step_derivatives.target needs gains: call set_pd(kp=…, kd=…) first");
  struct Kept {  // what acts comes back, whatever happens
    State& state;
    Vec target, ctrl;
    ~Kept() { state.pd.target = target, state.ctrl = ctrl; }
  } const kept{state, state.pd.target, state.ctrl};
  if (target) state.pd.target = *target;
  if (asked) state.ctrl = *asked;
  StepDerivatives out;
  if (wrenches.empty() && !drive_) {
    engine_.step_derivatives(tau, out, smooth);
    return out;
  }
  Simulator copy = engine_.clone();
  for (const Wrench& w : wrenches) copy.apply_wrench(w.body, w.force, w.torque, w.point);
  if (drive_) drive_(copy, copy.state().time);
  copy.step_derivatives(tau, out, smooth);
  return out;
}

Settings read_settings(nb::handle law, nb::handle solver, nb::handle stepper, double dt, nb::handle law_options,
                       nb::handle solver_options, nb::handle stepper_options, const std::string& coordinates,
                       const std::vector<std::string>& cut) {
  const Choice l = read_choice(law, law_options, "law"), s = read_choice(solver, solver_options, "solver"),
               t = read_choice(stepper, stepper_options, "stepper");
  return {l.name, s.name, t.name, dt, l.options, s.options, t.options, coordinates, cut};
}

void bind_simulator(nb::module_& m) {
  SimulatorClass c(m, "Simulator",
                   "One world under one triple law x solver x stepper.\n\n"
                   "Any number of threads may call it; each call has it to itself, and the GIL is released meanwhile.");
  c.def(
       "__init__",
       [](PySimulator* self, const WorldBuilder& world, const LawLike& law, const SolverLike& solver,
          const StepperLike& stepper, std::optional<double> dt, const OptionsLike& law_options,
          const OptionsLike& solver_options, const OptionsLike& stepper_options, const std::string& coordinates,
          const std::vector<std::string>& cut, int threads) {
         const auto compiled = world.compile();
         const double usual = compiled->timestep > 0.0 ? compiled->timestep : 1e-3;
         const Settings s = read_settings(law, solver, stepper, dt.value_or(usual), law_options, solver_options,
                                          stepper_options, coordinates, cut);
         Simulator simulator(compiled, s);
         simulator.set_threads(threads);
         warn(friction_left_out(*compiled, s)), new (self) PySimulator(std::move(simulator));
       },
       "world"_a, "law"_a = "coulomb", "solver"_a = "auto", "stepper"_a = "auto", "dt"_a = nb::none(),
       "law_options"_a = nb::none(), "solver_options"_a = nb::none(), "stepper_options"_a = nb::none(),
       "coordinates"_a = "minimal", "cut"_a = std::vector<std::string>(), "threads"_a = 1,
       "Compile the world and stand at its start.\n\n"
       "Parameters\n----------\n"
       "world : World; later edits do not reach the simulator\n"
       "law, solver, stepper : names (`stiction list`, or catalog()), or objects of stiction.options, which have name "
       "and\n"
       "    options in one: solver=st.options.Nsgs(max_iterations=200). stepper='auto' is the usual one of the law\n"
       "dt : step [s]; None takes that of the MJCF file (the smallest of several), or 1e-3\n"
       "law_options, solver_options, stepper_options : dicts or objects of stiction.options; what is left out has its\n"
       "    default\n"
       "coordinates : 'minimal', 'extended' (joints named by cut, or those on the root links, are held by rows) or\n"
       "    'maximal' (all joints are). tau, targets and joint names mean the same in all three\n"
       "cut : names of joints, for coordinates='extended'\n"
       "threads : that share out the islands of a step (groups of bodies that touch), for worlds of many bodies; the "
       "bits do not\n    depend on it. Copies and batches of the simulator have one")
      .def(
          "step", &step, "tau"_a = nb::none(), "target"_a = nb::none(), "n"_a = 1, "budget"_a = nb::none(),
          "Make n steps and report on them.\n\n"
          "Parameters\n----------\n"
          "tau : joint efforts [N m, N], robots in the order added, without free bases; None is zero\n"
          "target : joint positions of the PD set by set_pd, kept until changed; an array (n, joints) gives every step "
          "its own\n         and replaces the drive of a scene\n"
          "n : steps made with the same input without coming back to Python\n"
          "budget : seconds that each step may take; None for no limit. What the solver has found by then is the step; "
          "unless\n         the judge accepts it the status is 'max_iterations'. Such steps do not have the same bits "
          "every time\n\n"
          "Returns\n-------\nStepReport : worst status, largest residuals, summed iterations")
      .def(
          "set_pd",
          [](PySimulator& s, const ArrayLike& kp, const ArrayLike& kd, bool implicit) {
            const Vec p = read_gain(kp, "set_pd.kp", s.world().ntau), d = read_gain(kd, "set_pd.kd", s.world().ntau);
            s.run([&](Simulator& e) { e.set_pd(p, d, implicit); });
          },
          "kp"_a, "kd"_a = 0.0, "implicit"_a = false,
          "Joint PD inside the engine: tau += kp (target - q) - kd v; kp [N m/rad] and kd [N m s/rad] are one number, "
          "or one "
          "per joint.\n"
          "implicit=True is stable for stiff gains. Until step(target=…) the target is the start posture.")
      .def(
          "clear_pd", [](PySimulator& s) { s.run([](Simulator& e) { e.clear_pd(); }); }, "Switch the PD off.")
      .def("apply_wrench", &apply_wrench, "body"_a, "force"_a, "torque"_a = nb::none(), "point"_a = nb::none(),
           "Push a body during the next step() call: force [N] and torque [N m] in world axes,\n"
           "at a world point [m] or, without one, at the centre of mass.")
      .def_prop_rw(
          "threads", [](PySimulator& s) { return s.run([](Simulator& e) { return e.threads(); }); },
          [](PySimulator& s, int n) { s.run([&](Simulator& e) { e.set_threads(n); }); },
          "threads that share out the islands of a step; the bits do not depend on their number")
      .def_prop_ro(
          "dt", [](const PySimulator& s) { return s.settings().dt; }, "step [s]")
      .def_prop_ro(
          "law", [](const PySimulator& s) { return s.settings().law; }, "name of the law")
      .def_prop_ro(
          "solver", [](const PySimulator& s) { return s.settings().solver; }, "name of the solver")
      .def_prop_ro(
          "stepper", [](const PySimulator& s) { return s.settings().stepper; }, "name of the stepper")
      .def_prop_ro(
          "coordinates", [](const PySimulator& s) { return s.settings().coordinates; }, "name of the coordinate set")
      .def_prop_ro(
          "scene", [](const PySimulator& s) { return s.scene; }, "name of the scene it was made from, or ''")
      .def_prop_ro(
          "duration", [](const PySimulator& s) { return s.duration; }, "usual length of the scene [s]")
      .def("__repr__", [](const PySimulator& s) {
        return "Simulator(law='" + s.settings().law + "', solver='" + s.settings().solver + "', stepper='" +
               s.settings().stepper + "', nq=" + std::to_string(s.world().nq) + ", nv=" + std::to_string(s.world().nv) +
               ")";
      });
  bind_simulator_state(c);
  bind_simulator_queries(c);
  bind_simulator_actuators(c);
  bind_simulator_contacts(c);
  bind_simulator_anchors(c);
  bind_simulator_derivatives(c);
  bind_simulator_contact_space(c);
  bind_simulator_coordinates(c);
  bind_simulator_recording(c);
  for (const auto bind : {&bind_simulator_geometry, &bind_simulator_sensors}) bind(c);
}

}  // namespace stiction::python
