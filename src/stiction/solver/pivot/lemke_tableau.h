// SPDX-License-Identifier: BSD-2-Clause
// Lemke's method for the linear complementarity problem, M any square matrix:
//   w = M z + q,   0 ≤ z ⟂ w ≥ 0                                                                                   (1)
// with the artificial variable z₀ ≥ 0 that makes every row feasible, q scaled so that ‖q‖∞ = 1:
//   w − M z − e z₀ = q,   e = (1, …, 1)                                                                            (2)
// z₀ enters at its smallest feasible value in the place of w_f; after that the complement of the variable that just left
// enters, and the lexicographically smallest row of [rhs | B⁻¹B₁] / column leaves, z₀ before all others in a tie. z₀ = 0
// solves (1). B₁ is the basis after the first pivot: the w columns without w_f (and z₀, whose row never stays tied). From
// there every row is lexicographically positive whichever of the tied rows w_f was; with [rhs | w columns] only the last is.
//
// The tableau keeps the n + 1 non-basic columns of [I | −M | −e] and the right-hand side: a pivot costs 2n² operations.
// Columns of w are stored where w is non-basic and unit vectors where it is basic.
// Ends: finite for every M thanks to the lexicographic rule (in exact arithmetic), in a solution or on a secondary ray;
// for copositive-plus M a ray proves that (1) has no solution, for other M it proves nothing.
// Failure modes: the number of pivots can be exponential (2ⁿ on Murty's matrix); without the scaling of q the tie
// tolerance swallows small problems; round-off grows with the pivots, so callers recompute z from the final basis.
// Reference: Cottle, Pang, Stone, The Linear Complementarity Problem (1992), 4.4 and 4.9.
#pragma once

#include <vector>

namespace stiction {

class LemkeTableau {
 public:
  enum class State { running, solved, ray };

  // Loads (1), M row-major n × n. `solved` at once if q ≥ 0, else `running` with no pivot made. `tilt` makes the covering
  // vector e_i = 1 + tilt · (a fixed number in [0, 1[ of i): another path, for a second attempt after a ray.
  State start(const double* M, const double* q, int n, double tilt = 0.0);
  // One pivot; the first brings z₀ in.
  State pivot();
  // start() and pivots until the end or max_pivots are made.
  State solve(const double* M, const double* q, int n, int max_pivots);

  int size() const { return n_; }
  int pivots() const { return pivots_; }
  // Of the present tableau, with the scale of q put back, clipped at 0.
  void read_solution(double* z) const;
  bool is_basic(int i) const { return place_[n_ + i] >= 0; }  // z_i

 private:
  // Variables: w_k is k, z_k is n + k, z₀ is 2n. place ≥ 0: row of a basic variable; < 0: column −1 − place.
  double& at(int row, int column) { return table_[row * stride_ + column]; }
  double at(int row, int column) const { return table_[row * stride_ + column]; }
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  double w_column(int row, int k) const;
  int first_row() const;
  int leaving_row(int column);
  void keep_smallest(int column, int k);
  void exchange(int row, int column);

  int n_ = 0, stride_ = 0, pivots_ = 0, entering_ = 0, first_ = 0;
  double scale_ = 1.0;
  std::vector<double> table_;  // n rows of n + 1 non-basic columns and the right-hand side
  std::vector<int> place_, basic_, nonbasic_, tied_;
};

}  // namespace stiction
