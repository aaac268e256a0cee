// SPDX-License-Identifier: BSD-2-Clause
// What every solver of the catalog is: options given once, then solve() as often as wanted without allocating.
// A solver holds a workspace that means nothing between calls: the same problem and guess give the same bits.
#pragma once

#include <stiction/base/field.h>
#include <stiction/base/status.h>
#include <stiction/problem/judge.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace stiction {

struct Report {
  Status status = Status::converged;
  int iterations = 0;      // exact count of the method's own iterations (sweeps, Newton steps, …), summed over stages
  int factorisations = 0;  // exact
  Residual own;            // the law's residual, with R
  Residual ncp;            // exact rigid Coulomb: their gap is the price of the model
  const char* path = "";   // stages taken, e.g. "nsgs", "nsgs>ppa_newton"; static strings
};

// Options that all solvers share; each solver's struct derives from it and concatenates its own fields.
struct CommonOptions {
  double tolerance = 1e-8;           // Tolerance::relative
  double force_tolerance = 1e-6;     // Tolerance::force
  double velocity_tolerance = 1e-9;  // Tolerance::velocity
  double power_tolerance = 1e-9;     // Tolerance::power
  int max_iterations = 1000;
  bool cold_start = false;  // ignore the guess and start from λ = 0
  double time_limit = 0.0;  // [s], 0 is none; forbidden inside simulations, where it would break repeatability

  Tolerance judge_tolerance() const { return {tolerance, force_tolerance, velocity_tolerance, power_tolerance}; }

  template <class Owner>
  static constexpr auto common_fields() {
    return std::tuple{
        Field<Owner, double>{"tolerance", &Owner::tolerance, "relative tolerance of the judge [-]"},
        Field<Owner, double>{"force_tolerance", &Owner::force_tolerance, "absolute tolerance on forces [N]"},
        Field<Owner, double>{"velocity_tolerance", &Owner::velocity_tolerance,
                             "absolute tolerance on velocities [m/s]"},
        Field<Owner, double>{"power_tolerance", &Owner::power_tolerance, "absolute tolerance on powers [W]"},
        Field<Owner, int>{"max_iterations", &Owner::max_iterations, "iterations allowed [-]"},
        Field<Owner, bool>{"cold_start", &Owner::cold_start, "ignore the warm start [-]"},
        Field<Owner, double>{"time_limit", &Owner::time_limit,
                             "time allowed, 0 is unlimited; not inside simulations [s]"}};
  }
};

class Solver {
 public:
  virtual ~Solver() = default;
  // lambda: the guess on entry (any finite vector), the result on return: always finite, the best iterate found.
  // At least one iteration is made, so that a warm start is never accepted untouched.
  // Report.own and Report.ncp are the judge's, on the λ returned. No exception, no print, no allocation once the
  // largest size has been seen. Unsupported law or blocks: Status::invalid_problem, λ untouched.
  virtual Report solve(const ContactProblem& problem, VecOut lambda) = 0;
};

struct SolverInfo {
  std::string name, summary, reference, failure_modes;
  std::vector<FrictionLaw::Kind> laws;
  std::vector<OptionInfo> options;
  std::unique_ptr<Solver> (*make)(const OptionMap& options);  // throws InvalidInput on unknown or out-of-range options
};

// The one list of solvers. C++, Python, command line, tests and bench read it.
const std::vector<SolverInfo>& solver_catalog();
const SolverInfo& find_solver(const std::string& name);  // InvalidInput with the closest name
// Throws InvalidInput with the reason if the solver does not solve the law ("solver 'nsgs' solves coulomb, not pyramid").
void require_law(const SolverInfo& solver, FrictionLaw::Kind law);
std::unique_ptr<Solver> make_solver(const std::string& name, const OptionMap& options = {});

}  // namespace stiction
