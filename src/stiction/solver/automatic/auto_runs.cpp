// SPDX-License-Identifier: BSD-2-Clause
// What the stages of auto_stages.cpp run: each method from a start, within what is left of the budget, its work counted.
#include <stiction/solver/automatic/auto_solver.h>
#include <stiction/solver/core/work_estimate.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr double kNearGradients = 1e4;    // in tolerances: nearer iterates of gradients are polished
constexpr double kSecondsPerUnit = 1e-9;  // of work_estimate.h: only ever asked under a time limit
constexpr int kNewtonSteps = 12;          // what a stronger method costs: sweeps may cost as much
constexpr int kFewestSweeps = 20, kMostSweeps = 5000;
constexpr int kProofRows = 1500;  // of problems worth a proof
constexpr int kRounds = 12, kLongRounds = 4, kGradients = 4000;

}  // namespace

// Large problems with a guess are steps of simulations: what the first stages cannot do is handed back as it is, and the
// next step starts from there. The long search would cost seconds of a step that lasts milliseconds.
bool AutoSolver::run_warm(Task& t) {
  constexpr const char* kPath[] = {"body_newton", "body_newton>climb", "body_newton>climb>interior_point",
                                   "body_newton>climb>interior_point>stiff"};
  const BodySchedule schedule{kNewton.kappa, kNewton.kappa_growth, 1e6, steps_left(remaining())};
  auto stage = BodyNewton::WarmStage::near;
  counted([&] {
    stage = body_.run_warm(t.problem, guess_from(t.problem, t.guess), schedule, best_);
    return true;
  });
  bounded_ = bounded_ || stage == BodyNewton::WarmStage::stiff;
  t.path = kPath[static_cast<int>(stage)];
  return true;
}

double* AutoSolver::guess_from(const ContactProblem& problem, const double* start) {
  guess_.resize(problem.rows());
  if (start != guess_.data()) std::copy_n(start, problem.rows(), guess_.data());
  return guess_.data();
}

// Runs Newton in either space, and adds its steps to the counts.
template <class Run>
bool AutoSolver::counted(Run run) {
  const auto steps = [&] { return core_.steps() + core_.sweeps() + body_.steps(); };
  const auto factorisations = [&] { return core_.factorisations() + body_.factorisations(); };
  counts_.iterations -= steps(), counts_.factorisations -= factorisations();
  const bool done = run();
  counts_.iterations += steps(), counts_.factorisations += factorisations();
  return done;
}

bool AutoSolver::run_bodies(const ContactProblem& problem, const double* start, double kappa, double growth,
                            int steps) {
  best_.ask_for(kSecondsPerUnit * 2.0 * body_.factor_work());
  if (spent()) return false;
  const BodySchedule schedule{kappa, growth, 1e6, steps_left(steps)};
  return counted([&] { return body_.run(problem, guess_from(problem, start), schedule, best_); });
}

// Newton in contact space; the core counts from load() on.
bool AutoSolver::run_newton(const ContactProblem& problem, const double* start, PpaSchedule schedule) {
  best_.ask_for(kSecondsPerUnit * newton_work(problem));
  if (spent()) return false;
  if (!core_loaded_) core_.load(problem);
  core_loaded_ = true;
  schedule.total = steps_left(schedule.total);
  return counted([&] { return core_.run(problem, guess_from(problem, start), schedule, best_); });
}

bool AutoSolver::run_homotopy(const ContactProblem& problem) {
  const PpaSchedule schedule{10.0, 1.0, false, std::min(200, remaining())};
  return counted([&] { return core_.run_homotopy(problem, schedule, best_); });
}

bool AutoSolver::run_restarts(const ContactProblem& problem) {
  bool done = false;
  for (int k = 1; k <= options_.restarts && !done && !spent(); ++k)
    done = counted([&] {
      const auto seed = static_cast<std::uint64_t>(k);
      return k <= 6 ? core_.run_order(problem, seed, {10.0, 1e-3, false, 60}, best_)
                    : core_.run_random(problem, seed, {10.0, 1e-2, false, 60}, best_);
    });
  return done;
}

// Sweeps from the best iterate while they promise to cost less than Newton's steps. True if the judge accepts.
bool AutoSolver::run_sweeps(const ContactProblem& problem, double step_work) {
  const double affordable = kNewtonSteps * step_work / sweep_work(problem);
  const int sweeps = static_cast<int>(std::clamp<double>(affordable, kFewestSweeps, kMostSweeps));
  more_.options().affordable = sweeps;
  more_.options().max_iterations = std::min(sweeps, remaining());
  more_.options().time_limit = best_.seconds_left();
  guess_from(problem, best_.lambda());
  add_counts(more_.solve(problem, guess_.vec()), counts_);
  return best_.offer(problem, guess_.data());
}

bool AutoSolver::run_interior(const ContactProblem& problem) {
  const bool bodies = prefers_body_space(problem);
  best_.ask_for(kSecondsPerUnit * (bodies ? 4.0 * body_.factor_work() : 2.0 * newton_work(problem)));
  if (spent()) return false;
  interior_.options().max_iterations = steps_left(InteriorPointOptions{}.max_iterations);
  interior_.options().time_limit = best_.seconds_left();
  guess_.assign(problem.rows(), 0.0);
  add_counts(interior_.solve(problem, guess_.vec()), counts_);
  return best_.offer(problem, guess_.data());
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
    if (report.own.ratio > kNearGradients) continue;
    const double* start = from_best ? best_.lambda() : gradient_.data();
    const bool bodies = problem.rows() > kDenseRows && prefers_body_space(problem);
    if (bodies ? run_bodies(problem, start, 1e3, 5.0, 20) : run_newton(problem, start, {10.0, 1e-4, false, 20})) break;
    if (from_best && !(best_.ratio() < 0.9 * before)) break;
  }
  return best_.accepted();
}

// Most problems that defy the first strong method have no solution: a proof ends the search.
void AutoSolver::prove_infeasible(const ContactProblem& problem) {
  if (asked_ || problem.rows() > kProofRows) return;
  asked_ = true;
  infeasible_ = feasibility_.proves_infeasible(problem);
}

}  // namespace stiction
