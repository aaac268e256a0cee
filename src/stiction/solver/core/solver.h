// SPDX-License-Identifier: BSD-2-Clause
// What every solver of the catalog is: options given once, then solve() as often as wanted without allocating.
// A solver holds a workspace that means nothing between calls: the same problem and guess give the same bits.
#pragma once

#include <stiction/base/field.h>
#include <stiction/base/status.h>
#include <stiction/problem/judge.h>
#include <stiction/solver/core/history.h>

#include <limits>
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
  // The law's residual with the R that the solver itself added (newton); elsewhere zero. A small one beside a large
  // `own` is the mark of a regularisation that hides a failure, so it never decides the status.
  Residual regularised{};
  int cycle = 0;  // period [sweeps] of the limit cycle that a sweep was caught in (`stalled`), 0 if in none
};

// The answer to a law or block a solver does not know; λ is left untouched.
inline Report refuse(const char* path) {
  Report report;
  report.status = Status::invalid_problem;
  report.path = path;
  report.own.ratio = report.ncp.ratio = std::numeric_limits<double>::quiet_NaN();  // never reads as accepted
  return report;
}

// Work of an earlier stage of the same solve.
inline void add_counts(const Report& from, Report& to) {
  to.iterations += from.iterations;
  to.factorisations += from.factorisations;
}

// Options that all solvers share; each solver's struct derives from it and extends its fields.
struct CommonOptions {
  double tolerance = 1e-8;           // Tolerance::relative
  double force_tolerance = 1e-6;     // Tolerance::force
  double velocity_tolerance = 1e-9;  // Tolerance::velocity
  double power_tolerance = 1e-9;     // Tolerance::power
  int max_iterations = 1000;
  bool cold_start = false;           // ignore the guess and start from λ = 0
  double time_limit = 0.0;           // [s], 0 is none; forbidden inside simulations, where it would break repeatability
  bool eliminate_bilateral = false;  // bilateral_elimination.h; solvers without rows for them know only true

  Tolerance judge_tolerance() const { return {tolerance, force_tolerance, velocity_tolerance, power_tolerance}; }

  static constexpr auto fields() {
    using O = CommonOptions;
    return std::tuple{
        Field{"tolerance", &O::tolerance, "relative tolerance of the judge [-]", "> 0"},
        Field{"force_tolerance", &O::force_tolerance, "absolute tolerance on forces [N]", ">= 0"},
        Field{"velocity_tolerance", &O::velocity_tolerance, "absolute tolerance on velocities [m/s]", ">= 0"},
        Field{"power_tolerance", &O::power_tolerance, "absolute tolerance on powers [W]", ">= 0"},
        Field{"max_iterations", &O::max_iterations, "iterations allowed [-]", ">= 1"},
        Field{"cold_start", &O::cold_start, "ignore the warm start [-]"},
        Field{"time_limit", &O::time_limit, "time allowed, 0 is unlimited; not inside simulations [s]",
              ">= 0, 0 for no limit"},
        Field{"eliminate_bilateral", &O::eliminate_bilateral,
              "solve for the other blocks on the Schur complement of the bilateral ones [-]"}};
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

  // From now on every solve writes the judge's residual at each iteration to `history`; nullptr ends it. What is
  // computed stays the same. Stages hand it on.
  virtual void record(History* history) { history_ = history; }

 protected:
  History* history_ = nullptr;
};

constexpr int kAnyFacets = 1 << 20;

// What a solver asks of the matrix of a plain linear complementarity problem.
enum class GeneralMatrix { refused, positive_diagonal, any };

struct SolverInfo {
  std::string name, summary, reference, failure_modes;
  std::vector<FrictionLaw::Kind> laws;
  std::vector<OptionInfo> options;
  int facets;             // sides of the pyramid it can do: 4, or kAnyFacets
  GeneralMatrix general;  // of a linear complementarity problem, where it need not be positive semidefinite
  bool regularises;       // solves a regularised problem unless the compliance is positive in every row
  bool patches;           // knows contacts with spin and roll
  std::unique_ptr<Solver> (*make)(const OptionMap& options);  // throws InvalidInput on unknown or out-of-range options
};

}  // namespace stiction
