// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/ac_newton.h>
#include <stiction/solver/admm.h>
#include <stiction/solver/apgd.h>
#include <stiction/solver/auto_solver.h>
#include <stiction/solver/bisection.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/dantzig.h>
#include <stiction/solver/interior_point.h>
#include <stiction/solver/jor.h>
#include <stiction/solver/lcp_qp.h>
#include <stiction/solver/lemke.h>
#include <stiction/solver/newton.h>
#include <stiction/solver/nsgs.h>
#include <stiction/solver/pgs.h>
#include <stiction/solver/ppa_newton.h>
#include <stiction/solver/sor.h>
#include <stiction/solver/staggered.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace stiction {
namespace {

// One line per solver. The order is the order of tables, help texts and reports.
std::vector<SolverInfo> list_solvers() {
  return {
      auto_info(),       nsgs_info(),      pgs_info(),       jor_info(),
      sor_info(),        bisection_info(), admm_info(),      staggered_info(),
      lemke_info(),      lcp_qp_info(),    dantzig_info(),   newton_info(),
      ppa_newton_info(), apgd_info(),      ac_newton_info(), interior_point_info(),
  };
}

bool solves(const SolverInfo& solver, FrictionLaw::Kind law) {
  return std::find(solver.laws.begin(), solver.laws.end(), law) != solver.laws.end();
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : ", ") + w;
  return text;
}

void require_not_negative(const std::string& owner, const char* field, double value) {
  require_option(std::isfinite(value) && value >= 0.0, owner, field, value, "a finite value >= 0");
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
  if (solves(solver, law) && law == FrictionLaw::pyramid && given.facets > solver.facets)
    throw InvalidInput("solver '" + solver.name + "' solves pyramids of four facets, not of " +
                       std::to_string(given.facets) + "; solvers for them: auto, lemke");
  if (solves(solver, law)) return;
  std::vector<std::string> own, others;
  for (const FrictionLaw::Kind k : solver.laws) own.emplace_back(stiction::name(k));
  for (const SolverInfo& s : solver_catalog())
    if (solves(s, law)) others.push_back(s.name);
  throw InvalidInput("solver '" + solver.name + "' solves " + joined(own) + ", not " + stiction::name(law) + "; " +
                     (others.empty() ? "no solver here does" : "solvers for it: " + joined(others)));
}

void require_problem(const SolverInfo& solver, const ContactProblem& problem) {
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

void require_option(bool ok, const std::string& owner, const std::string& field, double value,
                    const std::string& wanted) {
  if (ok) return;
  std::ostringstream text;
  text << owner << "." << field << " is " << value << ", expected " << wanted;
  throw InvalidInput(text.str());
}

void check_common_options(const std::string& owner, const CommonOptions& o) {
  require_option(std::isfinite(o.tolerance) && o.tolerance > 0.0, owner, "tolerance", o.tolerance,
                 "a finite value > 0");
  require_not_negative(owner, "force_tolerance", o.force_tolerance);
  require_not_negative(owner, "velocity_tolerance", o.velocity_tolerance);
  require_not_negative(owner, "power_tolerance", o.power_tolerance);
  require_option(o.max_iterations >= 1, owner, "max_iterations", o.max_iterations, "an integer >= 1");
  require_option(std::isfinite(o.time_limit) && o.time_limit >= 0.0, owner, "time_limit", o.time_limit,
                 "a finite value >= 0, 0 for no limit");
}

}  // namespace stiction
