// SPDX-License-Identifier: BSD-2-Clause
// auto: the cheapest method first, stronger ones only while the judge says no. No clock: the same problem takes the same
// path on every machine. Report.path tells the stages.
//
// coulomb, one block: closed form. All contacts opening (g_N ≥ 0): λ = 0. Frictionless contacts of free bodies only: sor
// first. Otherwise
//   contact space (a few dozen contacts)            body space (large, G = HHᵀ, more rows than velocities)
//   1 nsgs + Anderson, a few sweeps; more of them   1 guess near: stiff Newton at once
//     if the contraction says they will do          2 Newton with a climbing penalty; other schedules
//   2 ppa_newton from the best iterate              3 sweeps of nsgs, then 2 again
//   3 stiffer ρ, monotone; from zero
//   4 compliance homotopy
//   5 shuffled sweep orders; random starts
// convex: pgs, some admm, newton with proximal points, admm to the end. pyramid: pgs, then lemke while its tableau is small, else accelerated pgs; more than four
// facets: lemke. raisim: bisection.
// Failure modes: those of jammed problems, where no λ need exist; reported as `stalled` or `max_iterations`.
// Reference: the cascade follows measurements on FCLIB (Acary et al. 2014) and robot problems, docs/solvers.md.
#pragma once

#include <stiction/solver/admm.h>
#include <stiction/solver/bilateral_elimination.h>
#include <stiction/solver/bisection.h>
#include <stiction/solver/frictionless_sor.h>
#include <stiction/solver/lemke.h>
#include <stiction/solver/newton.h>
#include <stiction/solver/nsgs.h>
#include <stiction/solver/pgs.h>
#include <stiction/solver/ppa_newton.h>

namespace stiction {

struct AutoOptions : CommonOptions {
  int sweeps = 15;
  int newton_steps = 60;
  int restarts = 16;

  AutoOptions() { max_iterations = 20000; }
  static constexpr auto fields() {
    using O = AutoOptions;
    return std::tuple_cat(
        common_fields<O>(),
        std::tuple{Field<O, int>{"sweeps", &O::sweeps, "Gauss-Seidel sweeps before stronger methods [-]"},
                   Field<O, int>{"newton_steps", &O::newton_steps, "Newton steps of the first strong stage [-]"},
                   Field<O, int>{"restarts", &O::restarts, "restarts before giving up [-]"}});
  }
  void check() const;
};

class AutoSolver : public Solver {
 public:
  using Options = AutoOptions;
  static constexpr const char* kName = "auto";
  static constexpr int kFacets = kAnyFacets;
  static constexpr GeneralMatrix kGeneral = GeneralMatrix::any;
  explicit AutoSolver(const Options& options = {});

  Report solve(const ContactProblem& problem, VecOut lambda) override;
  void record(History* history) override;

 private:
  Report solve_one_block(const ContactProblem& problem, VecOut lambda);
  Report solve_blocks(const ContactProblem& problem, VecOut lambda);
  Report solve_open(const ContactProblem& problem, VecOut lambda);
  Report solve_closed(const ContactProblem& problem, VecOut lambda);
  Report solve_frictionless(const ContactProblem& problem, VecOut lambda);
  Report solve_general(const ContactProblem& problem, VecOut lambda);
  Report solve_coulomb(const ContactProblem& problem, VecOut lambda);
  Report solve_large(const ContactProblem& problem, VecOut lambda);
  Report solve_strong(const ContactProblem& problem, const Report& warm, VecOut lambda);
  const char* climb(const ContactProblem& problem, const double* start);
  Report solve_convex(const ContactProblem& problem, VecOut lambda);
  Report improve(const ContactProblem& problem, Solver& stage, const Report& before, VecOut lambda);
  Report solve_pyramid(const ContactProblem& problem, VecOut lambda);
  Report solve_by_pivots(const ContactProblem& problem, VecOut lambda);
  Report judged(const ContactProblem& problem, const char* path, const VecRef& lambda);

  Options options_;
  PpaNewtonOptions newton_options_;
  Nsgs first_, more_, long_;  // the first sweeps, a few more, many
  Pgs pgs_, accelerated_pgs_;
  Admm short_admm_, admm_;  // some iterations; all of them
  Newton proximal_newton_;
  EliminatingSolver lemke_;
  Bisection bisection_;
  FrictionlessSor sor_;
  PpaCore core_;
  BodyNewton body_;
  JudgedBest best_;
  JudgeWork work_;
  LocalBlocks local_;
  GrowingVec guess_;
};

SolverInfo auto_info();

}  // namespace stiction
