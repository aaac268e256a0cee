// SPDX-License-Identifier: BSD-2-Clause
// Factor of the small square matrix S of the contact derivatives, for solves with S and with Sᵀ.
//   full rank, symmetric    S = L Lᵀ
//   full rank               P S = L U
//   rank deficient          S = Qᵀ Cᵀ W, rows of W and Q orthonormal (rank × n), C lower triangular:
//                           S⁺ = Wᵀ C⁻ᵀ Q, the shortest of all least-squares solutions; (Sᵀ)⁺ = Qᵀ C⁻¹ W
// W comes from the rows of S by Gram-Schmidt with pivoting and a second pass (Giraud, Langou, Rozložník 2005), Q likewise
// from S Wᵀ. Rank is decided per row, relative to the row's own length, so that it does not depend on units or mass ratios:
// what is left of a row below 1e-11 of it is round-off. Pivots of the fast factors hold round-off that small pivots before them have made larger, so
// these factors are kept only if no pivot fell below 1e-7.
#pragma once

#include <stiction/base/growing.h>

#include <vector>

namespace stiction {

class SmallFactor {
 public:
  // S is row-major n × n and is read only. False if something is not finite.
  bool factor(const double* S, int n, bool symmetric);
  void solve(double* x);             // x ← S⁻¹ x, or S⁺ x
  void solve_transposed(double* x);  // x ← S⁻ᵀ x, or (Sᵀ)⁺ x
  int rank() const { return rank_; }
  void project_null(double* x);  // x ← x − WᵀW x: what S does not see; zero for full rank

 private:
  enum class Kind { cholesky, lu, orthogonal };

  bool factor_fast(const double* S, bool symmetric);
  bool factor_orthogonal(const double* S);
  void orthonormalise_rows(const double* S);
  void orthonormalise_image(const double* S);
  double* row(GrowingVec& a, int i) const { return a.data() + static_cast<std::ptrdiff_t>(i) * n_; }

  Kind kind_ = Kind::lu;
  int n_ = 0, rank_ = 0;
  GrowingVec a_, length_, scratch_;  // the fast factor, or the rows still to be treated
  GrowingVec w_, q_, c_;             // orthogonal
  std::vector<int> pivot_;
};

}  // namespace stiction
