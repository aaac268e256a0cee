// SPDX-License-Identifier: BSD-2-Clause
// x ← (G + R + σI)⁻¹ x, refactorised for each σ > 0, and products with G + R.
//   dense       Cholesky of the n×n matrix (LU if G is not symmetric); G of any storage is written out once per problem
//   body space  G = HHᵀ with more rows than velocities: with D = R + σI
//               (D + HHᵀ)⁻¹ = D⁻¹ − D⁻¹H (I + HᵀD⁻¹H)⁻¹ HᵀD⁻¹                                           (Woodbury)
//               and one step of iterative refinement, because (Woodbury) loses ‖G‖/σ in accuracy
// Failure mode: a pivot that is not positive; factor() says false. Nothing is allocated below the largest size seen.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/contact_problem.h>

#include <vector>

namespace stiction {

class ShiftedDelassus {
 public:
  void prepare(const ContactProblem& problem);
  bool factor(const ContactProblem& problem, double sigma);
  void solve(const ContactProblem& problem, double* x);
  // y = (G + R) x
  void multiply(const ContactProblem& problem, const double* x, double* y);
  // Largest eigenvalue of G + R: power iteration from the vector of ones, 20 steps, relative 1e-8.
  double largest_eigenvalue(const ContactProblem& problem);
  bool in_body_space() const { return body_space_; }

 private:
  void write_out(const ContactProblem& problem);
  void add_body_matrix(const ContactProblem& problem);
  void solve_woodbury(const ContactProblem& problem, const double* b, double* x);

  bool body_space_ = false, unsymmetric_ = false;
  double sigma_ = 0.0;
  std::vector<double> matrix_, factor_;  // G written out; the factor
  std::vector<int> pivot_;
  GrowingVec scratch_, inverse_d_, b_, residual_, velocity_, power_;
};

}  // namespace stiction
