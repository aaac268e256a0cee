// SPDX-License-Identifier: BSD-2-Clause
// Dantzig's pivoting for the pyramid of four facets, with friction bounds taken from the pass before:
//   pass k:  w = (G + R) λ + g,   λ_N ≥ 0,   |λ_a| ≤ μ λ_N^(k−1) on the pyramid's two axes a                        (1)
// is a boxed linear complementarity problem, solved exactly by box_pivoting.h (all normals first, then the tangents). The
// first pass is frictionless, or takes its bounds from the guess. Passes follow until the judge accepts. While the sets of
// a pass solve the next one, that next pass costs one solve with the factor.
// (1) is solved in the form A λ + b, with rows scaled to a unit diagonal and A = sym(G + R) + ε, ε = 1e-10:
//   b = g − (A − G − R) λ^(k−1)                                                                                     (2)
// so that A is positive definite for redundant contacts, and the fixed point is that of G itself (a proximal step).
//
// The passes contract slowly where sliding friction bears on normals. Option `coupled`: when the sets have not changed for
// three passes, the linear system they describe is solved with |λ_a| = μ λ_N in place of the frozen bounds:
//   G_CC λ_C + Σ_a ±μ G_Ca λ_N + g_C = 0                                                                            (3)
// and kept if the judge accepts it.
//
// Guarantee: each pass is finite; the passes have none (a fixed point solves the law; large μ can make them cycle).
// Cost: a first pass about n³ operations for n rows, a repeated one n².
// Failure modes: passes that cycle or contract slowly (stalled, max_iterations); G far from symmetric.
// Reference: Cottle, Dantzig 1968; Baraff 1994. Deviations: the scaling and (2) instead of a fixed 1e-10·tr(G)/n.
#pragma once

#include <stiction/solver/core/entry.h>
#include <stiction/solver/pivot/box_pivoting.h>
#include <stiction/solver/pivot/complementary_basis.h>

namespace stiction {

struct DantzigOptions : CommonOptions {
  bool coupled = true;

  DantzigOptions() { eliminate_bilateral = true; }
  static constexpr auto fields() {
    return extend(CommonOptions::fields(),
                  Field{"coupled", &DantzigOptions::coupled,
                        "solves for normals and sliding friction together once the sets stay [-]"});
  }
};

class Dantzig : public Method<DantzigOptions> {
 public:
  static constexpr const char* kName = "dantzig";
  static constexpr About kAbout{"principal pivoting on boxes whose friction bounds are those of the pass before",
                                "Cottle, Dantzig 1968; Baraff 1994",
                                "the passes have no guarantee: large friction can make them cycle"};
  static constexpr std::array kLaws{FrictionLaw::pyramid};
  static constexpr const char* kNoBilateral = "bilateral rows are eliminated before the pivoting";
  using Method::Method;

  // Report.iterations: passes. Report.factorisations: rows that joined or left the factor of A_CC, and systems (3).
  Report solve(const ContactProblem& problem, VecOut lambda) override;

 private:
  void load(const ContactProblem& problem);
  void turn_axes(const ContactProblem& problem);
  void scale_rows(int n);
  void set_bounds(const ContactProblem& problem);
  void set_right_side(const ContactProblem& problem);
  bool make_pass(const ContactProblem& problem, bool repeat);
  void iterate(const ContactProblem& problem, VecOut lambda);
  bool accept_coupled(const ContactProblem& problem, VecOut lambda);
  void form_coupled(const ContactProblem& problem);
  double slope(int tangent) const;
  bool dead_row(int i, int n) const;
  void to_axes(const ContactProblem& problem, const double* lambda, double* x) const;
  void from_axes(const ContactProblem& problem, const double* x, double* lambda) const;

  int repeats_ = 0, systems_ = 0;
  double share_ = 1.0;  // share of the new λ_N in the bounds
  BoxPivoting pivoting_;
  std::vector<double> matrix_, A_;  // G + R on the pyramid's axes, scaled; its symmetric part + ε
  std::vector<double> coupled_matrix_;
  std::vector<int> order_, owner_;  // owner: row of the normal that bounds a tangent, −1 for other rows
  ComplementaryBasis basis_;
  GrowingVec scale_, g_, b_, lo_, hi_, x_, previous_, radius_, right_, inner_, inner_row_, friction_, unit_, scratch_;
};

}  // namespace stiction
