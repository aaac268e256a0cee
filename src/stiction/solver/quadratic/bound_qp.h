// SPDX-License-Identifier: BSD-2-Clause
// A strictly convex quadratic program of contact size with bounds on some of the unknowns,
//   min ½ xᵀQx + gᵀx   s.t.  x_i ≥ 0 for i in the bounded set,   Q ≻ 0                                              (1)
// by an active set that may change in many places at once:
//   solve on the free rows; fix every bounded row that came out negative, again;
//   none negative: release the fixed row whose gradient (Qx + g)_i is most negative, again; none: done                (2)
// Steps of (2) are not monotone and may cycle. After max(10 m + 20) rounds, m the number of bounds, projected Gauss-Seidel on the
// same problem takes over, which converges for Q ≻ 0, and ends at a relative change of 1e-14 or after 20000 sweeps.
// `omit` is the published rule instead: rows group by group (a contact and all its rows) are left out for good once their bounded row
// is negative; what is left need not obey the optimality conditions of (1).
// Nothing is allocated below the largest size seen. References: Nocedal, Wright 2006, ch. 16; Wakisaka, Sugihara 2014 (omit).
#pragma once

#include <vector>

namespace stiction {

class BoundQp {
 public:
  // n unknowns in groups of `group`; the last of each group is bounded. All data are to be written after it.
  void resize(int n, int group);
  double* Q() { return Q_.data(); }  // symmetric, row-major
  double* g() { return g_.data(); }
  const double* x() const { return x_.data(); }
  int rounds() const { return rounds_; }

  // False: no solution was found within the limits, or Q is not positive definite; x then holds the best known, or zeros.
  bool solve();
  bool solve_omitting();

 private:
  bool solve_free();
  bool sweep_to_solution();
  double gradient(int i) const;

  int n_ = 0, group_ = 3, rounds_ = 0;
  std::vector<double> Q_, g_, x_, factor_, rhs_;
  std::vector<char> fixed_;
  std::vector<int> free_;
};

}  // namespace stiction
