// SPDX-License-Identifier: BSD-2-Clause
// H with G = HHᵀ, in the layout of body space, for any storage of G.
//   body space       H is the problem's own
//   dense, sparse    Cholesky of the symmetric part with diagonal pivoting, stopped at the rank:
//                    p = argmax d_i,  H_ik = (G_ip − Σ_{j<k} H_ij H_pj)/√d_p,  d_i ← d_i − H_ik²,  until d_p ≤ 4nε max G_ii
//                    one group of rank(G) velocities, one term per block
// A G that is slightly indefinite loses its negative part, an unsymmetric one its skew part: `lost` measures it, and
// whoever needs the true G corrects by products with it.
// Reference: Higham, Analysis of the Cholesky decomposition of a semi-definite matrix (1990).
#pragma once

#include <stiction/problem/contact_problem.h>

#include <vector>

namespace stiction {

// u = Hŵ and ŵ = Hᵀλ over all blocks; the rows of block i begin at start[i]. (Delassus has them block by block.)
void multiply_rows(const BodySpace& body, const std::vector<int>& start, const double* w, double* u);
void multiply_rows_transposed(const BodySpace& body, const std::vector<int>& start, const double* lambda, double* w);

class WhitenedRows {
 public:
  void load(const ContactProblem& problem);  // keeps a pointer to the problem's H in body space
  const BodySpace& body() const { return *body_; }
  int velocities() const { return body_->velocities; }

  void multiply(const ContactProblem& p, const double* w, double* u) const { multiply_rows(*body_, p.G.start, w, u); }
  void multiply_transposed(const ContactProblem& p, const double* lambda, double* w) const {
    multiply_rows_transposed(*body_, p.G.start, lambda, w);
  }
  // max |½(G + Gᵀ) − HHᵀ| / max G_ii; allocates nothing beyond what load() did, n² rank operations.
  double lost(const ContactProblem& problem);

 private:
  void factor(const ContactProblem& problem);
  void pack(const ContactProblem& problem, int rank);

  const BodySpace* body_ = &own_;
  BodySpace own_;
  std::vector<double> matrix_, rows_;  // ½(G + Gᵀ) and H, both row-major with n columns
  std::vector<int> order_;
  GrowingVec diagonal_, unit_, scratch_;
};

}  // namespace stiction
