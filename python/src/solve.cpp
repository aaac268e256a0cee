// SPDX-License-Identifier: BSD-2-Clause
// Solving one contact problem, and judging an impulse.
#include <nanobind/stl/pair.h>
#include <stiction/solver/solver.h>

#include <utility>

#include "bind.h"

namespace stiction::python {
namespace {

std::pair<FloatArray, Report> solve_problem(const ContactProblem& problem, const std::string& solver, double tolerance,
                                            std::optional<double> time_limit, const nb::object& warm_start,
                                            const nb::kwargs& options) {
  OptionMap map = read_options(options, "solve");
  map["tolerance"] = tolerance;
  if (time_limit) map["time_limit"] = *time_limit;
  require_law(find_solver(solver), problem.law.kind);
  const std::unique_ptr<Solver> method = make_solver(solver, map);
  Vec lambda = warm_start.is_none() ? Vec(Vec::Zero(problem.rows()))
                                    : read_vector(warm_start, "solve.warm_start", problem.rows());
  Report report;
  {
    nb::gil_scoped_release release;
    report = method->solve(problem, lambda);
  }
  return {new_array(lambda), report};
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
        "warm_start"_a = nb::none(), "options"_a,
        "Solve a contact problem.\n\n"
        "Parameters\n----------\n"
        "problem : ContactProblem\n"
        "solver : a name of `stiction list solvers`\n"
        "tolerance : relative tolerance of the judge\n"
        "time_limit : seconds allowed, None for no limit\n"
        "warm_start : (rows,) guess of the impulse, None for zero\n"
        "options : further options of the solver, see catalog()[\"solvers\"]\n\n"
        "Returns\n-------\n"
        "impulse : (rows,) array [N s], the best found\n"
        "report : Report; report.status == \"converged\" if the judge accepts it");
  m.def("evaluate", &judge, "problem"_a, "impulse"_a, "law"_a = "", "tolerance"_a = 1e-8,
        "Judge an impulse from scratch; no solver is involved.\n\n"
        "law=\"\" measures the problem's own law with its compliance, law=\"coulomb\" exact rigid Coulomb.");
}

}  // namespace stiction::python
