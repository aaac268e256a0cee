// SPDX-License-Identifier: BSD-2-Clause
// x = argmin ‖x‖ over the minimisers of ‖A x − b‖, A square, dense, of any rank: complete orthogonal decomposition by two
// Householder factorisations with column pivoting,
//   A P₁ = Q₁ [T; 0],  Tᵀ P₂ = Q₂ R₂   ⇒   x = P₁ Q₂ [R₂⁻ᵀ P₂ᵀ c; 0],  c = the first rank(A) entries of Q₁ᵀ b
// The rank is where the largest remaining column falls below `cut` times the largest of A. About five times the work of LU.
// Nothing is allocated once the largest size has been seen. Reference: Golub, Van Loan, Matrix Computations, 5.5.
#pragma once

#include <vector>

namespace stiction {

class MinimumNorm {
 public:
  // A is row-major n × n and is overwritten; b is replaced by x. False if something is not finite.
  bool solve(double* A, int n, double cut, double* b);
  int rank() const { return rank_; }

 private:
  struct Factor {
    std::vector<double> tau;
    std::vector<int> column;  // column[k] of the given matrix is the k-th here
  };
  int decompose(double* A, int rows, int columns, double cut, Factor& f);

  Factor first_, second_;
  std::vector<double> transposed_, pivoted_, sums_;
  int rank_ = 0;
};

}  // namespace stiction
