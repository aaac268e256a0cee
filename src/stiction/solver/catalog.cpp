// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/solver/automatic/auto_solver.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/newton/ac_newton.h>
#include <stiction/solver/newton/interior_point.h>
#include <stiction/solver/newton/newton.h>
#include <stiction/solver/newton/ppa_newton.h>
#include <stiction/solver/pivot/dantzig.h>
#include <stiction/solver/pivot/lcp_qp.h>
#include <stiction/solver/pivot/lemke.h>
#include <stiction/solver/splitting/admm.h>
#include <stiction/solver/splitting/apgd.h>
#include <stiction/solver/splitting/staggered.h>
#include <stiction/solver/sweep/bisection.h>
#include <stiction/solver/sweep/jor.h>
#include <stiction/solver/sweep/nsgs.h>
#include <stiction/solver/sweep/pgs.h>
#include <stiction/solver/sweep/sor.h>

#include <algorithm>

namespace stiction {
namespace {

template <class... S>
std::vector<SolverInfo> describe() {
  return {describe_solver<S>()...};
}

// The order is the order of tables, help texts and reports.
std::vector<SolverInfo> list_solvers() {
  return describe<AutoSolver, Nsgs, Pgs, Jor, Sor, Bisection, Admm, Staggered, Lemke, LcpQp, Dantzig, Newton, PpaNewton,
                  Apgd, AcNewton, InteriorPoint>();
}

bool lists(const SolverInfo& solver, FrictionLaw::Kind law) {
  return std::find(solver.laws.begin(), solver.laws.end(), law) != solver.laws.end();
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : ", ") + w;
  return text;
}

}  // namespace

const std::vector<SolverInfo>& solver_catalog() {
  static const std::vector<SolverInfo> list = list_solvers();
  return list;
}

const SolverInfo& find_solver(const std::string& name) {
  std::vector<std::string> names;
  for (const SolverInfo& s : solver_catalog()) {
    if (s.name == name) return s;
    names.push_back(s.name);
  }
  throw InvalidInput(unknown_name("solver", name, names));
}

void require_law(const SolverInfo& solver, const FrictionLaw& given) {
  const FrictionLaw::Kind law = given.kind;
  if (lists(solver, law) && law == FrictionLaw::pyramid && given.facets > solver.facets)
    throw InvalidInput("solver '" + solver.name + "' solves pyramids of four facets, not of " +
                       std::to_string(given.facets) + "; solvers for them: auto, lemke");
  if (lists(solver, law)) return;
  std::vector<std::string> own, others;
  for (const FrictionLaw::Kind k : solver.laws) own.emplace_back(stiction::name(k));
  for (const SolverInfo& s : solver_catalog())
    if (lists(s, law)) others.push_back(s.name);
  throw InvalidInput("solver '" + solver.name + "' solves " + joined(own) + ", not " + stiction::name(law) + "; " +
                     (others.empty() ? "no solver here does" : "solvers for it: " + joined(others)));
}

void require_patches(const SolverInfo& solver) {
  if (solver.patches) return;
  std::vector<std::string> others;
  for (const SolverInfo& s : solver_catalog())
    if (s.patches) others.push_back(s.name);
  throw InvalidInput("solver '" + solver.name +
                     "' does not know contacts with friction of spin and roll (mu_torsion, mu_rolling; blocks of kind "
                     "patch); solvers that do: " +
                     joined(others));
}

void require_problem(const SolverInfo& solver, const ContactProblem& problem) {
  if (has_patches(problem)) require_patches(solver);
  if (!problem.general) return require_law(solver, problem.law);
  if (solver.general == GeneralMatrix::any) return;
  std::vector<std::string> others;
  for (const SolverInfo& s : solver_catalog())
    if (s.general == GeneralMatrix::any) others.push_back(s.name);
  const std::string names = "; solvers for any matrix: " + joined(others);
  if (solver.general == GeneralMatrix::refused)
    throw InvalidInput("solver '" + solver.name + "' needs a positive semidefinite matrix" + names);
  for (std::size_t i = 0; i < problem.blocks.size(); ++i)
    if (const double d = *problem.G.diagonal_block(static_cast<int>(i)); !(d > 0.0)) {
      const std::string k = std::to_string(i);
      throw InvalidInput("solver '" + solver.name + "' divides by the diagonal, and M[" + k + ", " + k + "] is " +
                         std::to_string(d) + ", expected > 0" + names);
    }
}

std::unique_ptr<Solver> make_solver(const std::string& name, const OptionMap& options) {
  return find_solver(name).make(options);
}

}  // namespace stiction
