// SPDX-License-Identifier: BSD-2-Clause
// The stages of auto in body space, as auto_solver.h lists them: for large problems that come so, and for those whose
// bodies can be recovered (body_recovery.h).
#include <stiction/solver/automatic/auto_solver.h>
#include <stiction/solver/core/best_iterate.h>
#include <stiction/solver/core/block_sets.h>
#include <stiction/solver/core/work_estimate.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kNear = 1e4;          // in tolerances: from here the active set is known
constexpr double kCheapSweeps = 10.0;  // sweeps go first if this many cost less than a step of Newton
constexpr int kBoundedRows = 600;      // more: a step of a simulation is solved at a bounded price
constexpr int kGraphRows = 1500;       // more: the contact graph has too much fill to be a last resort
constexpr int kWarmSteps = 60;         // Newton steps from the impulses of the step before
constexpr int kCorrections = 5;        // of a recovered matrix

// Newton steps from nothing that cost about half of interior points: those factor twice and solve six times as much.
int cold_steps(double factor_work, double product_work) {
  return static_cast<int>(8.0 + 16.0 / (1.0 + factor_work / product_work));
}

}  // namespace

bool AutoSolver::run_bodies(const ContactProblem& problem, const double* start, double kappa, double growth,
                            int steps) {
  best_.ask_for(1e-9 * 2.0 * body_.factor_work());
  if (spent()) return false;
  const int before = body_.steps(), factorisations = body_.factorisations();
  guess_.resize(problem.rows());
  if (start != guess_.data()) std::copy_n(start, problem.rows(), guess_.data());
  const bool done = body_.run(problem, guess_.data(), {kappa, growth, 1e6, std::min(steps, remaining())}, best_);
  counts_.iterations += body_.steps() - before;
  counts_.factorisations += body_.factorisations() - factorisations;
  return done;
}

// Large problems with a guess are steps of simulations: what the first stages cannot do is handed back as it is, and the
// next step starts from there. The long search would cost seconds of a step that lasts milliseconds.
AutoSolver::BodyStage AutoSolver::run_warm(const ContactProblem& problem, const double* guess) {
  const int before = body_.steps(), factorisations = body_.factorisations();
  guess_.resize(problem.rows());
  std::copy_n(guess, problem.rows(), guess_.data());
  const BodyNewton::WarmStage stage = body_.run_warm(
      problem, guess_.data(), {newton_options_.kappa, newton_options_.kappa_growth, 1e6, remaining()}, best_);
  counts_.iterations += body_.steps() - before;
  counts_.factorisations += body_.factorisations() - factorisations;
  switch (stage) {
    case BodyNewton::WarmStage::near:
      return BodyStage::near;
    case BodyNewton::WarmStage::climb:
      return BodyStage::climb;
    case BodyNewton::WarmStage::interior:
      return BodyStage::interior;
    case BodyNewton::WarmStage::stiff:
      break;
  }
  bounded_ = true;
  return BodyStage::stiff;
}

// `swept`: the guess is the best iterate, and comes from sweeps that gave up.
AutoSolver::BodyStage AutoSolver::climb_in_bodies(const ContactProblem& problem, const double* guess, bool swept) {
  const double kappa = newton_options_.kappa, growth = newton_options_.kappa_growth;
  body_.prepare(problem);
  const double products = 20.0 * static_cast<double>(problem.G.body.values.size());
  const double factor = 2.0 * body_.factor_work(), step = factor + products;
  const bool cheap = !swept && kCheapSweeps * sweep_work(problem) < step;
  const bool near = best_.judge(problem, guess).ratio < kNear;
  const bool warm = !swept && std::any_of(guess, guess + problem.rows(), [](double x) { return x != 0.0; });
  if (cheap) {
    best_.offer(problem, guess);
    if (run_sweeps(problem, step) || spent()) return BodyStage::sweeps;
    guess = best_.lambda();
  }
  if (warm && problem.rows() > kBoundedRows) return run_warm(problem, guess);
  if (near && (run_bodies(problem, guess, 1e4, growth, 6) || spent())) return BodyStage::near;
  // Where sweeps have stalled the wrong contacts carry the load: zero is the better start.
  const bool from_zero = swept;
  const double* start = from_zero ? body_.zero(problem) : guess;
  if (run_bodies(problem, start, from_zero ? 10.0 : kappa, growth, warm ? kWarmSteps : cold_steps(factor, products)) ||
      spent())
    return BodyStage::climb;
  if (!cheap && !swept && (run_sweeps(problem, step) || spent())) return BodyStage::late_sweeps;
  if (run_interior(problem) || spent()) return BodyStage::interior;
  prove_infeasible(problem);
  if (spent()) return BodyStage::interior;
  if (run_bodies(problem, best_.lambda(), 1e3, growth, 25) || spent() || run_bodies(problem, guess, 100.0, 10.0, 60) ||
      spent())
    return BodyStage::stiff;
  if (run_bodies(problem, body_.zero(problem), kappa, 3.0, 80) || spent()) return BodyStage::zero;
  for (const double again : {30.0, 1.0, 300.0})
    if (run_bodies(problem, best_.lambda(), again, 4.0, 60) || spent()) return BodyStage::restarts;
  if (!run_gradients(problem, true)) run_gradients(problem, false);
  return BodyStage::gradients;
}

const char* AutoSolver::path_of(BodyStage stage, bool swept, bool recovered) {
  constexpr const char* kPath[3][10] = {
      {"nsgs", "body_newton", "body_newton>climb", "body_newton>climb>nsgs", "body_newton>climb>interior_point",
       "body_newton>climb>interior_point>stiff", "body_newton>climb>interior_point>stiff>zero",
       "body_newton>climb>interior_point>stiff>zero>restarts",
       "body_newton>climb>interior_point>stiff>zero>restarts>apgd",
       "body_newton>climb>interior_point>stiff>zero>restarts>apgd>contact_space"},
      {"nsgs", "nsgs>body_newton", "nsgs>body_newton>climb", "nsgs>body_newton>climb>nsgs",
       "nsgs>body_newton>climb>interior_point", "nsgs>body_newton>climb>interior_point>stiff",
       "nsgs>body_newton>climb>interior_point>stiff>zero", "nsgs>body_newton>climb>interior_point>stiff>zero>restarts",
       "nsgs>body_newton>climb>interior_point>stiff>zero>restarts>apgd",
       "nsgs>body_newton>climb>interior_point>stiff>zero>restarts>apgd>contact_space"},
      {"nsgs>bodies>nsgs", "nsgs>bodies>body_newton", "nsgs>bodies>body_newton>climb",
       "nsgs>bodies>body_newton>climb>nsgs", "nsgs>bodies>body_newton>climb>interior_point",
       "nsgs>bodies>body_newton>climb>interior_point>stiff", "nsgs>bodies>body_newton>climb>interior_point>stiff>zero",
       "nsgs>bodies>body_newton>climb>interior_point>stiff>zero>restarts",
       "nsgs>bodies>body_newton>climb>interior_point>stiff>zero>restarts>apgd",
       "nsgs>bodies>body_newton>climb>interior_point>stiff>zero>restarts>apgd>contact_space"}};
  return kPath[recovered ? 2 : (swept ? 1 : 0)][static_cast<int>(stage)];
}

// The same problem with G = F Fᵀ. F is exact to round-off only, so the solution is corrected: with the velocity error
// (G − F Fᵀ)λ in g, a fixed point solves the problem as given. True if the judge of that problem accepts.
bool AutoSolver::run_recovered(const ContactProblem& problem, BodyStage& stage) {
  if (!recovery_.run(problem) || recovery_.problem().G.body.velocities > problem.rows() * 4 / 5) return false;
  const int n = problem.rows();
  ContactProblem& bodies = recovery_.problem();
  kept_.resize(n), error_.resize(n), product_.resize(n);
  for (int pass = 0; pass <= kCorrections && !spent(); ++pass) {
    std::copy_n(best_.lambda(), n, kept_.data());
    const double before = best_.ratio();
    problem.G.multiply(kept_.data(), error_.data(), scratch_);
    bodies.G.multiply(kept_.data(), product_.data(), scratch_);
    if (pass > 0)  // not at once: the correction leaves the range of F, which far from the solution costs Newton steps
      for (int i = 0; i < n; ++i) bodies.g[i] = problem.g[i] + (error_[i] - product_[i]);
    best_.reset(bodies, options_.judge_tolerance());
    best_.offer(bodies, kept_.data());
    const BodyStage reached = climb_in_bodies(bodies, kept_.data(), pass == 0);
    if (pass == 0) stage = reached;
    std::copy_n(best_.lambda(), n, error_.data());
    best_.reset(problem, options_.judge_tolerance());
    best_.offer(problem, kept_.data());
    if (best_.offer(problem, error_.data())) return true;
    if (!(best_.ratio() < 0.5 * before)) return false;
  }
  return best_.accepted();
}

// What body space could not do, the contact graph may.
Report AutoSolver::finish_in_bodies(const ContactProblem& problem, BodyStage stage, bool swept, VecOut lambda) {
  if (!best_.accepted()) best_.offer(problem, lambda.data());
  if (!best_.accepted() && !spent() && !bounded_ && problem.rows() <= kGraphRows) {
    condenser_.run(problem.G, condensed_.G);
    condensed_.g = problem.g, condensed_.compliance = problem.compliance;
    condensed_.blocks.assign(problem.blocks.begin(), problem.blocks.end());
    condensed_.law = problem.law, condensed_.dt = problem.dt;
    climb(condensed_, true);
    stage = BodyStage::contact_space;
  }
  return finish(problem, path_of(stage, swept, false), lambda);
}

Report AutoSolver::solve_large(const ContactProblem& problem, VecOut lambda) {
  if (!all_finite(lambda.data(), problem.rows())) lambda.setZero();
  best_.reset(problem, options_.judge_tolerance());
  if (!data_finite(problem)) {
    lambda.setZero();
    return best_.finish(problem, Status::invalid_problem, kName, lambda);
  }
  project_blocks(problem, lambda.data());
  return finish_in_bodies(problem, climb_in_bodies(problem, lambda.data(), false), false, lambda);
}

}  // namespace stiction
