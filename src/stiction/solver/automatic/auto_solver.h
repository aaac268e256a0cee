// SPDX-License-Identifier: BSD-2-Clause
// auto: the cheapest method first, stronger ones only while the judge says no. No clock unless `time_limit` is set: the same
// problem takes the same path on every machine. Report.path tells the stages.
//
// coulomb, one block: closed form. All contacts opening (g_N ≥ 0): λ = 0. Frictionless contacts of free bodies only: sor
// first. Otherwise
//   contact space                                   body space (G = HHᵀ, large)
//   1 nsgs + Anderson, 15 sweeps                    1 guess near: stiff Newton at once (body_newton.h)
//   2 more of them, as long as their contraction    2 sweeps, as on the left, if a factorisation is dear
//     promises to be cheaper than Newton            3 Newton with a climbing penalty
//   3 ppa_newton; interior_point                    4 interior_point, which cares neither for the guess nor for
//     (sooner from 600 rows on)                       the condition, and its polish
//   4 stiffer ρ, monotone; from zero                5 other penalties; apgd with Newton now and then
//   5 compliance homotopy                           6 contact space, if it is small enough
//   6 apgd with Newton now and then; shuffled sweep
//     orders; random starts; apgd from zero
// A guess for more than 600 rows in body space is a step of a simulation and is solved at a bounded price: stages 1 to 4 alone.
// Stage 2 has a budget: sweeps may cost what kNewtonSteps Newton steps would (work_estimate.h), so that whichever was the
// right choice, the price is about twice that of having known it at most.
// convex: pgs, some admm, newton with proximal points, admm to the end. pyramid: pgs, then lemke while its tableau is small,
// else accelerated pgs; more than four facets: lemke. raisim: bisection.
// Failure modes: jammed problems, where no λ need exist: `stalled`; with a proof (feasibility.h): `infeasible`.
// Reference: the cascade follows measurements on FCLIB (Acary et al. 2014) and robot problems, docs/solvers.md.
#pragma once

#include <stiction/problem/condenser.h>
#include <stiction/solver/automatic/body_recovery.h>
#include <stiction/solver/core/bilateral_elimination.h>
#include <stiction/solver/diagnose/feasibility.h>
#include <stiction/solver/newton/interior_point.h>
#include <stiction/solver/newton/newton.h>
#include <stiction/solver/newton/ppa_newton.h>
#include <stiction/solver/pivot/lemke.h>
#include <stiction/solver/splitting/admm.h>
#include <stiction/solver/splitting/apgd.h>
#include <stiction/solver/sweep/bisection.h>
#include <stiction/solver/sweep/frictionless_sor.h>
#include <stiction/solver/sweep/nsgs.h>
#include <stiction/solver/sweep/pgs.h>

namespace stiction {

struct AutoOptions : CommonOptions {
  int sweeps = 15;
  int newton_steps = 60;
  int restarts = 16;

  AutoOptions() { max_iterations = 100000; }
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
  // How far the stages in body space went.
  enum class BodyStage { sweeps, near, climb, late_sweeps, interior, stiff, zero, restarts, gradients, contact_space };

  Report solve_one_block(const ContactProblem& problem, VecOut lambda);
  Report solve_blocks(const ContactProblem& problem, VecOut lambda);
  Report solve_open(const ContactProblem& problem, VecOut lambda);
  Report solve_closed(const ContactProblem& problem, VecOut lambda);
  Report solve_frictionless(const ContactProblem& problem, VecOut lambda);
  Report solve_general(const ContactProblem& problem, VecOut lambda);
  Report solve_coulomb(const ContactProblem& problem, VecOut lambda);
  Report solve_large(const ContactProblem& problem, VecOut lambda);
  Report solve_strong(const ContactProblem& problem, const Report& warm, VecOut lambda);
  const char* climb(const ContactProblem& problem, bool after_bodies);
  Report finish_in_bodies(const ContactProblem& problem, BodyStage stage, bool swept, VecOut lambda);
  bool run_gradients(const ContactProblem& problem, bool from_best);
  BodyStage climb_in_bodies(const ContactProblem& problem, const double* guess, bool swept);
  BodyStage run_warm(const ContactProblem& problem, const double* guess);
  bool run_recovered(const ContactProblem& problem, BodyStage& stage);
  static const char* path_of(BodyStage stage, bool swept, bool recovered);
  bool run_newton(const ContactProblem& problem, const double* start, const PpaSchedule& schedule);
  bool run_homotopy(const ContactProblem& problem);
  bool run_restarts(const ContactProblem& problem);
  bool run_bodies(const ContactProblem& problem, const double* start, double kappa, double growth, int steps);
  bool run_sweeps(const ContactProblem& problem, double newton_work);
  bool run_interior(const ContactProblem& problem);
  int remaining() const { return options_.max_iterations - counts_.iterations; }
  bool spent() const { return infeasible_ || remaining() <= 0 || best_.out_of_time(); }
  void prove_infeasible(const ContactProblem& problem);
  Report proven(const ContactProblem& problem, Report report);
  Report finish(const ContactProblem& problem, const char* path, VecOut lambda);
  Report solve_convex(const ContactProblem& problem, VecOut lambda);
  Report improve(const ContactProblem& problem, Solver& stage, const Report& before, VecOut lambda);
  Report solve_pyramid(const ContactProblem& problem, VecOut lambda);
  Report solve_by_pivots(const ContactProblem& problem, VecOut lambda);
  Report judged(const ContactProblem& problem, const char* path, const VecRef& lambda);

  Options options_;
  PpaNewtonOptions newton_options_;
  Nsgs first_, more_;  // the first sweeps, and those that must be worth it
  Pgs pgs_, accelerated_pgs_;
  Admm short_admm_, admm_;  // some iterations; all of them
  Newton proximal_newton_;
  EliminatingSolver lemke_;
  Bisection bisection_;
  InteriorPoint interior_;
  Apgd apgd_;
  FrictionlessSor sor_;
  PpaCore core_;
  BodyNewton body_;
  BodyRecovery recovery_;
  Condenser condenser_;
  ContactProblem condensed_;
  FeasibilityCheck feasibility_;
  JudgedBest best_;
  JudgeWork work_;
  LocalBlocks local_;
  GrowingVec guess_, gradient_, kept_, error_, product_, scratch_;
  Report counts_;  // work done so far in this solve
  bool core_loaded_ = false, asked_ = false, infeasible_ = false, bounded_ = false;
};

SolverInfo auto_info();

}  // namespace stiction
