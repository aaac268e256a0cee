// SPDX-License-Identifier: BSD-2-Clause
// Bilateral rows eliminated by a Schur complement. With U the other rows and B the bilateral ones, u_B = 0 gives
//   λ_B = −G_B⁻¹ (g_B + G_BU λ_U),   G_B = G_BB + R_B                                                           (1)
//   u_U = (G_UU − G_UB G_B⁻¹ G_BU + R_U) λ_U + g_U − G_UB G_B⁻¹ g_B                                             (2)
// so that any solver of U alone solves the whole. Offered to every solver by the option eliminate_bilateral; methods
// that know no free rows (the pivoting ones, bisection) always use it.
//
// Redundant bilateral rows (a closed loop held twice): G_B is factorised by Cholesky with diagonal pivoting, and rows
// that depend on others to 1e-12 get λ = 0. If the redundant rows contradict each other no λ exists and the judge says so.
// Cost: the complement is dense, n_U² n_B operations once per solve; a few joint rows beside many contacts are cheap.
// Reference: Gehring et al. 2014, (20). Deviation: solvers take their steps from the diagonal of the complement; the
// published jor and sor keep the diagonal of G_UU, for which `original_diagonal` is there.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/solver/core/solver.h>

#include <memory>
#include <vector>

namespace stiction {

class BilateralElimination {
 public:
  // False if there is nothing to eliminate.
  static bool needed(const ContactProblem& problem);
  // Builds the reduced problem; false if the matrix of an unsymmetric problem is singular.
  bool load(const ContactProblem& problem);
  const ContactProblem& reduced() const { return reduced_; }
  // Diagonal block of G_UU of the reduced problem's block i, row-major, without R.
  const double* original_diagonal(int i) const { return diagonal_.data() + reduced_.G.diagonal_start[i]; }

  void restrict_to_reduced(const VecRef& lambda, VecOut reduced) const;
  // λ_U from the reduced λ, λ_B from (1).
  void expand(const ContactProblem& problem, const VecRef& reduced, VecOut lambda);

 private:
  void list_rows(const ContactProblem& problem);
  double entry(int row, int column) const { return all_[row * rows_ + column]; }
  bool factor(const ContactProblem& problem);
  void factor_pivoted();
  void solve_bilateral(double* x);  // x ← G_B⁻¹ x
  void form_complement(const ContactProblem& problem);

  ContactProblem reduced_;
  std::size_t rows_ = 0;
  int rank_ = 0;                        // of G_B
  std::vector<int> kept_, held_;        // rows of U and of B
  std::vector<int> order_;              // pivots of the Cholesky factor, or row exchanges of LU
  std::vector<double> all_;             // G, dense and row-major
  std::vector<double> factor_, right_;  // G_B; `right_` is G_B⁻¹ [G_BU | g_B], row-major
  std::vector<double> diagonal_;
  GrowingVec unit_, column_, product_, permuted_;
};

// Any solver, on the reduced problem. Reports what the judge says of the whole λ: a reduced solution that is not accepted
// there is `stalled`. Histories hold the residuals of the reduced problem.
class EliminatingSolver : public Solver {
 public:
  EliminatingSolver(std::unique_ptr<Solver> inner, const CommonOptions& options);
  Report solve(const ContactProblem& problem, VecOut lambda) override;
  void record(History* history) override { inner_->record(history); }

 private:
  std::unique_ptr<Solver> inner_;
  CommonOptions options_;
  BilateralElimination elimination_;
  GrowingVec reduced_;
  JudgeWork work_;
};

}  // namespace stiction
