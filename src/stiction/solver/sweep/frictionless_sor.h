// SPDX-License-Identifier: BSD-2-Clause
// Frictionless contacts alone are a convex quadratic program with bounds:
//   min ½ λᵀ(G + R)λ + gᵀλ,  λ ≥ 0,      G = HHᵀ in body space                                              (1)
// solved by projected successive over-relaxation on packed rows:
//   u_i = h_i ŵ + g_i + R_i λ_i,   λ_i ← max(0, λ_i − ω u_i/(G_ii + R_ii)),   ŵ += h_iᵀ Δλ_i                 (2)
// One sweep over all rows, then three over those with λ_i > 0, and so on. A row keeps the stretch of velocities of each of
// its two bodies in which it is not zero: 3 for spheres, whose normals pass through the centre, at most 6 for free bodies.
// Entries below 1e-13 of a row's largest are round-off and left out; the judge sees the problem as it was given.
//
// When the change of a full sweep has become small, the judge's ratio is computed on the packed rows; only if that is
// good enough is the judge itself asked, once as a rule.
// Reference: Cryer 1971; Mangasarian 1977 (convergence for 0 < ω < 2). ω = 1.5 took the fewest sweeps on piles of spheres
// at steps of 1 ms and 10 ms (34, against 92 at ω = 1 and 25 far dearer ones with Anderson acceleration). Loads travel farther in
// large piles, where a larger ω takes fewer: 7400 rows 150 sweeps at 1.5 and 135 at 1.7, 20 700 rows 365 and 210.
// Failure modes: tall stacks and large mass ratios converge slowly; the caller goes on with stronger methods.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/judge.h>

#include <vector>

namespace stiction {

class FrictionlessSor {
 public:
  // Packs the rows. False if the problem is of another kind: not body space, no dt, a block that is not a unilateral
  // linear row, or a row that touches more than 6 neighbouring velocities of a body.
  bool load(const ContactProblem& problem);
  // Sweeps from `lambda` until the packed residual is within `tolerance`, or max_sweeps; finite in any case.
  // True if it got there. Asks for a load().
  bool run(const Tolerance& tolerance, int max_sweeps, double* lambda);
  int sweeps() const { return sweeps_; }

 private:
  template <int W>
  struct Row {
    double a[W], b[W];  // h_i on the velocities of the two bodies
    double g, step;     // ω/(G_ii + R_ii)
    int at_a, at_b;     // first velocity of each stretch
  };
  struct Change {
    double step, size;  // largest |Δλ_i| and λ_i of a sweep
  };

  template <int W>
  bool pack(const ContactProblem& problem, std::vector<Row<W>>& rows);
  template <int W>
  bool iterate(const std::vector<Row<W>>& rows, const Tolerance& tolerance, int max_sweeps, double* lambda);
  template <int W>
  Change sweep_all(const std::vector<Row<W>>& rows, double* lambda);
  template <int W>
  void sweep_active(const std::vector<Row<W>>& rows, double* lambda);
  template <int W>
  void recompute_velocity(const std::vector<Row<W>>& rows, const double* lambda);
  template <int W>
  double ratio(const std::vector<Row<W>>& rows, const Tolerance& tolerance, const double* lambda);

  std::vector<Row<3>> spheres_;
  std::vector<Row<6>> bodies_;
  std::vector<int> active_;  // rows with λ > 0 after the last full sweep
  int active_count_ = 0, velocities_ = 0, sweeps_ = 0;
  bool narrow_ = false;
  const double* R_ = nullptr;  // compliance, or none
  double dt_ = 0.0, omega_ = 1.5;
  GrowingVec velocity_;
};

}  // namespace stiction
