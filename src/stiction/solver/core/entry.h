// SPDX-License-Identifier: BSD-2-Clause
// How a method enters the catalog. A solver class S derives from Method<Options> and says
//   static constexpr const char* kName;                       the public name
//   static constexpr About kAbout;                            summary, reference, failure modes
//   static constexpr std::array kLaws{FrictionLaw::coulomb};  what it solves
// and, if they are not those of Method,
//   int kFacets            sides of the pyramid that it can do
//   GeneralMatrix kGeneral what it asks of the matrix of a plain linear complementarity problem
//   bool kPatches          it knows blocks of kind patch
//   bool kRegularises      it solves a regularised problem unless the compliance is positive in every row
//   bool kEliminates       it takes care of eliminate_bilateral itself; else a wrapper does
//   bool kProducts         it needs no rows of G, only products and diagonal blocks; else a wrapper densifies a matrix-free G
//   const char* kNoBilateral  why eliminate_bilateral must stay true
// The options derive from CommonOptions; fields() lists them with the values they may take, and a method check(), if there is one,
// throws InvalidInput at combinations that mean nothing. catalog.cpp then takes one word.
#pragma once

#include <stiction/base/invalid_input.h>
#include <stiction/solver/core/bilateral_elimination.h>
#include <stiction/solver/core/densified.h>
#include <stiction/solver/core/progress.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

namespace stiction {

struct About {
  const char *summary, *reference, *failure_modes;
};

// What solver classes have in common: options, and the Progress of a solve.
template <class O>
class Method : public Solver {
 public:
  using Options = O;
  static constexpr int kFacets = 4;
  static constexpr GeneralMatrix kGeneral = GeneralMatrix::refused;
  static constexpr bool kPatches = false;
  static constexpr bool kRegularises = false, kEliminates = false, kProducts = false;
  static constexpr const char* kNoBilateral = nullptr;
  explicit Method(const Options& options = {}) : options_(options) {}
  Options& options() { return options_; }  // for solvers that use this one as a stage

 protected:
  void start(const ContactProblem& problem, VecOut lambda, Pace pace = {}) {
    best_.begin(problem, options_, lambda, history_, pace);
  }

  Options options_;
  Progress best_;
};

// Options of a solver that is a stage of another one: what they share, and a budget.
template <class O>
O stage_options(const CommonOptions& common, int iterations) {
  O o;
  static_cast<CommonOptions&>(o) = common;
  o.cold_start = false;
  o.max_iterations = std::max(1, std::min(iterations, common.max_iterations));
  return o;
}

// Whether S solves problems of this kind: its law, the facets of a pyramid, patches.
template <class S>
bool solves(const ContactProblem& problem) {
  if (problem.general && S::kGeneral == GeneralMatrix::any) return true;
  const bool pyramid = problem.law.kind == FrictionLaw::pyramid;
  if (!S::kPatches && has_patches(problem)) return false;
  return std::find(S::kLaws.begin(), S::kLaws.end(), problem.law.kind) != S::kLaws.end() &&
         !(pyramid && problem.law.facets > S::kFacets);
}

template <class S>
std::unique_ptr<Solver> make_with_options(const OptionMap& map) {
  typename S::Options options;
  assign_options(S::kName, map, options);
  check_options(S::kName, options);
  if constexpr (requires { options.check(); }) options.check();
  if (S::kNoBilateral && !options.eliminate_bilateral)
    throw InvalidInput(std::string(S::kName) + ".eliminate_bilateral is False, expected True: " + S::kNoBilateral);
  std::unique_ptr<Solver> solver = std::make_unique<S>(options);
  if constexpr (!S::kProducts) solver = std::make_unique<DensifiedSolver>(std::move(solver));
  if (!options.eliminate_bilateral || S::kEliminates) return solver;
  return std::make_unique<EliminatingSolver>(std::move(solver), options);
}

template <class S>
SolverInfo describe_solver() {
  return {S::kName,
          S::kAbout.summary,
          S::kAbout.reference,
          S::kAbout.failure_modes,
          {S::kLaws.begin(), S::kLaws.end()},
          describe_options<typename S::Options>(),
          S::kFacets,
          S::kGeneral,
          S::kRegularises,
          S::kPatches,
          &make_with_options<S>};
}

}  // namespace stiction
