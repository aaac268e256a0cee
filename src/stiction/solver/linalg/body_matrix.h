// SPDX-License-Identifier: BSD-2-Clause
// A = I + HᵀBH over the whitened velocities of body space, B block-diagonal: one small matrix per block of rows.
//   A_st += H_isᵀ (B_i H_it)   for every pair (s, t) of velocity groups that block i touches
// Sparse by velocity groups (block_factor.h): LLᵀ if B is symmetric, else LU on the same pattern. The symbolic factor is kept
// while the graph is the same, so that a change of B costs the assembly and the numbers only.
// Failure mode: a singular diagonal block (never for B ⪰ 0): factor() says false.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/contact_problem.h>
#include <stiction/solver/linalg/block_factor.h>

#include <vector>

namespace stiction {

class BodyMatrix {
 public:
  // `body` is that of the problem, or the factor of its G (whitened_rows.h).
  void prepare(const ContactProblem& problem, const BodySpace& body);

  // B in the layout of Delassus::diagonal. A symmetric one fills the lower triangle only.
  void assemble(const ContactProblem& problem, const BodySpace& body, const double* B, bool symmetric);
  // B by what it does: scale(i, H_it, width, out) writes B_i H_it and says false if B_i is zero.
  template <class Scale>
  void assemble(const BodySpace& body, const std::vector<int>& start, bool symmetric, const Scale& scale) {
    begin(symmetric);
    for (int i = 0; i + 1 < static_cast<int>(body.term_start.size()); ++i)
      for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t) {
        const BodySpace::Term& term = body.terms[t];
        grow(scaled_, (start[i + 1] - start[i]) * term.width);
        if (!scale(i, body.values.data() + term.offset, term.width, scaled_.data())) break;
        add_products(body, i, t, start[i + 1] - start[i]);
      }
  }
  bool factor() { return symmetric_ ? factor_.factor_cholesky() : factor_.factor_lu(); }
  bool factor(const ContactProblem& problem, const BodySpace& body, const double* B, bool symmetric = true) {
    assemble(problem, body, B, symmetric);
    return factor();
  }
  void solve(double* w) { factor_.solve(w); }

  int blocks() const { return factor_.blocks(); }
  double work() const { return factor_.work(); }

 private:
  void begin(bool symmetric);
  void add_products(const BodySpace& body, int i, int t, int size);
  void add_pair(const BodySpace& body, int s, int t, int size, double* target, bool transposed);

  BlockFactor factor_;
  std::vector<int> pair_start_,
      pair_;           // by block and ordered pair of its terms: block of the factor, −1 on the diagonal
  GrowingVec scaled_;  // B_i H_it
  bool symmetric_ = true;
};

}  // namespace stiction
