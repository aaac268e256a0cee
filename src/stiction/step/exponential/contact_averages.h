// SPDX-License-Identifier: BSD-2-Clause
// Average contact forces of one exponential step, island by island: gathers Υ, β, K, B, Δp, ṗ, solves by the chosen approximant
// (approximant.h), applies the cone map and leaves everything in the points.
//
// Automatic order: [1/1] and [1/2] are computed; est = h‖M⁻¹Jᵀ(λ̄₁₁ − λ̄₁₂)‖∞ is a velocity. If est ≤ 4·tolerance, [1/2] is
// accepted, else the exponential is evaluated exactly. est tracks the error of [1/1]; that of [1/2] is several times smaller.
//
// slip_continues: B is taken out of the dynamics of slipping points (all axes) while their force keeps it. With B̃ = 0 there,
//   λ̄ = λ̄~ − B (ṗ + (h/2)(β + Υλ̿~)),   λ̿ = λ̿~ + (2B/h)(λ̄~/K + Δp)
// follows from the integrals of the step; nothing else changes.
//
// Kept Υ (option `refresh`): the matrices of all islands stay for some parts of a step while Δp, ṗ and β are fresh. They are
// dropped when the set of points changes in any way, not only in number.
#pragma once

#include <stiction/step/exponential/exact_forces.h>
#include <stiction/step/exponential/linear_contact.h>
#include <stiction/step/soft/soft_dynamics.h>

#include <utility>
#include <vector>

namespace stiction {

struct AverageOptions {
  Approximant approximant = Approximant::l_stable_12;
  double tolerance = 1e-3;  // automatic order [m/s, rad/s]
  bool slip_continues = false;
  bool diagonal = false;  // only the diagonal of Υ acts on the contacts
  DenseOptions dense;
  bool keep = false;  // use the kept Υ if it fits, else keep the new one
};

// Υ of all islands one after another, and the points that it belongs to.
struct KeptUpsilon {
  std::vector<std::pair<SoftKind, ContactKey>> points;
  std::vector<double> values;
  int parts = 0;  // that it has served

  bool fits(const std::vector<SoftPoint>& now, const std::vector<AnchorRecord>& records) const;
  void clear() { points.clear(), values.clear(), parts = 0; }
};

struct AverageWork {
  std::vector<double> upsilon, stiffness, damping, beta, displacement, velocity;
  std::vector<double> average, double_average, other, other_double, scratch;
  std::vector<double> whitened;
  LinearContactWork poles;
  ExactWork exact;
  DenseWork dense;
  KeptUpsilon kept;
};

// The blocks of one island, and the problem made of them in the work.
struct Island {
  const int* first;
  const int* last;
  int rows;
};
Island island_of(const SoftContext& c, int k);
// `upsilon`: Υ of the island if it is known already.
LinearContact gather(const SoftContext& c, const Island& island, const AverageOptions& o, double h,
                     const std::vector<SoftPoint>& points, AverageWork& w, const double* upsilon = nullptr);

struct AverageReport {
  int exact_solves = 0;
  double estimate = 0.0;  // est, automatic order only
};

// Rows and β must be those of make_rows(). Fills average, double_average, projected, double_projected of the points.
AverageReport average_forces(const SoftContext& c, const AverageOptions& options, double h, AverageWork& work,
                             std::vector<SoftPoint>& points);
// Fills `predicted` from the averages: λ at the end of the step by the linear model. For queries, not part of a step.
void predict_end(const SoftContext& c, double h, AverageWork& work, std::vector<SoftPoint>& points);

}  // namespace stiction
