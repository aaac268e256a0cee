// SPDX-License-Identifier: BSD-2-Clause
// A contact problem relaxed along its central path, and the derivative of its solution with respect to g. With s = u + Γ(u)
// (Γ = 0 for the convex law) the law λ ∈ K ⟂ s ∈ K* becomes, in the product ∘ of the second-order cone,
//   λ̂ ∘ ŝ = ε e,     λ̂ = (λ_T, μ λ_N),  ŝ = (s_T, s_N/μ),  e = (0, 0, 1)                                               (1)
// so that λ·s = ε: a contact whose gap δ closes in a step carries the force ε/δ. ε in J. λ is a smooth function of g for every ε > 0,
// unique in hyperstatic cases too, and tends to a solution with ε. (1) is the fixed point of a smoothed projection,
//   λ̂ = P_t(λ̂ − ρŝ),  P_t(x) = ½(x + (x² + 4t² e)^½),  t² = ρε                                                           (2)
// and (2) is solved by damped Newton steps from a solution of the problem itself, with ε growing by tens. One-sided rows: the same with numbers;
// bounds on both sides: two of them; bilateral rows are kept. Sources: Chen and Harker 1993, Kanzow 1996 for (2); Fukushima, Luo and Tseng 2002 for
// the cone. Failure: solve() is false if a Newton solve does not end; friction has no direction where u_T = 0, its slope is taken as zero there.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/contact_problem.h>

#include <vector>

namespace stiction {

class RelaxedContacts {
 public:
  // λ: a solution, which becomes that of (1). Keeps the problem for change(). Blocks of friction of spin are not known: false.
  bool solve(const ContactProblem& problem, double epsilon, VecOut lambda);
  // dλ by dg; rows each.
  void change(const double* dg, double* dlambda);

 private:
  void evaluate(double scale);  // F, C, E at λ
  void evaluate_block(int block, double t2);
  bool newton(double scale);
  double merit() const;

  const ContactProblem* problem_ = nullptr;
  double epsilon_ = 0.0;
  std::vector<double> A_, J_;  // G + R; E + C A, factorised
  std::vector<double> E_, C_;  // 3 × 3 per block, ∂F = E dλ + C du
  std::vector<int> pivot_;
  GrowingVec lambda_, trial_, u_, F_, step_, unit_, scratch_;
};

}  // namespace stiction
