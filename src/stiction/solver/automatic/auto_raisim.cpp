// SPDX-License-Identifier: BSD-2-Clause
// auto under RaiSim's law. Sweeps find out which contacts stick and slip, Newton's method ends where they creep: undamped, then damped.
// Where both end in a cycle, other starts lead elsewhere: the solution under Coulomb's law, then impulses at random within the cones, of
// sizes over two orders of magnitude. Not in simulations (`work`), whose next step is another problem.
#include <stiction/base/random.h>
#include <stiction/solver/automatic/auto_solver.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

constexpr int kRaisimSteps = 20;
constexpr int kRaisimRows = 120;  // of Newton's method: a step factors a matrix of any rank, 20 n³

// Impulses of contacts within their cones, half of them at the rim; other rows 0. `speed` is the size of g.
void random_impulses(const ContactProblem& problem, double speed, Random& random, double* lambda) {
  const double size = speed * std::pow(10.0, random.uniform(-1.5, 0.5));
  std::fill_n(lambda, problem.rows(), 0.0);
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& b = problem.blocks[i];
    if (b.kind != BlockKind::coulomb) continue;
    const double* G = problem.G.diagonal_block(static_cast<int>(i));
    const double trace = G[0] + G[4] + G[8];
    const double normal = std::max(0.0, 0.7 + random.normal()) * (trace > 0.0 ? 3.0 * size / trace : 0.0);
    const double radius = b.mu * normal * std::min(1.0, random.uniform(0.0, 2.0));
    const double angle = random.uniform(0.0, 2.0 * std::numbers::pi);
    lambda[b.row] = radius * std::cos(angle), lambda[b.row + 1] = radius * std::sin(angle), lambda[b.row + 2] = normal;
  }
}

}  // namespace

// From λ: sweeps, then steps of Newton's method from where they have come to. λ is the better of the two.
Report AutoSolver::sweep_and_step(const ContactProblem& problem, const RaisimTurn& turn, VecOut lambda) {
  Report report = turn.sweeps.solve(problem, lambda);
  report.path = turn.path;
  if (report.status == Status::converged || report.status == Status::invalid_problem || best_.out_of_time() ||
      problem.rows() > kRaisimRows)
    return report;
  best_.reset(problem, options_.judge_tolerance());
  best_.offer(problem, lambda.data());
  return step_raisim(problem, turn.after_newton, report, lambda);
}

// Newton's method from the best iterate; what came before is counted in.
Report AutoSolver::step_raisim(const ContactProblem& problem, const char* path, const Report& before, VecOut lambda) {
  raisim_newton_.run(problem, kRaisimSteps, best_);
  Report report = best_.finish(problem, before.status, path, lambda, before.factorisations);
  report.iterations = before.iterations + raisim_newton_.steps();
  report.factorisations += raisim_newton_.steps();
  return report;
}

Report AutoSolver::solve_raisim(const ContactProblem& problem, VecOut lambda) {
  const RaisimTurn turns[] = {{bisection_, "bisection", "bisection>newton"},
                              {damped_bisection_, "bisection>newton>damped", "bisection>newton>damped>newton"}};
  Report total;
  for (const RaisimTurn& turn : turns) {
    Report report = sweep_and_step(problem, turn, lambda);
    if (&turn != turns) add_counts(total, report);
    total = report;
    if (total.status == Status::converged || total.status == Status::invalid_problem || best_.out_of_time())
      return total;
  }
  const bool small = problem.rows() <= kRaisimRows && !(options_.work > 0.0);
  return small ? restart_raisim(problem, total, lambda) : total;
}

// Every start is tried by Newton's method at once, and after sweeps, which lead most of them to the same cycle.
Report AutoSolver::restart_raisim(const ContactProblem& problem, Report total, VecOut lambda) {
  constexpr const char* kPath = "bisection>newton>damped>newton>restarts";
  const RaisimTurn again{bisection_, kPath, kPath};
  const int n = problem.rows();
  const double speed = n > 0 ? problem.g.vec().lpNorm<Eigen::Infinity>() : 0.0;
  Random random(1);
  start_.resize(n), trial_.resize(n);
  for (int k = 0; k <= options_.restarts && total.status != Status::converged && !best_.out_of_time(); ++k) {
    if (k > 0) {
      random_impulses(problem, speed, random, start_.data());
    } else if (options_.time_limit > 0.0) {
      continue;  // a second solve would start the clock again
    } else {
      coulomb_ = problem;
      coulomb_.law = {FrictionLaw::coulomb};
      start_.vec() = lambda;
      add_counts(solve_general(coulomb_, start_.vec()), total);
    }
    best_.reset(problem, options_.judge_tolerance());
    best_.offer(problem, start_.data());
    Report report = step_raisim(problem, kPath, Report{Status::stalled, 0, 0, {}, {}, kPath}, trial_.vec());
    add_counts(report, total);
    if (report.status != Status::converged) {
      trial_.vec() = start_.vec();
      report = sweep_and_step(problem, again, trial_.vec());
      add_counts(report, total);
    }
    if (!(report.own.ratio < total.own.ratio)) continue;
    lambda = trial_.vec();
    total.own = report.own, total.ncp = report.ncp, total.status = report.status;
  }
  total.path = kPath;
  return total;
}

}  // namespace stiction
