// SPDX-License-Identifier: BSD-2-Clause
// The linear system of a complementary basis. With α the set of z that are basic, w_α = 0 and z outside α is 0:
//   M_αα z_α = −q_α                                                                                                (1)
// solved as corrections of a given z, with the original matrix: round-off of a tableau disappears, and where (1) is
// singular (hyperstatic contacts) the part that (1) leaves open stays as it was.
// LU with complete pivoting; rows and columns whose pivots fall below 1e-12 of the largest get no correction.
#pragma once

#include <stiction/base/growing.h>

#include <vector>

namespace stiction {

class ComplementaryBasis {
 public:
  // α, index by index, then M_αα of the row-major n × n matrix M.
  void clear() { active_.clear(); }
  void add(int i) { active_.push_back(i); }
  void factor(const double* M, int n);
  int size() const { return static_cast<int>(active_.size()); }
  int rank() const { return rank_; }
  // z_α ← z_α − M_αα⁻¹ (M_αα z_α + q_α), `steps` times; z is 0 outside α and may turn out negative.
  void refine(const double* M, const double* q, int n, double* z, int steps);

 private:
  void solve(double* x);

  int rank_ = 0;
  std::vector<int> active_, row_order_, column_order_;
  std::vector<double> lu_;
  GrowingVec residual_, permuted_;
};

}  // namespace stiction
