// SPDX-License-Identifier: BSD-2-Clause
// The stages of auto for the laws that relax Coulomb's, and for plain linear complementarity problems.
#include <stiction/solver/automatic/auto_solver.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr int kTableauRows = 600;  // of a Lemke tableau: larger ones are slower than many sweeps
constexpr int kFactorRows = 600;   // up to here newton takes a dense factor per step (1000 rows: half a second each)

}  // namespace

Report AutoSolver::solve_convex(const ContactProblem& problem, VecOut lambda) {
  best_.limit_time(options_.time_limit);
  const auto done = [&](const Report& r) {
    return r.status == Status::converged || r.status == Status::invalid_problem || best_.out_of_time();
  };
  Report report = pgs_.solve(problem, lambda);
  if (done(report)) return report;
  const bool newton = problem.rows() <= kFactorRows || problem.G.storage == Delassus::Storage::body_space;
  Report next = (newton ? short_admm_ : admm_).solve(problem, lambda);
  add_counts(report, next);
  next.path = "pgs>admm";
  if (done(next) || !newton) return next;
  for (const bool last : {false, true}) {
    next = improve(problem, last ? static_cast<Solver&>(admm_) : proximal_newton_, next, lambda);
    next.path = last ? "pgs>admm>newton>admm" : "pgs>admm>newton";
    if (done(next)) break;
  }
  return next;
}

// No law helps where no velocity keeps the contacts apart.
Report AutoSolver::proven(const ContactProblem& problem, Report report) {
  if (report.status != Status::stalled) return report;
  asked_ = infeasible_ = false;
  prove_infeasible(problem);
  if (infeasible_) report.status = Status::infeasible;
  return report;
}

// One more stage; the better of its λ and the one before stays.
Report AutoSolver::improve(const ContactProblem& problem, Solver& stage, const Report& before, VecOut lambda) {
  guess_.resize(problem.rows());
  std::copy_n(lambda.data(), problem.rows(), guess_.data());
  Report next = stage.solve(problem, lambda);
  add_counts(before, next);
  if (!(next.own.ratio <= before.own.ratio)) {
    std::copy_n(guess_.data(), problem.rows(), lambda.data());
    next.own = before.own, next.ncp = before.ncp;
  }
  return next;
}

Report AutoSolver::solve_pyramid(const ContactProblem& problem, VecOut lambda) {
  if (too_many_facets(problem.law)) return solve_by_pivots(problem, lambda);
  Report report = pgs_.solve(problem, lambda);
  if (report.status == Status::converged || report.status == Status::invalid_problem) return report;
  const auto contacts = std::count_if(problem.blocks.begin(), problem.blocks.end(),
                                      [](const Block& b) { return b.kind == BlockKind::coulomb; });
  const bool small = problem.rows() + 3 * contacts <= kTableauRows;
  Report strong = small ? solve_by_pivots(problem, lambda) : accelerated_pgs_.solve(problem, lambda);
  add_counts(report, strong);
  strong.path = small ? "pgs>lemke" : "pgs>accelerated_pgs";
  if (!small || strong.status == Status::converged) return strong;
  strong = improve(problem, accelerated_pgs_, strong, lambda);
  strong.path = "pgs>lemke>accelerated_pgs";
  return strong;
}

Report AutoSolver::solve_by_pivots(const ContactProblem& problem, VecOut lambda) {
  return lemke_.solve(problem, lambda);
}

}  // namespace stiction
