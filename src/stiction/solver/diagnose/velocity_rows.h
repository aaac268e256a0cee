// SPDX-License-Identifier: BSD-2-Clause
// What a problem demands of its velocity u = Hŵ + g, G = HHᵀ, whatever the friction law does:
//   coulomb      u_N ≥ 0;  in the dual cone K* = { u_N ≥ μ‖u_T‖ } if the cones are asked for
//   unilateral   u ≥ 0                    bilateral   u = 0
//   box          nothing while both bounds are finite: whatever u, a bounded impulse answers it. An infinite bound takes that
//                answer away: hi = ∞ demands u ≥ 0, lo = −∞ demands u ≤ 0, both u = 0.
// A row with compliance R_i > 0 demands nothing: λ_i alone gives u_i any value (a tangential one: take μ = 0).
// H is the problem's own in body space; otherwise the Cholesky factor with diagonal pivoting of the symmetric part of G,
// scaled to a unit diagonal and cut off at 1e-13 (whitened_rows.h does the same without the scaling).
// Every row is measured in its own unit D_i = √G_ii = ‖H_i‖, and g in units of γ = max |g_i|/D_i: no choice of units
// changes a number behind this file.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/contact_problem.h>

#include <vector>

namespace stiction {

struct VelocityDemand {
  enum Kind { equal, at_least, cone } kind = at_least;
  int block = 0, row = 0;   // row: of the normal for a contact
  double sign = 1.0;        // −1: u ≤ 0
  double mu = 0.0;          // cone: of K*, with the corners of a pyramid
  double scale = 1.0;       // D of the row
  double cone_scale = 1.0;  // D of the steepest direction of the cone
};

class VelocityRows {
 public:
  // Without cones the tangential rows are left out: a third of the rows, and u_N ≥ 0 is all that is asked of a contact.
  // False if the data are not finite, or so many that dense matrices are out of the question.
  bool load(const ContactProblem& problem, bool cones);

  const std::vector<VelocityDemand>& demands() const { return demands_; }
  int velocities() const { return velocities_; }
  double gamma() const { return gamma_; }
  double scale(int row) const {
    return scale_[row];
  }  // D_i; zero for a row that nothing moves, or that demands nothing
  double unit(int row) const { return unit_of_[row]; }  // the same for every row of the problem, never zero unless G is
  const double* H(int row) const { return H_.data() + offset(row); }

 private:
  std::size_t offset(int row) const { return row * velocities_; }
  void list_demands(const ContactProblem& problem, bool cones);
  void measure(const ContactProblem& problem);
  void scatter_body_space(const ContactProblem& problem);
  void factor(const ContactProblem& problem);

  int velocities_ = 0;
  double gamma_ = 1.0;
  std::vector<VelocityDemand> demands_;
  GrowingVec scale_, unit_of_, diagonal_, unit_, scratch_;
  std::vector<char> used_;  // by row
  std::vector<int> used_rows_, order_;
  std::vector<double> H_, matrix_, rows_;
};

}  // namespace stiction
