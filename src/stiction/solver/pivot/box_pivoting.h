// SPDX-License-Identifier: BSD-2-Clause
// Dantzig's principal pivoting for the boxed linear complementarity problem, A symmetric positive definite:
//   w = A x + b,   lo ≤ x ≤ hi,   x = lo ⇒ w ≥ 0,   x = hi ⇒ w ≤ 0,   else w = 0                                    (1)
// Every index sits at lo, at hi, or inside (the set C, where w = 0). Indices are placed one by one; index i moves x_i by
//   d = −sign w_i,   Δx_C = −A_CC⁻¹ A_Ci d,   Δw = A Δx                                                            (2)
// to the first event: w_i = 0 (i joins C), x_i at a bound, an x_j of C at a bound (j leaves C), a w_j at a bound reaching
// zero (j joins C). Those placed before i satisfy (1) all the time. An index with lo = hi stays where it is.
// The Cholesky factor of A_CC is changed by one row at a time: m² operations for m = |C|, n m for (2).
// Guarantee: finite for positive definite A in exact arithmetic. Failure mode: cycles by round-off, ended by a cap.
// Reference: Cottle, Dantzig 1968; Baraff 1994; Murty 1988, ch. 4.
#pragma once

#include <stiction/base/growing.h>

#include <cstdint>
#include <vector>

namespace stiction {

struct BoxLcp {
  int n;
  const double* A;  // row-major
  const double *b, *lo, *hi;
};

class BoxPivoting {
 public:
  // Solves (1), placing indices in the order given, from x = the point of the box nearest 0. False if the cap is reached.
  bool solve(const BoxLcp& lcp, const int* order);
  // The sets of the last solve with other b and bounds: one solve with the factor; false if they do not satisfy (1).
  bool resolve(const BoxLcp& lcp);
  const GrowingVec& x() const { return x_; }
  const std::vector<int>& inside() const { return inside_; }
  bool is_inside(int i) const { return place_[i] == Place::inside; }
  bool is_upper(int i) const { return place_[i] == Place::upper; }
  int factor_changes() const { return changes_; }  // rows that joined or left C since forget_changes()
  void forget_changes() { changes_ = 0; }

 private:
  enum class Place : std::uint8_t { open, inside, lower, upper };
  struct Event {
    double step;
    int index;
    bool at_bound;  // x_index comes to a bound; else w_index comes to 0
  };

  bool place(const BoxLcp& lcp, int i, int& budget);
  void find_direction(const BoxLcp& lcp, int i, double d);
  Event next_event(const BoxLcp& lcp, int i, double d) const;
  void move(const BoxLcp& lcp, int i, double d, const Event& event);
  void join(const BoxLcp& lcp, int i);
  void leave(int i);
  void solve_factor(double* y) const;
  double* row(int k) { return factor_.data() + static_cast<std::ptrdiff_t>(k) * n_; }
  const double* row(int k) const { return factor_.data() + static_cast<std::ptrdiff_t>(k) * n_; }

  int n_ = 0, changes_ = 0;
  std::vector<Place> place_;
  std::vector<int> inside_;     // C, in the order of the factor
  std::vector<double> factor_;  // rows of L, stride n
  GrowingVec x_, w_, dx_, dw_;  // dx_ holds Δx_C in the order of the factor
};

}  // namespace stiction
