// SPDX-License-Identifier: BSD-2-Clause
// One primal–dual interior point and its step, for contacts with De Saxcé's shift (coulomb) or without (convex).
//
// Variables are scaled: λ = D x q̄/w̄, ũ = D⁻¹ y q̄ with D = c_i (μ, μ, 1) per contact (μ in all rows of a patch but the last), so that x and y live in Lorentz cones
// (nipm_cone.h); c_i = (tr W_ii/3)^(−1/2), a symmetry of the problem that makes all contacts alike, or 1. Residuals:
//   r_p = Ŵx + q̂ + s e − y      r_s = s − ‖y_T‖      x ∘ y → στ e      τ = mean of x·y over all cones
// Newton, with Θ = Arw(x)⁻¹Arw(y), l = (y_T/‖y_T‖, 0), C = I − e lᵀ (convex: s = 0, C = I):
//   (Ŵ + CΘ) dx = −r_p + C h + r_s e,   h = Arw(x)⁻¹ r_c,   dy = h − Θ dx,   ds = l·dy − r_s
// Mehrotra: a predictor with r_c = −x∘y gives σ; the corrector has r_c = −x∘y − dx_a∘dy_a + στe.
// Other rows: lo ≤ x ≤ hi with one multiplier for each finite bound, y = z_lo − z_hi, B = z_lo/(x − lo) + z_hi/(hi − x);
// bilateral rows have neither, and B = 1e-10 to survive redundant rows. μ = 0 splits a contact: N unilateral, λ_T = 0.
// References: Acary, Armand, Nguyen, Shpakovych 2024; Mehrotra 1992. Failure modes: the central path of the shifted problem
// need not lead to a solution ("fake solutions"): steps go to zero while r_s stays.
#pragma once

#include <stiction/solver/core/progress.h>
#include <stiction/solver/interior/nipm_system.h>

#include <vector>

namespace stiction {

class NipmCore {
 public:
  struct Start {
    bool equilibrate = false, far = false, damped = false;
  };
  enum class End { accepted, stalled, spent, failed };
  // Iterations from a start of its own; the judge sees each, and `best` keeps the best. They end when one is accepted, after
  // `limit` of them, when the residual has not halved within `window` (0: for ever), or when steps stay tiny: the point has
  // run into the boundary. `counted`: iterations of the solve so far, for its history.
  End run(const ContactProblem& problem, Start start, int limit, int window, int counted, Progress& best);
  int iterations() const { return iterations_; }  // of the last run, one factorisation each

  // How much the contacts differ in inertia: largest over smallest mean diagonal.
  static double spread(const ContactProblem& problem);

 private:
  // Scales the problem and puts the point at x = y = (0.1, 0.1, 1). `far`: at 100 times that, and x as far as the impulses
  // that would stop everything (one factorisation).
  void load(const ContactProblem& problem, bool equilibrate, bool far);
  // One iteration; false if the system could not be solved. `damped`: r_s is brought down first (c1 = 1).
  bool step(const ContactProblem& problem, bool damped);
  void write(const ContactProblem& problem, double* lambda) const;
  struct Cone {
    int row, block, size;
    int last() const { return row + size - 1; }
  };
  struct Scalar {
    int row, entry;       // entry: place of its diagonal number in B
    bool lower, upper;    // which bounds are finite
    double p, t, zp, zt;  // x − lo and hi − x, and their multipliers
    double dp, rp, rt, dzp, dzt;
    double lo, hi;
  };
  void list_sets(const ContactProblem& problem, bool equilibrate);
  double estimate(const ContactProblem& problem);
  void start(double size, double dual);
  void add_scalar(int row, int entry, double lo, double hi);
  void residuals(const ContactProblem& problem);
  void fill_blocks(const ContactProblem& problem);
  void direction(const ContactProblem& problem, double target, bool second_order);
  double longest() const;
  double complementarity(double a) const;
  bool shift_dominates() const;
  void move(double a);

  NipmSystem system_;
  std::vector<Cone> cones_;
  std::vector<Scalar> scalars_;
  std::vector<char> fixed_;
  GrowingVec lambda_, D_, q_, x_, y_, dx_, dy_, rp_, rhs_, h_, B_, s_, rs_, ds_;
  double mean_ = 1.0, unit_ = 1.0;  // w̄ and q̄
  double tau_ = 1.0, alpha_ = 1.0, gamma_ = 0.99;
  int pairs_ = 0, iterations_ = 0;
  bool shifted_ = true;
};

}  // namespace stiction
