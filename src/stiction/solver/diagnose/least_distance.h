// SPDX-License-Identifier: BSD-2-Clause
// Lawson and Hanson's least-distance program on the demands of a problem (velocity_rows.h): with A = [Hᵀ; gᵀ/γ]
//   min ‖A y − (0, −1)‖  over  y ≥ 0 on one-sided rows, y free on equalities, y in the friction cones or with y_T = 0     (1)
// The minimum is zero iff some y has Hᵀy = 0 and g·y < 0. Otherwise the velocity of least energy that meets all demands is
//   u = Gλ + g,  λ = γ y/(1 + g·y/γ);   1 + g·y/γ = the minimum squared
// Every column is scaled by D of its row, so that (1) has no units. A margin t replaces g by g − t γ D on the one-sided rows.
// Active set (Lawson, Hanson 1974, ch. 23) on a QR factor that is kept (column_qr.h). A friction cone is the cone of its
// rays (μd, 1): the ray that the residual points along most is made when it is the worst of all, so no polyhedron is ever chosen.
// Without cones (1) is solved in finitely many rounds and y is a vertex: none of its entries can be done without. With cones
// the rays of a contact close in on the right one; with a margin half of it is enough, which ends that.
// A round adds several columns while that makes progress, one at a time afterwards. Failure mode: the last digits of nearly
// parallel rays; nothing here is a proof, and the caller measures y and u.
#pragma once

#include <stiction/solver/diagnose/velocity_rows.h>
#include <stiction/solver/linalg/column_qr.h>

#include <vector>

namespace stiction {

class LeastDistance {
 public:
  // `rows` belongs to the problem and stays. `enough`: breach of the demands, in units of γD, that the velocity may have.
  void minimise(const ContactProblem& problem, const VelocityRows& rows, bool cones, double margin, double enough);

  double rest() const { return -r_[r_.size() - 1]; }  // 1 + g·y/γ
  int rounds() const { return rounds_; }
  // out = factor · y by rows of the problem; entries that are round-off of the largest are left out. `out` has its size.
  void read(double factor, GrowingVec& out) const;

 private:
  struct Active {
    int demand;
    double ray[2];  // tangential part of the ray of a friction cone
  };
  struct Candidate {
    double value;
    Active entry;
  };

  void add_equalities();
  void find_candidates();
  bool add_best(int most);
  void step_to_solution();
  void drop(int k);
  void write_column(const VelocityDemand& demand, const double* ray);
  double scale(const VelocityDemand& v) const { return cones_ ? v.cone_scale : v.scale; }

  const VelocityRows* rows_ = nullptr;
  ColumnQr qr_;
  bool cones_ = false;
  double margin_ = 0.0;
  int rounds_ = 0;
  std::vector<Active> active_;
  std::vector<Candidate> candidates_;
  GrowingVec x_, z_, b_, r_, column_, g_;  // x: weights of the active columns; r = b − Ay
};

}  // namespace stiction
