// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/entry.h>
#include <stiction/solver/newton/ppa_newton.h>

namespace stiction {

namespace {

NsgsOptions warm_up(const PpaNewtonOptions& o) {
  NsgsOptions n;
  static_cast<CommonOptions&>(n) = o;
  n.cold_start = false;
  n.max_iterations = std::max(1, o.warm_sweeps);
  n.test_interval = 5;
  return n;
}

}  // namespace

void PpaNewtonOptions::check() const {
  require_option(penalty > 0.0 && std::isfinite(penalty), "ppa_newton", "penalty", penalty, "a finite value > 0");
  require_option(damping > 0.0 && std::isfinite(damping), "ppa_newton", "damping", damping, "a finite value > 0");
  require_option(kappa > 0.0 && std::isfinite(kappa), "ppa_newton", "kappa", kappa, "a finite value > 0");
  require_option(kappa_growth > 1.0 && kappa_growth <= 30.0, "ppa_newton", "kappa_growth", kappa_growth,
                 "a value in ]1, 30]");
  require_option(warm_sweeps >= 0, "ppa_newton", "warm_sweeps", warm_sweeps, "an integer >= 0");
}

bool prefers_body_space(const ContactProblem& problem) {
  constexpr int kDenseRows = 300;  // more rows are slower in a dense matrix, even if the velocities are more still
  return problem.G.storage == Delassus::Storage::body_space &&
         (problem.rows() > problem.G.body.velocities || problem.rows() > kDenseRows);
}

const char* solve_in_body_space(const ContactProblem& problem, const double* guess, const PpaNewtonOptions& options,
                                BodyNewton& newton, JudgedBest& best) {
  constexpr double kNear = 1e4;  // in tolerances: from here the active set is known
  newton.prepare(problem);
  const bool near = best.judge(problem, guess).ratio < kNear;
  const auto budget = [&](int steps) { return std::min(steps, options.max_iterations - newton.steps()); };
  const auto run = [&](const double* start, double kappa, double growth, int steps) {
    return newton.run(problem, start, {kappa, growth, 1e6, budget(steps)}, best);
  };
  switch (newton.run_warm(problem, guess, {options.kappa, options.kappa_growth, 1e6, options.max_iterations}, best)) {
    case BodyNewton::WarmStage::near:
      return "body_newton";
    case BodyNewton::WarmStage::climb:
      return near ? "body_newton>climb" : "body_newton";
    case BodyNewton::WarmStage::interior:
      return "body_newton>climb>interior_point";
    case BodyNewton::WarmStage::stiff:
      if (best.accepted()) return "body_newton>climb>interior_point>stiff";
  }
  if (run(guess, 100.0, 10.0, 60)) return "body_newton>climb>interior_point>stiff>fast";
  if (run(newton.zero(problem), options.kappa, 3.0, 80)) return "body_newton>climb>interior_point>stiff>fast>zero";
  for (const double kappa : {30.0, 1.0, 300.0})
    if (std::isfinite(best.ratio()) && run(best.lambda(), kappa, 4.0, 60))
      return "body_newton>climb>interior_point>stiff>fast>zero>again";
  return "body_newton>climb>interior_point>stiff>fast>zero>again";
}

PpaNewton::PpaNewton(const Options& options) : options_(options), nsgs_(warm_up(options)) {}

Report PpaNewton::solve_body(const ContactProblem& problem, VecOut lambda) {
  const char* path = solve_in_body_space(problem, lambda.data(), options_, body_, best_);
  if (!best_.accepted()) best_.offer(problem, lambda.data());
  const Status otherwise =
      body_.steps() >= options_.max_iterations || best_.out_of_time() ? Status::max_iterations : Status::stalled;
  Report report = best_.finish(problem, otherwise, path, lambda);
  report.iterations = body_.steps();
  report.factorisations = body_.factorisations();
  return report;
}

Report PpaNewton::solve(const ContactProblem& problem, VecOut lambda) {
  if (problem.law.kind != FrictionLaw::coulomb) return refuse(kName);
  const int rows = problem.rows();
  if (options_.cold_start || !all_finite(lambda.data(), rows)) lambda.setZero();
  best_.reset(problem, options_.judge_tolerance());
  best_.limit_time(options_.time_limit, history_);
  if (!data_finite(problem)) {
    lambda.setZero();
    return best_.finish(problem, Status::invalid_problem, kName, lambda);
  }
  project_blocks(problem, lambda.data());
  if (prefers_body_space(problem)) return solve_body(problem, lambda);
  Report warm;
  if (options_.warm_sweeps > 0) {
    warm = nsgs_.solve(problem, lambda);
    if (warm.status == Status::converged) {
      warm.path = "nsgs";
      return warm;
    }
    best_.offer(problem, lambda.data());
  }
  core_.load(problem);
  core_.run(problem, lambda.data(), {options_.penalty, options_.damping, false, options_.max_iterations}, best_);
  if (!best_.accepted()) best_.offer(problem, lambda.data());
  const Status otherwise =
      core_.steps() >= options_.max_iterations || best_.out_of_time() ? Status::max_iterations : Status::stalled;
  Report report = best_.finish(problem, otherwise, options_.warm_sweeps > 0 ? "nsgs>ppa_newton" : kName, lambda);
  report.iterations = warm.iterations + core_.sweeps() + core_.steps();
  report.factorisations = core_.factorisations();
  return report;
}

SolverInfo ppa_newton_info() {
  return describe_solver<PpaNewton>("proximal point with Alart-Curnier Newton, dense or in body space",
                                    "Acary, Bremond, Huber 2018; Alart, Curnier 1991; Macklin et al. 2019",
                                    "jammed (infeasible) problems; geometric noise in tall stacks",
                                    {FrictionLaw::coulomb});
}

}  // namespace stiction
