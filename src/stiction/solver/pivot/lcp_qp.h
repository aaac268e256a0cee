// SPDX-License-Identifier: BSD-2-Clause
// The linear complementarity problem w = Mz + q, 0 ≤ z ⟂ w ≥ 0 as a quadratic program,
//   min zᵀMz + qᵀz   s.t.  Mz + q ≥ 0,  z ≥ 0                                                                     (1)
// whose value is zᵀw ≥ 0: z solves the problem iff the value is 0, which only the judge decides. For the pyramid law
// (pyramid_lcp.h, four facets) and for plain problems with any matrix.
//   H = M + Mᵀ,  shift s = max(0, −λmin(H)) + prox ‖H‖∞
//   z⁺ ← argmin ½ zᵀ(H + sI)z + (q − s z⁻)ᵀz on the constraints of (1)                                            (2)
// Each (2) is strictly convex and solved by dense_qp.h, warm: at a solution its multipliers are known, z itself for the
// rows and w for the bounds. After each, the basis { z_i > w_i } is solved with the original matrix
// (complementary_basis.h), and both vectors are judged.
// Guarantee: for positive semidefinite M (1) is convex and (2) converges. The pyramid's M is copositive but H has
// negative eigenvalues as soon as μ > 0: then (2) goes down to a stationary point of (1), which need not be a solution;
// from a guess it begins again at zero, and from there it ends as `stalled`.
// Cost: a few dozen factorisations of the size of the LCP (six rows per contact): dear beside lemke.
// Failure modes: stationary points that are no solution; no z with z ≥ 0, w ≥ 0 (numerical_failure, "lcp_qp:infeasible").
// References: Cottle, Pang, Stone 1992, 1.4 and 3.1; Le Lidec et al. 2024 (as the benchmark's reference for the LCP).
#pragma once

#include <stiction/solver/core/entry.h>
#include <stiction/solver/pivot/complementary_basis.h>
#include <stiction/solver/pivot/pyramid_lcp.h>
#include <stiction/solver/quadratic/dense_qp.h>

#include <vector>

namespace stiction {

struct LcpQpOptions : CommonOptions {
  double prox = 1e-6;
  int qp_iterations = 100;
  int stall_window = 20;

  LcpQpOptions() { max_iterations = 200, eliminate_bilateral = true; }
  static constexpr auto fields() {
    using O = LcpQpOptions;
    return extend(
        CommonOptions::fields(),
        Field{"prox", &O::prox, "proximal weight beyond the lowest eigenvalue, of ‖H‖∞ [-]", "> 0"},
        Field{"qp_iterations", &O::qp_iterations, "multiplier iterations allowed in one program [-]", ">= 1"},
        Field{"stall_window", &O::stall_window, "programs within which the residual must halve, 0 is for ever [-]",
              ">= 0, 0 for no detection"});
  }
};

class LcpQp : public Method<LcpQpOptions> {
 public:
  static constexpr const char* kName = "lcp_qp";
  static constexpr About kAbout{"the pyramid's linear complementarity problem as a quadratic program",
                                "Cottle, Pang, Stone 1992; Le Lidec et al. 2024",
                                "stationary points that are no solution; dear"};
  static constexpr std::array kLaws{FrictionLaw::pyramid};
  static constexpr GeneralMatrix kGeneral = GeneralMatrix::any;
  static constexpr const char* kNoBilateral = "the program has no rows for free impulses";
  using Method::Method;

  Report solve(const ContactProblem& problem, VecOut lambda) override;

 private:
  Report descend(const ContactProblem& problem, VecOut lambda);  // from λ, to a stationary point
  void begin(const ContactProblem& problem, VecOut lambda);
  double negative_curvature();
  bool shift_matrix();
  DenseQp::Outcome iterate();
  void compute_w();
  bool judge(const ContactProblem& problem, VecOut lambda);
  bool accept(const ContactProblem& problem, const double* z, VecOut lambda);

  PyramidLcp lcp_;
  DenseQp qp_;
  ComplementaryBasis basis_;
  GrowingVec z_, w_, refined_, power_, kept_;
  std::vector<double> factor_;
  double shift_ = 0.0, change_ = 0.0;
  int factorisations_ = 0;
};

}  // namespace stiction
