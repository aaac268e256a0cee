// SPDX-License-Identifier: BSD-2-Clause
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

bool prefers_body_space(const ContactProblem& problem) {
  constexpr int kDenseRows = 300;  // more rows are slower in a dense matrix, even if the velocities are more still
  return problem.G.storage == Delassus::Storage::body_space &&
         (problem.rows() > problem.G.body.velocities || problem.rows() > kDenseRows);
}

const char* solve_in_body_space(const ContactProblem& problem, const double* guess, const PpaNewtonOptions& options,
                                BodyNewton& newton, Progress& best) {
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

PpaNewton::PpaNewton(const Options& options) : Method(options), nsgs_(warm_up(options)) {}

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
  if (!solves<PpaNewton>(problem)) return refuse(kName);
  start(problem, lambda);
  if (!data_finite(problem)) return best_.finish(problem, kName, lambda);
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

}  // namespace stiction
