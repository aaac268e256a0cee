// SPDX-License-Identifier: BSD-2-Clause
// Solving one contact problem, and judging an impulse.
#include <nanobind/stl/pair.h>
#include <stiction/problem/internal_impulse.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/interrupt.h>
#include <stiction/solver/core/solver.h>

#include <cstdint>
#include <ctime>
#include <utility>
#include <vector>

#include "bind.h"

namespace stiction::python {
namespace {

struct Task {
  std::unique_ptr<Solver> method;
  Vec start;
};

// All that can be refused is refused here, before any work.
Task read_task(const ContactProblem& problem, const nb::handle& solver, double tolerance,
               std::optional<double> time_limit, const nb::object& warm_start, const nb::kwargs& options) {
  auto [method, map] = read_choice(solver, nb::none(), "solver");
  for (const auto& [name, value] : read_options(options, "solve")) map[name] = value;
  map.emplace("tolerance", tolerance);  // an object of stiction.options may have its own
  if (time_limit) map["time_limit"] = *time_limit;
  require_problem(find_solver(method), problem);
  return {make_solver(method, map), warm_start.is_none() ? Vec(Vec::Zero(problem.rows()))
                                                         : read_vector(warm_start, "solve.warm_start", problem.rows())};
}

// One record per iteration, as NumPy's structured array.
nb::object new_history(const History& history) {
  struct Sample {
    std::int64_t iteration;
    double seconds, natural, primal, dual, complementarity, b3, b4, ratio;
  };
  static_assert(sizeof(Sample) == 9 * 8);
  std::vector<Sample> samples;
  for (const History::Sample& s : history.samples())
    samples.push_back({s.iteration, s.seconds, s.own.natural, s.own.primal, s.own.dual, s.own.complementarity, s.own.b3,
                       s.own.b4, s.own.ratio});
  nb::list fields;
  fields.append(nb::make_tuple("iteration", "i8"));
  for (const char* name : {"seconds", "natural", "primal", "dual", "complementarity", "b3", "b4", "ratio"})
    fields.append(nb::make_tuple(name, "f8"));
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::bytes raw(samples.data(), samples.size() * sizeof(Sample));
  return numpy.attr("frombuffer")(raw, "dtype"_a = fields).attr("copy")();
}

std::pair<FloatArray, nb::typed<nb::object, Report>> solve_problem(const ContactProblem& problem,
                                                                   const SolverLike& solver, double tolerance,
                                                                   std::optional<double> time_limit,
                                                                   const ArrayLike& warm_start, bool history,
                                                                   const nb::kwargs& options) {
  auto [method, lambda] = read_task(problem, solver, tolerance, time_limit, warm_start, options);
  Report report;
  History samples;
  {
    nb::gil_scoped_release release;
    if (history) {
      method->record(&samples);
      samples.start();
    }
    const SolveInterrupt interrupt(signal_watch());
    report = method->solve(problem, lambda);
  }
  if (PyErr_Occurred() != nullptr) throw nb::python_error();  // Ctrl-C
  nb::object result = nb::cast(report);
  if (history) nb::setattr(result, "_history", new_history(samples));
  return {new_array(lambda), nb::typed<nb::object, Report>(std::move(result))};
}

// The history of a solver that has solved the problem once before: times without first allocations.
nb::object record_solve(const ContactProblem& problem, const SolverLike& solver, double tolerance,
                        std::optional<double> time_limit, const nb::kwargs& options) {
  const auto [method, start] = read_task(problem, solver, tolerance, time_limit, nb::none(), options);
  History samples;
  {
    nb::gil_scoped_release release;
    Vec lambda = start;
    method->solve(problem, lambda);
    method->record(&samples);
    lambda = start;
    samples.start();
    method->solve(problem, lambda);
  }
  return new_history(samples);
}

// CPU time of the calling thread: other programs on the machine do not count.
double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Seconds of `repeats` solves from the same start by one solver, which has seen the problem once before. Solves too
// short for the clock are repeated until `shortest` has passed and the mean is given.
std::vector<double> time_solve(const ContactProblem& problem, const SolverLike& solver, double tolerance,
                               std::optional<double> time_limit, int repeats, double shortest,
                               const nb::kwargs& options) {
  const auto [method, start] = read_task(problem, solver, tolerance, time_limit, nb::none(), options);
  std::vector<double> out;
  nb::gil_scoped_release release;
  Vec lambda = start;
  method->solve(problem, lambda);
  for (int i = 0; i < repeats; ++i) {
    const double begin = thread_seconds();
    double passed = 0.0;
    int count = 0;
    while (count == 0 || passed < shortest) {
      lambda = start;
      method->solve(problem, lambda);
      passed = thread_seconds() - begin;
      ++count;
    }
    out.push_back(passed / count);
  }
  return out;
}

Residual judge(const ContactProblem& problem, const ArrayLike& impulse, const std::string& law, double tolerance) {
  const Vec lambda = read_vector(impulse, "evaluate.impulse", problem.rows());
  Tolerance t;
  t.relative = tolerance;
  JudgeWork work;
  if (law.empty()) return evaluate(problem, lambda, problem.law, true, t, work);
  if (law == "coulomb") return evaluate(problem, lambda, {FrictionLaw::coulomb, 4, 0.0}, false, t, work);
  throw InvalidInput("evaluate.law is '" + law +
                     "', expected '' (the problem's own) or 'coulomb' (exact and rigid); "
                     "use problem.with_law for others");
}

}  // namespace

void bind_solve(nb::module_& m) {
  m.def("solve", &solve_problem, "problem"_a, "solver"_a = "auto", "tolerance"_a = 1e-8, "time_limit"_a = nb::none(),
        "warm_start"_a = nb::none(), "history"_a = false, "options"_a,
        "Solve a contact problem.\n\n"
        "Parameters\n----------\n"
        "problem : ContactProblem\n"
        "solver : a name of `stiction list solvers`, or an object such as st.options.Nsgs(anderson=0)\n"
        "tolerance : relative tolerance of the judge [-]; one in the object comes first\n"
        "time_limit : seconds allowed, None for no limit\n"
        "warm_start : (rows,) guess of the impulse, None for zero\n"
        "history : record the judge's residual at every iteration in report.history\n"
        "options : further options of the solver, see catalog()[\"solvers\"]\n\n"
        "Returns\n-------\n"
        "impulse : (rows,) array [N s], the best found\n"
        "report : Report; report.ok if the judge accepts it");
  m.def("record_solve", &record_solve, "problem"_a, "solver"_a, "tolerance"_a, "time_limit"_a, "options"_a,
        "History of a second cold solve; used by stiction.profiles.");
  m.def("time_solve", &time_solve, "problem"_a, "solver"_a, "tolerance"_a, "time_limit"_a, "repeats"_a, "shortest"_a,
        "options"_a, "Seconds of repeated cold solves; used by stiction.profiles.");
  m.def("evaluate", &judge, "problem"_a, "impulse"_a, "law"_a = "", "tolerance"_a = 1e-8,
        "Judge an impulse from scratch; no solver is involved.\n\n"
        "law=\"\" measures the problem's own law with its compliance, law=\"coulomb\" exact rigid Coulomb;\n"
        "tolerance is what `accepted` asks of the residuals, relative [-].");
  m.def(
      "internal_impulse",
      [](const ContactProblem& problem, const ArrayLike& impulse) {
        return new_array(internal_impulse(problem, read_vector(impulse, "internal_impulse.impulse", problem.rows())));
      },
      "problem"_a, "impulse"_a,
      "The part of an impulse of a problem that moves nothing (hyperstatic contact): its projection on the null space "
      "of G + R.\n\n"
      "Without it the impulse gives the same velocities and is the shortest that does.");
}

}  // namespace stiction::python
