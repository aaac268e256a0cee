// SPDX-License-Identifier: BSD-2-Clause
// A = QR of a tall matrix whose columns come and go, for active sets: min ‖Az − b‖ over the columns at hand.
//   add      a' = a − QQᵀa, twice (Kahan and Parlett: twice is enough), q = a'/‖a'‖;   O(m p)
//   remove   Givens rotations bring R back to a triangle, and turn Q along;             O(p (m + p))
// Q is kept, not only R: the residual b − QQᵀb is then right to round-off of b however ill-conditioned A is, and a residual
// of 1e-15 is what tells a certificate from a velocity of 1e15. Failure mode: a dependent column is refused by add().
// Storage only grows. Reference: Daniel, Gragg, Kaufman, Stewart 1976.
#pragma once

#include <vector>

namespace stiction {

class ColumnQr {
 public:
  void reset(int rows);  // no columns
  int columns() const { return columns_; }
  // False and unchanged if what the other columns do not span is at most cut·‖a‖.
  bool add(const double* a, double cut);
  void remove(int k);  // the columns after k move up by one
  // z = argmin ‖Az − b‖ and r = b − Az; b and r have `rows` entries and may not overlap.
  void solve(const double* b, double* z, double* r) const;

 private:
  double* q(int j) { return q_.data() + j * rows_; }
  const double* q(int j) const { return q_.data() + j * rows_; }
  double* r(int j) { return r_.data() + j * rows_; }
  const double* r(int j) const { return r_.data() + j * rows_; }

  int rows_ = 0, columns_ = 0;
  std::vector<double> q_, r_;  // by columns, `rows_` apart; R upper triangular
};

}  // namespace stiction
