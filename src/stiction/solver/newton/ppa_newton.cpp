// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/newton/ppa_newton.h>

namespace stiction {

bool prefers_body_space(const ContactProblem& problem) {
  constexpr int kDenseRows = 300;  // more rows are slower in a dense matrix, even if the velocities are more still
  return problem.G.storage == Delassus::Storage::body_space &&
         (problem.rows() > problem.G.body.velocities || problem.rows() > kDenseRows);
}

// Newton in body space from any finite guess. Returns the path.
const char* PpaNewton::run_body(const ContactProblem& problem, const double* guess) {
  constexpr double kNear = 1e4;  // in tolerances: from here the active set is known
  const PpaNewtonOptions& o = options_;
  body_.prepare(problem);
  const bool near = best_.judge(problem, guess).ratio < kNear;
  const auto run = [&](const double* start, double kappa, double growth, int steps) {
    return body_.run(problem, start, {kappa, growth, 1e6, std::min(steps, o.max_iterations - body_.steps())}, best_);
  };
  switch (body_.run_warm(problem, guess, {o.kappa, o.kappa_growth, 1e6, o.max_iterations}, best_)) {
    case BodyNewton::WarmStage::near:
      return "body_newton";
    case BodyNewton::WarmStage::climb:
      return near ? "body_newton>climb" : "body_newton";
    case BodyNewton::WarmStage::interior:
      return "body_newton>climb>interior_point";
    case BodyNewton::WarmStage::stiff:
      if (best_.accepted()) return "body_newton>climb>interior_point>stiff";
  }
  if (run(guess, 100.0, 10.0, 60)) return "body_newton>climb>interior_point>stiff>fast";
  if (run(body_.zero(problem), o.kappa, 3.0, 80)) return "body_newton>climb>interior_point>stiff>fast>zero";
  for (const double kappa : {30.0, 1.0, 300.0})
    if (std::isfinite(best_.ratio()) && run(best_.lambda(), kappa, 4.0, 60)) break;
  return "body_newton>climb>interior_point>stiff>fast>zero>again";
}

PpaNewton::PpaNewton(const Options& options)
    : Method(options), nsgs_(stage_options<NsgsOptions>(options, options.warm_sweeps)) {
  nsgs_.options().max_iterations = std::max(1, options.warm_sweeps);  // its limit is of Newton steps alone
  nsgs_.options().test_interval = 5;
}

// `steps`: Newton steps, the limit of which is max_iterations.
Report PpaNewton::finish(const ContactProblem& problem, const char* path, int steps, int factorisations,
                         VecOut lambda) {
  if (!best_.accepted()) best_.offer(problem, lambda.data());
  const bool out = steps >= options_.max_iterations || best_.out_of_time();
  Report report = best_.finish(problem, out ? Status::max_iterations : Status::stalled, path, lambda, factorisations);
  report.iterations = steps;
  return report;
}

Report PpaNewton::solve(const ContactProblem& problem, VecOut lambda) {
  if (!solves<PpaNewton>(problem)) return refuse(kName);
  start(problem, lambda);
  if (!data_finite(problem)) return best_.finish(problem, kName, lambda);
  project_blocks(problem, lambda.data());
  if (prefers_body_space(problem)) {
    const char* path = run_body(problem, lambda.data());
    return finish(problem, path, body_.steps(), body_.factorisations(), lambda);
  }
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
  Report report = finish(problem, options_.warm_sweeps > 0 ? "nsgs>ppa_newton" : kName, core_.steps(),
                         core_.factorisations(), lambda);
  report.iterations += warm.iterations + core_.sweeps();
  return report;
}

}  // namespace stiction
