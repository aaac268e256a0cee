// SPDX-License-Identifier: BSD-2-Clause
// auto where contacts resist spin and roll. Rows scaled by small arms make sweeps over several such contacts slow; Newton's method
// inside admm and interior points do not mind.
#include <stiction/solver/automatic/auto_solver.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr int kFewestPasses = 60;  // of admm, with Newton's method tried in between

}  // namespace

Report AutoSolver::solve_patches(const ContactProblem& problem, VecOut lambda) {
  const bool convex = problem.law.kind == FrictionLaw::convex;
  Solver& sweeps = convex ? static_cast<Solver&>(pgs_) : first_;
  // A pass of admm costs about a factorisation where Newton's method is tried, a few products elsewhere.
  const double n = problem.rows(), pass = 8.0 * n * n + 100.0 * n;
  const double passes = options_.work > 0.0 ? options_.work / pass : options_.max_iterations;
  admm_.options().max_iterations = static_cast<int>(std::clamp<double>(passes, kFewestPasses, options_.max_iterations));
  Report report =
      solve_in_turn(problem,
                    {{sweeps, nullptr},
                     {short_admm_, convex ? "pgs>admm" : "nsgs>admm", true},
                     {interior_, convex ? "pgs>admm>interior_point" : "nsgs>admm>interior_point", true},
                     {admm_, convex ? "pgs>admm>interior_point>admm" : "nsgs>admm>interior_point>admm", true}},
                    lambda);
  admm_.options().max_iterations = options_.max_iterations;
  const bool searched = report.status == Status::stalled || report.status == Status::max_iterations;
  if (convex || !searched || problem.rows() > 600) return report;  // solve_rows() asks for the convex law
  asked_ = infeasible_ = false;
  prove_infeasible(problem);
  if (infeasible_) report.status = Status::infeasible;
  return report;
}

}  // namespace stiction
