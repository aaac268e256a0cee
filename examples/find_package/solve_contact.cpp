// SPDX-License-Identifier: BSD-2-Clause
// The solver library alone: one contact pressed together by one millisecond of gravity.
// Truth: G = diag(3.5, 3.5, 1), g = (0, 0, −0.00981), μ = 0.9  ⇒  λ = (0, 0, 0.00981) for every law.
#include <stiction/problem/contact_problem.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include <cstdio>

int main() {
  using namespace stiction;
  const Mat G = Vec3(3.5, 3.5, 1.0).asDiagonal();
  const Vec g = Vec3(0.0, 0.0, -0.00981);
  const Vec mu = Vec::Constant(1, 0.9);
  const ContactProblem problem = ContactProblem::from_dense(G, g, mu);

  Vec impulse = Vec::Zero(3);
  const Report report = make_solver("auto")->solve(problem, impulse);
  std::printf("%s after %d iterations by %s: impulse (%g, %g, %g) N s, relative residual %.1e\n", name(report.status),
              report.iterations, report.path, impulse[0], impulse[1], impulse[2], report.ncp.b3);

  const bool right = (impulse - Vec3(0.0, 0.0, 0.00981)).norm() <= 1e-9;
  return report.status == Status::converged && right ? 0 : 1;
}
