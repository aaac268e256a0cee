// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/admm.h>
#include <stiction/solver/auto_solver.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/nsgs.h>
#include <stiction/solver/pgs.h>
#include <stiction/solver/ppa_newton.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace stiction {
namespace {

// One line per solver. The order is the order of tables, help texts and reports.
std::vector<SolverInfo> list_solvers() {
  return {
      auto_info(), nsgs_info(), pgs_info(), admm_info(), ppa_newton_info(),
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

void require_law(const SolverInfo& solver, FrictionLaw::Kind law) {
  if (solves(solver, law)) return;
  std::vector<std::string> own, others;
  for (const FrictionLaw::Kind k : solver.laws) own.emplace_back(stiction::name(k));
  for (const SolverInfo& s : solver_catalog())
    if (solves(s, law)) others.push_back(s.name);
  throw InvalidInput("solver '" + solver.name + "' solves " + joined(own) + ", not " + stiction::name(law) + "; " +
                     (others.empty() ? "no solver here does" : "solvers for it: " + joined(others)));
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
