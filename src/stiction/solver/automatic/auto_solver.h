// SPDX-License-Identifier: BSD-2-Clause
// auto: the cheapest method first, stronger ones only while the judge says no. No clock unless `time_limit` is set: the same
// problem takes the same path on every machine. Report.path tells the stages.
//
// Rows of joints (friction, limits, loops) beside others: an active set around the contacts (joint_rows.h), under every law.
// coulomb, one block: closed form. All contacts opening (g_N ≥ 0): λ = 0. Frictionless contacts of free bodies only: sor
// first. Otherwise
// Patches (contacts with spin and roll): nsgs, some admm with its Newton steps, interior_point, admm to the end (auto_patches.cpp).
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
// All of it ends with the option `work`, which simulations set. A guess for more than 600 rows in body space is a step of a simulation and is solved at a bounded price: stages 1 to 4 alone.
// Sweeps may cost what kNewtonSteps Newton steps would (work_estimate.h): whichever was the right choice, the price is about twice
// that of having known it at most. The stages themselves stand as tables in auto_stages.cpp.
// convex: pgs, some admm, newton with proximal points, admm to the end. pyramid: pgs, then lemke while its tableau is small,
// accelerated pgs, dantzig; more than four facets: lemke. raisim: bisection and Newton's method in turn, the sweeps undamped and damped, then from other starts.
// Failure modes: jammed problems, where no λ need exist: `stalled`; with a proof (feasibility.h): `infeasible`.
// Reference: the cascade follows measurements on FCLIB (Acary et al. 2014) and robot problems, docs/solvers.md.
#pragma once

#include <stiction/problem/condenser.h>
#include <stiction/solver/automatic/body_recovery.h>
#include <stiction/solver/automatic/joint_rows.h>
#include <stiction/solver/diagnose/feasibility.h>
#include <stiction/solver/newton/interior_point.h>
#include <stiction/solver/newton/newton.h>
#include <stiction/solver/newton/ppa_newton.h>
#include <stiction/solver/newton/raisim_newton.h>
#include <stiction/solver/pivot/dantzig.h>
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
  double work = 0.0;

  AutoOptions() { max_iterations = 100000; }
  static constexpr auto fields() {
    using O = AutoOptions;
    return extend(
        CommonOptions::fields(), Field{"sweeps", &O::sweeps, "Gauss-Seidel sweeps before stronger methods [-]", ">= 1"},
        Field{"newton_steps", &O::newton_steps, "Newton steps of the first strong stage [-]", ">= 1"},
        Field{"restarts", &O::restarts, "restarts before giving up [-]", ">= 0"},
        Field{"work", &O::work,
              "coulomb: multiply-adds after which the search ends, 0 is unlimited; in simulations 1e9 [-]", ">= 0"});
  }
};

class AutoSolver : public Method<AutoOptions> {
 public:
  static constexpr const char* kName = "auto";
  static constexpr About kAbout{"cheapest method first, stronger ones while the judge says no",
                                "Acary, Bremond, Huber 2018; docs/solvers.md", "jammed (infeasible) problems"};
  static constexpr std::array kLaws{FrictionLaw::coulomb, FrictionLaw::convex, FrictionLaw::pyramid,
                                    FrictionLaw::raisim};
  static constexpr int kFacets = kAnyFacets;
  static constexpr GeneralMatrix kGeneral = GeneralMatrix::any;
  static constexpr bool kPatches = true;
  explicit AutoSolver(const Options& options = {});

  Report solve(const ContactProblem& problem, VecOut lambda) override;
  void record(History* history) override;

 private:
  // A cascade: what its stages look at.
  struct Task {
    const ContactProblem& problem;
    const double* guess;  // where the cascade starts
    int origin;  // of the paths: 0 the start of the solve, 1 after sweeps, 2 after sweeps with bodies recovered
    const char* path = "";
    bool swept = false, near = false, warm = false, cheap = false, calm = false;  // body space
    double ratio = -1.0;  // of the guess, once it has been judged
    double step_work = 0.0;
    int climb_steps = 0;
    bool after_bodies = false;  // contact space: interior points and gradients from zero have been tried
  };
  // When it is entered, and what it runs; true if the judge accepts. auto_stages.cpp has the tables.
  struct Stage {
    const char* path[3];  // by Task::origin
    bool (*run)(AutoSolver& self, Task& task);
    bool (*when)(const Task& task) = nullptr;  // always
  };
  static const Stage kContactSpace[], kBodySpace[];
  static constexpr PpaNewtonOptions kNewton{};
  static constexpr int kDenseRows = 60;  // up to here a dense matrix is faster, and Newton on it takes fewer steps
  // A stage of the laws that relax Coulomb's: a whole solver. `keeps`: the better of its λ and the one before stays.
  struct Turn {
    Solver& method;
    const char* path;  // none: what the solver says
    bool keeps = false;
  };

  // Easy cases, each of which returns what the next one makes: a Report is written once, where the caller wants it.
  Report solve_joints(const ContactProblem& problem, VecOut lambda);
  Report solve_rows(const ContactProblem& problem, VecOut lambda);
  Report solve_one_block(const ContactProblem& problem, VecOut lambda);
  Report solve_blocks(const ContactProblem& problem, VecOut lambda);
  Report solve_closed(const ContactProblem& problem, VecOut lambda);
  Report solve_frictionless(const ContactProblem& problem, VecOut lambda);
  Report solve_general(const ContactProblem& problem, VecOut lambda);
  void begin_general(const ContactProblem& problem);  // its clock, counts and prices
  Report judged(const ContactProblem& problem, const char* path, const VecRef& lambda);

  // Laws that relax Coulomb's.
  Report solve_convex(const ContactProblem& problem, VecOut lambda);
  Report solve_patches(const ContactProblem& problem, VecOut lambda);  // coulomb and convex
  Report solve_pyramid(const ContactProblem& problem, VecOut lambda);
  Report solve_raisim(const ContactProblem& problem, VecOut lambda);
  // RaiSim's (auto_raisim.cpp): sweeps, and what the path is called with them and with Newton's method after them.
  struct RaisimTurn {
    Solver& sweeps;
    const char *path, *after_newton;
  };
  Report sweep_and_step(const ContactProblem& problem, const RaisimTurn& turn, VecOut lambda);
  Report step_raisim(const ContactProblem& problem, const char* path, const Report& before, VecOut lambda);
  Report restart_raisim(const ContactProblem& problem, Report total, VecOut lambda);
  Report solve_in_turn(const ContactProblem& problem, std::initializer_list<Turn> turns, VecOut lambda);

  // Coulomb's law.
  Report solve_large(const ContactProblem& problem, VecOut lambda);
  Report solve_strong(const ContactProblem& problem, const Report& warm, VecOut lambda);
  Report finish_in_bodies(Task& task, VecOut lambda);
  Report finish(const ContactProblem& problem, const char* path, VecOut lambda);
  template <std::size_t N>
  void climb(const Stage (&stages)[N], Task& task);
  void climb_in_bodies(Task& task);
  bool run_warm(Task& task);
  bool run_recovered(const ContactProblem& problem, const char*& path);
  bool run_newton(const ContactProblem& problem, const double* start, PpaSchedule schedule);
  bool run_homotopy(const ContactProblem& problem);
  bool run_restarts(const ContactProblem& problem);
  bool run_bodies(const ContactProblem& problem, const double* start, double kappa, double growth, int steps);
  bool run_sweeps(const ContactProblem& problem, double newton_work);
  bool run_interior(const ContactProblem& problem);
  bool run_gradients(const ContactProblem& problem, bool from_best);
  void prove_infeasible(const ContactProblem& problem);

  int remaining() const;
  int steps_left(int wanted) const;     // Newton steps of these that are within the work
  void set_price(double factor_price);  // of a Newton step, once it is known better
  bool spent() const { return infeasible_ || remaining() <= 0 || best_.out_of_time(); }
  const double* zero(const ContactProblem& problem) { return zero_.assign(problem.rows(), 0.0), zero_.data(); }
  double* guess_from(const ContactProblem& problem, const double* start);
  template <class Run>
  bool counted(Run run);

  Nsgs first_, more_;  // the first sweeps, and those that must be worth it
  Pgs pgs_, accelerated_pgs_;
  Admm short_admm_, admm_;  // some iterations; all of them
  Newton proximal_newton_;
  EliminatingSolver lemke_;
  Dantzig dantzig_;
  Bisection bisection_, damped_bisection_;
  RaisimNewton raisim_newton_;
  InteriorPoint interior_;
  Apgd apgd_;
  FrictionlessSor sor_;
  PpaCore core_;
  BodyNewton body_;
  BodyRecovery recovery_;
  JointRows joints_;
  Condenser condenser_;
  ContactProblem condensed_, coulomb_;
  FeasibilityCheck feasibility_;
  JudgeWork work_;
  LocalBlocks local_;
  GrowingVec guess_, zero_, gradient_, kept_, error_, product_, scratch_, start_, trial_;
  Report counts_;                                  // work done so far in this solve
  double sweep_price_ = 0.0, factor_price_ = 0.0;  // of this solve
  double allowed_work_ = 0.0, short_steps_ = 0.0;  // likewise; 0 is unlimited
  bool cold_ = false;
  bool core_loaded_ = false, asked_ = false, infeasible_ = false, bounded_ = false;
};

}  // namespace stiction
