// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/sweep/pgs.h>

#include <Eigen/Eigenvalues>

namespace stiction {
namespace {

constexpr double kSmallestDenominator = 1e-12;  // of a denominator

double largest_eigenvalue(double a, double b, double off) {
  return 0.5 * (a + b) + std::sqrt(0.25 * (a - b) * (a - b) + off * off);
}

double largest_eigenvalue(const double* w) {
  Mat3 m;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) m(r, c) = 0.5 * (w[3 * r + c] + w[3 * c + r]);
  Eigen::SelfAdjointEigenSolver<Mat3> eigen;
  eigen.computeDirect(m, Eigen::EigenvaluesOnly);
  return eigen.eigenvalues()[2];
}

}  // namespace

void PgsOptions::check() const {
  if (safe_step && local_exact)
    throw InvalidInput(
        "pgs.safe_step is True beside local_exact, expected only one of them: an exact solve has no step");
}

void Pgs::prepare_steps(const ContactProblem& p) {
  const bool convex = p.law.kind == FrictionLaw::convex;
  steps_.resize(p.blocks.size());
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    if (p.blocks[i].kind != BlockKind::coulomb) continue;
    const double* w = sweep_.local.diagonal(static_cast<int>(i));
    double normal = w[8], tangential;
    if (convex) {
      normal = tangential = options_.safe_step ? largest_eigenvalue(w) : (w[0] + w[4] + w[8]) / 3.0;
    } else {
      tangential =
          options_.safe_step ? largest_eigenvalue(w[0], w[4], 0.5 * (w[1] + w[3])) : tangential_axes(w, p.law).smaller;
    }
    steps_[i] = {options_.over_relaxation / std::max(normal, kSmallestDenominator),
                 options_.over_relaxation / std::max(tangential, kSmallestDenominator)};
  }
}

Report Pgs::solve(const ContactProblem& problem, VecOut lambda) {
  const bool coulomb = problem.law.kind == FrictionLaw::coulomb, exact = options_.local_exact;
  if (!solves<Pgs>(problem) || (exact && !coulomb)) return refuse(kName);
  start(problem, lambda, options_.pace());
  sweep_.local.prepare(problem, exact);
  if (!exact) prepare_steps(problem);
  if (!exact && coulomb && DenseSweep::fits(problem))
    run_dense(problem, lambda);
  else
    run(problem, lambda);
  return best_.finish(problem, kName, lambda);
}

void Pgs::run(const ContactProblem& problem, VecOut lambda) {
  const LocalBlocks& local = sweep_.local;
  const double omega = options_.over_relaxation;
  const auto sweep_with = [&](auto update_contact) {
    sweep_.run(problem, options_, best_, lambda, [&](const Block& block, int i, double* u, double* x) {
      if (block.kind != BlockKind::coulomb) return local.solve_other(block, i, omega, u, x);
      update_contact(block, i, u, x);
    });
  };
  if (options_.local_exact)
    return sweep_with([&](const Block&, int i, double* u, double* x) { local.solve(problem, i, omega, u, x); });
  if (problem.law.kind == FrictionLaw::convex)
    return sweep_with([&](const Block& block, int i, const double* u, double* x) {  // (3)
      const double step = steps_[i].normal;
      store(CoulombCone{block.mu}.project({x[0] - step * u[0], x[1] - step * u[1], x[2] - step * u[2]}), x);
    });
  sweep_with([&](const Block& block, int i, const double* u, double* x) {  // (1, 2)
    const double* w = local.diagonal(i);
    const Step step = steps_[i];
    const double target = x[2] - step.normal * u[2], normal = target > 0.0 ? target : 0.0 * target;  // keeps NaN
    const double change = normal - x[2];
    x[2] = normal;
    x[0] -= step.tangential * (u[0] + w[2] * change), x[1] -= step.tangential * (u[1] + w[5] * change);
    project_tangent(block, problem.law, x);
  });
}

// (1, 2) with the steps folded into the matrix.
void Pgs::run_dense(const ContactProblem& p, VecOut lambda) {
  rules_.resize(p.blocks.size());
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    rules_[i].mu = p.blocks[i].mu;
    dense_.pack(p, static_cast<int>(i), steps_[i].tangential, steps_[i].normal, rules_[i].tn);
  }
  sweep_.run_dense(p, options_, best_, lambda, dense_, rules_.data());
}

}  // namespace stiction
