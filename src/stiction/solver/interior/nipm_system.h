// SPDX-License-Identifier: BSD-2-Clause
// The linear system of one interior iteration, (Ŵ + B) dx = rhs, Ŵ = D(G + R)D/w̄ the scaled Delassus matrix and B one
// small matrix per block (unsymmetric: De Saxcé's term), in the layout of Delassus::diagonal.
//   dense    LU with partial pivoting of the rows × rows matrix; one step of iterative refinement
//   sparse   block-sparse G with more than 120 rows: block LU on the contact graph, pivots inside blocks; two steps
//   body     G = HHᵀ with more rows than velocities: P = (B + DRD/w̄)⁻¹ per block, D P D/w̄ in A = I + HᵀPH (body_matrix.h),
//            dx = P(rhs − DHw/√w̄),  w = A⁻¹HᵀDP rhs/√w̄; two steps
// Rows can be fixed (dx = 0). Failure mode: a pivot that is zero or not finite: factor() says false.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/contact_problem.h>
#include <stiction/solver/linalg/body_matrix.h>
#include <stiction/solver/linalg/graph_factor.h>

#include <vector>

namespace stiction {

class NipmSystem {
 public:
  // Once per problem and scaling; `scale` is D, one number per row, and must live as long as the system is used.
  void load(const ContactProblem& problem, const double* scale, double mean);
  void multiply(const ContactProblem& problem, const double* x, double* y);  // y = Ŵ x
  bool factor(const ContactProblem& problem, const double* B, const std::vector<char>& fixed);
  void solve(const ContactProblem& problem, const double* rhs, double* x);

 private:
  enum class Form { dense, sparse, body };

  bool factor_dense(const ContactProblem& problem);
  bool factor_sparse(const ContactProblem& problem);
  bool factor_body(const ContactProblem& problem);
  void solve_once(const ContactProblem& problem, double* x);  // in place, without refinement
  void multiply_blocks(const ContactProblem& problem, const double* B, const double* x, double* y) const;  // y += B x

  Form form_ = Form::dense;
  const double *B_ = nullptr, *scale_ = nullptr;
  const std::vector<char>* fixed_ = nullptr;
  double mean_ = 1.0;
  std::vector<double> W_, J_;
  std::vector<int> pivot_;
  GraphFactor graph_;
  BodyMatrix body_;
  GrowingVec unit_, scratch_, residual_, wide_, velocity_, P_, weight_, small_, column_;
};

}  // namespace stiction
