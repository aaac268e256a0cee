// SPDX-License-Identifier: BSD-2-Clause
// x ← (G + R + σI)⁻¹ x, refactorised for each σ > 0, and products with G + R.
//   dense       Cholesky of the n×n matrix (LU if G is not symmetric); G of any storage is made dense once per problem.
//               From the second solve with one factor on, small problems multiply by L⁻¹ instead of substituting: as
//               many products, but no chain of divisions
//   body space  G = HHᵀ with more rows than velocities: with D = R + σI
//               (D + HHᵀ)⁻¹ = D⁻¹ − D⁻¹H (I + HᵀD⁻¹H)⁻¹ HᵀD⁻¹                                           (Woodbury)
//               and one step of iterative refinement, because (Woodbury) loses ‖G‖/σ in accuracy. The matrix in the
//               middle is sparse by velocity groups: a change of σ costs that factor, not one of n rows
// Failure mode: a pivot that is not positive; factor() says false. Nothing is allocated below the largest size seen.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/contact_problem.h>
#include <stiction/solver/linalg/body_matrix.h>

#include <vector>

namespace stiction {

class ShiftedDelassus {
 public:
  void prepare(const ContactProblem& problem);
  bool factor(const ContactProblem& problem, double sigma);
  void solve(const ContactProblem& problem, double* x);
  // y = (G + R) x
  void multiply(const ContactProblem& p, const double* x, double* y) { p.multiply(x, y, scratch_); }
  // Largest eigenvalue of G + R: power iteration from the vector of ones, 20 steps, relative 1e-3.
  double largest_eigenvalue(const ContactProblem& problem);
  bool in_body_space() const { return body_space_; }
  // G, dense and row-major; none in body space.
  const double* matrix(const ContactProblem& problem) const {
    if (body_space_) return nullptr;
    return problem.G.storage == Delassus::Storage::dense ? problem.G.dense.data() : matrix_.data();
  }

 private:
  bool factor_small(const ContactProblem& problem);
  void invert_factor(int n);
  void solve_by_inverse(int n, double* x);
  void solve_woodbury(const ContactProblem& problem, const double* b, double* x);

  bool body_space_ = false, unsymmetric_ = false, inverted_ = false;
  int solves_ = 0;  // with the present factor
  double sigma_ = 0.0;
  std::vector<double> matrix_, factor_, inverse_;  // G, dense; the factor; L⁻¹, rows and columns padded to fours
  std::vector<int> pivot_;
  BodyMatrix body_matrix_;
  std::vector<double> weight_;  // D⁻¹ as diagonal blocks
  GrowingVec scratch_, diagonal_, inverse_d_, b_, residual_, velocity_, power_;
};

}  // namespace stiction
