// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/automatic/auto_solver.h>
#include <stiction/solver/core/entry.h>

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr int kLargeRows = 180;  // from here on a body-space problem goes to its Newton first
constexpr int kShortAdmm = 300, kProximalSteps = 1000;
constexpr int kSorSweeps = 200;  // cheap ones: as dear as 20 of nsgs

template <class O>
O limited(const CommonOptions& common, int iterations) {
  O o;
  static_cast<CommonOptions&>(o) = common;
  o.cold_start = false;
  o.max_iterations = std::max(1, std::min(iterations, common.max_iterations));
  return o;
}

NsgsOptions sweeps(const CommonOptions& common, int iterations, int window = 5) {
  NsgsOptions o = limited<NsgsOptions>(common, iterations);
  o.anderson = window;
  o.test_interval = 5;
  return o;
}

// Anderson needs a few differences before it gains anything, and costs as much as a sweep of a robot's contacts: warm problems
// that plain sweeps solve at once are left alone (a swaying quadruped: 3.9 sweeps either way, and 8 % of a step saved).
NsgsOptions first_sweeps(const AutoOptions& options) {
  NsgsOptions o = sweeps(options, options.sweeps);
  o.plain_sweeps = 4;
  return o;
}

PgsOptions accelerated(const CommonOptions& common) {
  PgsOptions o = limited<PgsOptions>(common, common.max_iterations);
  o.anderson = 8;
  return o;
}

EliminatingSolver pivots(const CommonOptions& common) {
  const auto o = limited<LemkeOptions>(common, common.max_iterations);
  return EliminatingSolver(std::make_unique<Lemke>(o), o);
}

NewtonOptions proximal(const CommonOptions& common) {
  auto o = limited<NewtonOptions>(common, kProximalSteps);
  o.proximal = true;
  return o;
}

ApgdOptions gradients(const CommonOptions& common) {
  auto o = limited<ApgdOptions>(common, common.max_iterations);
  o.stall_window = 0;
  return o;
}

PpaNewtonOptions newton(const CommonOptions& common) {
  PpaNewtonOptions o;
  static_cast<CommonOptions&>(o) = common;
  return o;
}

// No contact approaches.
bool all_open(const ContactProblem& problem) {
  for (const Block& b : problem.blocks) {
    const bool contact = b.kind == BlockKind::coulomb || b.kind == BlockKind::unilateral;
    if (!contact || !(problem.g[b.row + b.size - 1] >= 0.0)) return false;
  }
  return true;
}

}  // namespace

void AutoOptions::check() const {
  require_option(sweeps >= 1, "auto", "sweeps", sweeps, "an integer >= 1");
  require_option(newton_steps >= 1, "auto", "newton_steps", newton_steps, "an integer >= 1");
  require_option(restarts >= 0, "auto", "restarts", restarts, "an integer >= 0");
}

AutoSolver::AutoSolver(const Options& o)
    : options_(o),
      newton_options_(newton(o)),
      first_(first_sweeps(o)),
      more_(sweeps(o, o.max_iterations)),
      pgs_(limited<PgsOptions>(o, 400)),
      accelerated_pgs_(accelerated(o)),
      short_admm_(limited<AdmmOptions>(o, kShortAdmm)),
      admm_(limited<AdmmOptions>(o, o.max_iterations)),
      proximal_newton_(proximal(o)),
      lemke_(pivots(o)),
      bisection_(limited<BisectionOptions>(o, o.max_iterations)),
      interior_(limited<InteriorPointOptions>(o, o.max_iterations)),
      apgd_(gradients(o)) {}

void AutoSolver::record(History* history) {
  history_ = history;
  for (Solver* stage : std::initializer_list<Solver*>{&first_, &more_, &interior_, &apgd_, &pgs_, &accelerated_pgs_,
                                                      &short_admm_, &admm_, &proximal_newton_, &lemke_, &bisection_})
    stage->record(history);
}

Report AutoSolver::solve(const ContactProblem& problem, VecOut lambda) {
  if (options_.cold_start) lambda.setZero();
  if (problem.general) return solve_by_pivots(problem, lambda);
  switch (problem.law.kind) {
    case FrictionLaw::coulomb:
      break;
    case FrictionLaw::convex:
      return proven(problem, solve_convex(problem, lambda));
    case FrictionLaw::pyramid:
      return proven(problem, solve_pyramid(problem, lambda));
    case FrictionLaw::raisim:
      return proven(problem, bisection_.solve(problem, lambda));
  }
  return problem.blocks.size() == 1 ? solve_one_block(problem, lambda) : solve_blocks(problem, lambda);
}

// Each stage returns what the next one makes: a Report is written once, where the caller wants it.
Report AutoSolver::solve_blocks(const ContactProblem& problem, VecOut lambda) {
  return all_open(problem) ? solve_open(problem, lambda) : solve_closed(problem, lambda);
}

Report AutoSolver::solve_closed(const ContactProblem& problem, VecOut lambda) {
  if (options_.time_limit <= 0.0 && sor_.load(problem)) return solve_frictionless(problem, lambda);
  return solve_general(problem, lambda);
}

Report AutoSolver::solve_general(const ContactProblem& problem, VecOut lambda) {
  best_.limit_time(options_.time_limit, history_);
  counts_.iterations = counts_.factorisations = 0;
  core_loaded_ = asked_ = infeasible_ = bounded_ = false;
  const bool large = problem.rows() > kLargeRows && prefers_body_space(problem);
  return large ? solve_large(problem, lambda) : solve_coulomb(problem, lambda);
}

// One block has a closed form, whatever the guess.
Report AutoSolver::solve_one_block(const ContactProblem& problem, VecOut lambda) {
  const Block& b = problem.blocks[0];
  if (b.kind == BlockKind::coulomb) {
    double w[9];
    std::copy_n(problem.G.diagonal_block(0), 9, w);
    for (int k = 0; k < 3; ++k) w[4 * k] += problem.R(k);
    LocalContact contact;
    contact.prepare(w, b.mu);
    double r[3];
    contact.solve(problem.g.data(), r);
    lambda = Vec3(r[0], r[1], r[2]);
  } else if (const double w = *problem.G.diagonal_block(0) + problem.R(0); b.kind == BlockKind::unilateral && w > 0.0) {
    lambda[0] = std::max(0.0, -problem.g[0] / w);
  } else {
    local_.prepare(problem, false);
    lambda.setZero();
    local_.solve_other(b, 0, 1.0, problem.g.data(), lambda.data());
  }
  Report report = judged(problem, "closed_form", lambda);
  if (report.status != Status::converged) report = solve_blocks(problem, lambda);
  return report;
}

Report AutoSolver::solve_open(const ContactProblem& problem, VecOut lambda) {
  lambda.setZero();
  Report report = judged(problem, "open", lambda);
  if (report.status != Status::converged) report = solve_closed(problem, lambda);
  return report;
}

// The λ of sweeps that do not suffice is the guess of the next stage.
Report AutoSolver::solve_frictionless(const ContactProblem& problem, VecOut lambda) {
  sor_.run(options_.judge_tolerance(), std::min(kSorSweeps, options_.max_iterations), lambda.data());
  Report report = judged(problem, "sor", lambda);
  report.iterations = 0;
  if (report.status != Status::converged) report = solve_general(problem, lambda);
  report.iterations += sor_.sweeps();
  return report;
}

// Islands of one contact are the commonest of all: judged straight into the report.
Report AutoSolver::judged(const ContactProblem& problem, const char* path, const VecRef& lambda) {
  const Tolerance tolerance = options_.judge_tolerance();
  const Residual own = evaluate(problem, lambda, problem.law, true, tolerance, work_, Detail::acceptance);
  const Status status = own.accepted() ? Status::converged : Status::stalled;
  if (!problem.compliant()) return {status, 1, 0, own, own, path};
  return {
      status, 1, 0, own, evaluate(problem, lambda, {FrictionLaw::coulomb}, false, tolerance, work_, Detail::acceptance),
      path};
}

SolverInfo auto_info() {
  return describe_solver<AutoSolver>(
      "cheapest method first, stronger ones while the judge says no", "Acary, Bremond, Huber 2018; docs/solvers.md",
      "jammed (infeasible) problems",
      {FrictionLaw::coulomb, FrictionLaw::convex, FrictionLaw::pyramid, FrictionLaw::raisim});
}

}  // namespace stiction
