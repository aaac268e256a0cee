// SPDX-License-Identifier: BSD-2-Clause
// Polishing an impulse that some method left unfinished.
#include <nanobind/stl/pair.h>
#include <stiction/solver/pivot/polish.h>

#include <utility>

#include "bind.h"

namespace stiction::python {
namespace {

std::pair<FloatArray, Report> polish_impulse(const ContactProblem& problem, const ArrayLike& impulse,
                                             double tolerance) {
  if (problem.law.kind == FrictionLaw::raisim)
    throw InvalidInput("polish: the law is 'raisim', expected 'coulomb', 'convex' or 'pyramid'");
  Vec lambda = read_vector(impulse, "polish.impulse", problem.rows());
  Tolerance t;
  t.relative = tolerance;
  Report report;
  {
    nb::gil_scoped_release release;
    report = polish(problem, lambda, t);
  }
  return {new_array(lambda), report};
}

}  // namespace

void bind_polish(nb::module_& m) {
  m.def(
      "polish", &polish_impulse, "problem"_a, "impulse"_a, "tolerance"_a = 1e-8,
      "Make an approximate impulse exact, by solving a problem with flat facets that touches the cone where it is.\n\n"
      "Parameters\n----------\n"
      "problem : ContactProblem\n    Its law is coulomb, convex or pyramid.\n"
      "impulse : array\n    What a solver left, e.g. stopped by max_iterations [N s].\n"
      "tolerance : float\n    Relative tolerance of the judge.\n\n"
      "Returns\n-------\n"
      "(impulse, report)\n    Never worse than what was given, by the judge's ratio; report.iterations are the "
      "passes.");
}

}  // namespace stiction::python
