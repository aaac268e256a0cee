// SPDX-License-Identifier: BSD-2-Clause
// The ends of the spectrum of G + R without its zeros: L = λmax, m = the smallest eigenvalue above 1e-10 L.
// Lanczos with full reorthogonalisation: q₁ ∝ (G + R)x for a fixed random x, so that all stays in the range of G + R, and
//   β_k+1 q_k+1 = (G + R)q_k − α_k q_k − β_k q_k−1,   α_k = q_kᵀ(G + R)q_k;    the eigenvalues of tridiag(β, α, β)     (1)
// found by bisection with Sturm's count. Exact to round-off when the range is used up (β = 0): as many steps as there are
// different eigenvalues. Stopped after kSteps steps, L is still good to many digits, and m an upper bound, which is
// what large problems get. Of a G that is not quite symmetric it sees the symmetric part, nearly.
// Cost: a product with G and 4kn operations at step k. Reference: Golub, Van Loan 2013, 10.1 and 8.4.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/contact_problem.h>

namespace stiction {

struct SpectrumEnds {
  double largest = 0.0, smallest = 0.0;  // L and m; both 0 if G + R is zero or not finite
};

class Spectrum {
 public:
  static constexpr int kSteps = 120;
  SpectrumEnds ends(const ContactProblem& problem);
  int steps() const { return steps_; }  // made by the last call

 private:
  void multiply(const ContactProblem& problem, const double* x, double* y);
  bool start(const ContactProblem& problem);
  bool extend(const ContactProblem& problem);
  int count_below(double x) const;
  double eigenvalue(int k, double low, double high) const;

  int steps_ = 0;
  GrowingVec basis_, alpha_, beta_, next_, scratch_;  // q_k one after the other; β_k joins q_k−1 and q_k
};

}  // namespace stiction
