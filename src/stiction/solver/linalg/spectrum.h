// SPDX-License-Identifier: BSD-2-Clause
// The ends of the spectrum of G + R without its zeros: L = λmax, m = the smallest eigenvalue above 1e-10 L.
// Lanczos with full reorthogonalisation, in the inner product xᵀWy of W = G + R itself:
//   β_k+1 q_k+1 = W q_k − Σ_j≤k c_j q_j,   c_j = q_jᵀW W q_k,   q_jᵀW q_k = δ_jk,   α_k = c_k                        (1)
// The eigenvalues of tridiag(β, α, β) are found by bisection with Sturm's count. In that product the null space of W has length zero: what round-off leaves there
// cannot be mistaken for a small eigenvalue, as happens with the Euclidean one on towers of equal boxes. Exact up to
// round-off when the range is used up (β = 0): about as many steps as there are different eigenvalues. Stopped after kSteps
// steps, L is still good to many digits, and m an upper bound, which is what large problems get. Of a G that is not quite
// symmetric it sees the symmetric part, nearly.
// Cost: a product with G and 8kn operations at step k. Reference: Golub, Van Loan 2013, 10.1 and 8.4.
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
  bool start(const ContactProblem& problem);
  bool extend(const ContactProblem& problem);
  int count_below(double x) const;
  double eigenvalue(int k, double low, double high) const;
  bool append(const ContactProblem& problem, double smallest);

  int steps_ = 0;
  GrowingVec basis_, image_;  // q_k one after the other, and W q_k
  GrowingVec alpha_, beta_;   // β_k joins q_k−1 and q_k
  GrowingVec next_, scratch_;
};

}  // namespace stiction
