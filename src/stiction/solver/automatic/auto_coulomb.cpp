// SPDX-License-Identifier: BSD-2-Clause
// The stages of auto under Coulomb's law, as auto_solver.h lists them.
#include <stiction/solver/automatic/auto_solver.h>
#include <stiction/solver/core/best_iterate.h>
#include <stiction/solver/core/block_sets.h>
#include <stiction/solver/core/work_estimate.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr int kInteriorRows = 600;        // from here on interior points have their turn sooner
constexpr double kSecondsPerUnit = 1e-9;  // of work_estimate.h: only ever asked under a time limit
constexpr double kNewtonFrom = 1e4;       // in tolerances: nearer iterates of gradients are polished
constexpr int kRounds = 12, kLongRounds = 4, kGradients = 4000;
constexpr int kProofRows = 1500;  // of problems worth a proof
constexpr int kDenseRows = 60;    // up to here a dense matrix is faster, and Newton on it takes fewer steps
constexpr int kNewtonSteps = 12;  // what a stronger method costs: sweeps may cost as much
constexpr int kFewestSweeps = 20, kMostSweeps = 5000;
constexpr int kClimb = 40;  // steps of Newton in body space

}  // namespace

// Sweeps from the best iterate while they promise to cost less than Newton's steps. True if the judge accepts.
bool AutoSolver::run_sweeps(const ContactProblem& problem, double step_work) {
  const double affordable = kNewtonSteps * step_work / sweep_work(problem);
  const int sweeps = static_cast<int>(std::clamp<double>(affordable, kFewestSweeps, kMostSweeps));
  more_.options().hope = sweeps;
  more_.options().max_iterations = std::min(sweeps, remaining());
  more_.options().time_limit = best_.seconds_left();
  guess_.resize(problem.rows());
  std::copy_n(best_.lambda(), problem.rows(), guess_.data());
  add_counts(more_.solve(problem, guess_.vec()), counts_);
  return best_.offer(problem, guess_.data());
}

bool AutoSolver::run_interior(const ContactProblem& problem) {
  const bool bodies = prefers_body_space(problem);
  best_.ask_for(kSecondsPerUnit * (bodies ? 4.0 * body_.factor_work() : 2.0 * newton_work(problem)));
  if (spent()) return false;
  interior_.options().max_iterations = std::min(InteriorPointOptions{}.max_iterations, remaining());
  interior_.options().time_limit = best_.seconds_left();
  guess_.assign(problem.rows(), 0.0);
  add_counts(interior_.solve(problem, guess_.vec()), counts_);
  return best_.offer(problem, guess_.data());
}

// Newton in contact space; the core counts from load() on.
bool AutoSolver::run_newton(const ContactProblem& problem, const double* start, const PpaSchedule& schedule) {
  best_.ask_for(kSecondsPerUnit * newton_work(problem));
  if (spent()) return false;
  if (!core_loaded_) core_.load(problem);
  core_loaded_ = true;
  const int steps = core_.steps() + core_.sweeps(), factorisations = core_.factorisations();
  guess_.resize(problem.rows());
  if (start != guess_.data()) std::copy_n(start, problem.rows(), guess_.data());
  PpaSchedule limited = schedule;
  limited.total = std::min(schedule.total, remaining());
  const bool done = core_.run(problem, guess_.data(), limited, best_);
  counts_.iterations += core_.steps() + core_.sweeps() - steps;
  counts_.factorisations += core_.factorisations() - factorisations;
  return done;
}

bool AutoSolver::run_homotopy(const ContactProblem& problem) {
  const int steps = core_.steps(), factorisations = core_.factorisations();
  const bool done = core_.run_homotopy(problem, {10.0, 1.0, false, std::min(200, remaining())}, best_);
  counts_.iterations += core_.steps() - steps;
  counts_.factorisations += core_.factorisations() - factorisations;
  return done;
}

bool AutoSolver::run_restarts(const ContactProblem& problem) {
  const int before = counts_.iterations - core_.steps() - core_.sweeps();
  const int factorisations = counts_.factorisations - core_.factorisations();
  bool done = false;
  for (int k = 1; k <= options_.restarts && !done && !spent(); ++k) {
    const auto seed = static_cast<std::uint64_t>(k);
    done = k <= 6 ? core_.run_order(problem, seed, {10.0, 1e-3, false, 60}, best_)
                  : core_.run_random(problem, seed, {10.0, 1e-2, false, 60}, best_);
    counts_.iterations = before + core_.steps() + core_.sweeps();
    counts_.factorisations = factorisations + core_.factorisations();
  }
  return done;
}

Report AutoSolver::finish(const ContactProblem& problem, const char* path, VecOut lambda) {
  const bool out = remaining() <= 0 || best_.out_of_time();
  if (!best_.accepted() && !out) prove_infeasible(problem);
  const Status otherwise = infeasible_ ? Status::infeasible : (out ? Status::max_iterations : Status::stalled);
  Report report = best_.finish(problem, otherwise, path, lambda);
  add_counts(counts_, report);
  return report;
}

Report AutoSolver::solve_coulomb(const ContactProblem& problem, VecOut lambda) {
  Report report = first_.solve(problem, lambda);
  if (report.status == Status::converged || report.status == Status::invalid_problem) return report;
  return solve_strong(problem, report, lambda);
}

// After the first sweeps, whose λ is the best so far.
Report AutoSolver::solve_strong(const ContactProblem& problem, const Report& warm, VecOut lambda) {
  best_.reset(problem, options_.judge_tolerance());
  best_.offer(problem, lambda.data());
  add_counts(warm, counts_);
  if (spent() || run_sweeps(problem, newton_work(problem)) || spent()) return finish(problem, "nsgs", lambda);
  if (problem.rows() <= kDenseRows) return finish(problem, climb(problem, false), lambda);
  if (prefers_body_space(problem)) {
    std::copy_n(best_.lambda(), problem.rows(), lambda.data());
    return finish_in_bodies(problem, climb_in_bodies(problem, lambda.data(), true), true, lambda);
  }
  BodyStage stage = BodyStage::sweeps;
  if (run_recovered(problem, stage) || spent()) return finish(problem, path_of(stage, true, true), lambda);
  return finish(problem, climb(problem, false), lambda);
}

// Most problems that defy the first strong method have no solution: a proof ends the search.
void AutoSolver::prove_infeasible(const ContactProblem& problem) {
  if (asked_ || problem.rows() > kProofRows) return;
  asked_ = true;
  infeasible_ = feasibility_.proves_infeasible(problem);
}

// Accelerated gradients, for problems that make every Newton method jump: slow, but they do not care. Newton from where they have
// come to, now and then. From the best iterate as long as that helps, or from zero.
bool AutoSolver::run_gradients(const ContactProblem& problem, bool from_best) {
  gradient_.assign(problem.rows(), 0.0);
  for (int round = 0; round < (from_best ? kRounds : kLongRounds) && !spent(); ++round) {
    if (from_best) std::copy_n(best_.lambda(), problem.rows(), gradient_.data());
    const double before = best_.ratio();
    const int iterations = from_best ? kGradients : kGradients << round;  // a new start costs the momentum
    apgd_.options().max_iterations = std::min(iterations, remaining());
    apgd_.options().time_limit = best_.seconds_left();
    const Report report = apgd_.solve(problem, gradient_.vec());
    add_counts(report, counts_);
    if (best_.offer(problem, gradient_.data()) || spent()) break;
    if (report.own.ratio > kNewtonFrom) continue;
    const double* start = from_best ? best_.lambda() : gradient_.data();
    const bool bodies = problem.rows() > kDenseRows && prefers_body_space(problem);
    if (bodies ? run_bodies(problem, start, 1e3, 5.0, 20) : run_newton(problem, start, {10.0, 1e-4, false, 20})) break;
    if (from_best && !(best_.ratio() < 0.9 * before)) break;
  }
  return best_.accepted();
}

// Contact space, from the best iterate: strong methods in the order of their price. `after_bodies`: interior points and
// gradients from zero have been tried.
const char* AutoSolver::climb(const ContactProblem& problem, bool after_bodies) {
  const int first = problem.rows() > kInteriorRows ? options_.newton_steps / 2 : options_.newton_steps;
  if (run_newton(problem, best_.lambda(), {10.0, 1e-3, false, first}) || spent()) return "nsgs>ppa_newton";
  prove_infeasible(problem);
  if (spent() || (!after_bodies && (run_interior(problem) || spent()))) return "nsgs>ppa_newton>interior_point";
  if (run_newton(problem, best_.lambda(), {10.0, 1e-1, false, 4 * options_.newton_steps}) || spent())
    return "nsgs>ppa_newton>interior_point>ppa_newton";
  if (run_newton(problem, best_.lambda(), {100.0, 1e-3, true, 80}) || spent())
    return "nsgs>ppa_newton>interior_point>stiff";
  guess_.assign(problem.rows(), 0.0);
  if (run_newton(problem, guess_.data(), {100.0, 1e-1, false, 80}) || spent())
    return "nsgs>ppa_newton>interior_point>stiff>zero";
  if (run_homotopy(problem) || spent() || run_newton(problem, best_.lambda(), {30.0, 1e-4, false, 100}))
    return "nsgs>ppa_newton>interior_point>stiff>zero>homotopy";
  if (run_gradients(problem, true) || spent()) return "nsgs>ppa_newton>interior_point>stiff>zero>homotopy>apgd";
  if (run_restarts(problem) || spent() || after_bodies)
    return "nsgs>ppa_newton>interior_point>stiff>zero>homotopy>apgd>restarts";
  run_gradients(problem, false);
  return "nsgs>ppa_newton>interior_point>stiff>zero>homotopy>apgd>restarts>apgd";
}

}  // namespace stiction
