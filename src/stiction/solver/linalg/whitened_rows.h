// SPDX-License-Identifier: BSD-2-Clause
// H with G = HHᵀ, in the layout of body space, for any storage of G, and matrices I + HᵀBH over its velocities.
//   body space       H is the problem's own
//   dense, sparse    Cholesky of the symmetric part with diagonal pivoting, stopped at the rank:
//                    p = argmax d_i,  H_ik = (G_ip − Σ_{j<k} H_ij H_pj)/√d_p,  d_i ← d_i − H_ik²,  until d_p ≤ 4nε max G_ii
//                    one group of rank(G) velocities, one term per block
// A G that is slightly indefinite loses its negative part, an unsymmetric one its skew part: `lost` measures it, and
// whoever needs the true G corrects by products with it.
// Reference: Higham, Analysis of the Cholesky decomposition of a semi-definite matrix (1990).
#pragma once

#include <stiction/problem/contact_problem.h>
#include <stiction/solver/linalg/block_factor.h>

#include <vector>

namespace stiction {

class WhitenedRows {
 public:
  void load(const ContactProblem& problem);  // keeps a pointer to the problem's H in body space
  const BodySpace& body() const { return *body_; }
  int velocities() const { return body_->velocities; }

  void multiply(const ContactProblem& problem, const double* w, double* u) const;                  // u = H w
  void multiply_transposed(const ContactProblem& problem, const double* lambda, double* w) const;  // w = Hᵀ λ
  // max |½(G + Gᵀ) − HHᵀ| / max G_ii; allocates nothing beyond what load() did, n² rank operations.
  double lost(const ContactProblem& problem);

 private:
  void factor_pivoted(const ContactProblem& problem);
  void pack(const ContactProblem& problem, int rank);

  const BodySpace* body_ = &own_;
  BodySpace own_;
  std::vector<double> matrix_, rows_;  // ½(G + Gᵀ) and H, both row-major with n columns
  std::vector<char> taken_;
  GrowingVec diagonal_, unit_, scratch_;
};

// A = I + HᵀBH with B block-diagonal and symmetric, in the layout of Delassus::diagonal; sparse by velocity groups, so
// that a change of B costs the assembly and the factor only.
class WhitenedMatrix {
 public:
  void prepare(const ContactProblem& problem, const BodySpace& body);
  bool factor(const ContactProblem& problem, const BodySpace& body, const double* B);
  void solve(double* w) { factor_.solve(w); }

 private:
  void add_pair(const BodySpace& body, int s, int t, int size, double* target);

  BlockFactor factor_;
  std::vector<int>
      pair_;  // block of the factor that an ordered pair of terms adds to: −1 diagonal, −2 its mirror image
  std::vector<char> packed_;
  GrowingVec scaled_;
};

}  // namespace stiction
