// SPDX-License-Identifier: BSD-2-Clause
// A dense convex quadratic program whose rows may be sparse,
//   min ½ xᵀHx + cᵀx   s.t.  Ax ≥ b,  lo ≤ x ≤ hi,   H ⪰ 0                                                        (1)
// by the proximal method of multipliers. With r = Ax − μy and s = x − μw the multipliers of both kinds of constraint are
//   y⁺(x) = (max(r, b) − r)/μ ≥ 0,   w⁺(x) = (clamp(s, lo, hi) − s)/μ                                             (2)
//   x⁺ ← the zero of  Hx + c + ρ(x − x⁻) − Aᵀy⁺(x) − w⁺(x),   y ← y⁺(x⁺),  w ← w⁺(x⁺)                             (3)
// (3) is the minimum of a strictly convex, piecewise quadratic function: Newton with the matrix
//   H + ρI + (A_Jᵀ A_J + I_K)/μ,  J and K the constraints active in (2),                                          (4)
// and an exact line search ends in finitely many steps. The factor of (4) stays while J and K do, which near the end
// is always. Rows of A are scaled to length one and H, c by max |H|, so that μ and ρ are pure numbers.
// Guarantee: converges to a solution whenever there is one, H singular, constraints redundant or degenerate included.
// Failure modes: no solution (infeasible or unbounded): the iterations end without `solved`. The multipliers of
// redundant constraints are not unique.
// Nothing is allocated below the largest size seen. Cost: n²(m_changed + n/3) for a step with a new active set, n(n + m)
// for one without.
// References: Rockafellar 1976; Hermans, Themelis, Patrinos 2019 (line search); Bambade et al. 2022. Own choice of
// parameters; why not a library: docs/decisions/005-own-dense-qp.md.
#pragma once

#include <stiction/base/growing.h>

#include <vector>

namespace stiction {

class DenseQp {
 public:
  enum class Outcome { solved, unsolved, failed };

  // Room for n variables and m rows. All data are to be written after it; the accessors are row-major.
  void resize(int n, int m);
  double* H() { return H_.data(); }  // symmetric
  double* c() { return c_.data(); }
  double* A() { return A_.data(); }
  double* b() { return b_.data(); }
  double* lo() { return lo_.data(); }  // may be −∞
  double* hi() { return hi_.data(); }  // may be +∞
  // To be called when H, A or b changed; c, lo and hi may change between two solves without it.
  void prepare();

  // x, y and w of the next solve start from zero; otherwise it is warm from the last one.
  void start_cold();
  // … or from these, the multipliers as handed out below; after prepare().
  void start(const double* x, const double* row_multipliers, const double* bound_multipliers);
  // `tolerance` is relative, for stationarity, feasibility and complementarity alike.
  Outcome solve(double tolerance, int max_iterations);

  const double* x() const { return x_.data(); }
  const double* row_multipliers() const { return y_out_.data(); }    // of Ax ≥ b, ≥ 0
  const double* bound_multipliers() const { return w_out_.data(); }  // > 0 at lo, < 0 at hi
  double residual() const { return residual_; }                      // relative, of the x returned
  double infeasibility() const { return infeasibility_; }
  int iterations() const { return iterations_; }          // of (3), in the last solve
  int factorisations() const { return factorisations_; }  // in the last solve

 private:
  bool minimise(double tolerance);
  void multipliers();
  double gradient();
  bool update_factor();
  double slope(double alpha, double& curvature) const;
  double line_search() const;
  void products();
  void restore_stationarity();
  void measure();

  int n_ = 0, m_ = 0, iterations_ = 0, factorisations_ = 0;
  double scale_ = 1.0, mu_ = 0.0, residual_ = 0.0, infeasibility_ = 0.0;
  bool factored_ = false;
  std::vector<double> H_, A_;
  GrowingVec c_, b_, lo_, hi_;
  std::vector<double> scaled_H_, scaled_A_, matrix_, factor_;  // matrix_: (4), whose factor is factor_
  GrowingVec length_, scaled_b_, scaled_c_;
  GrowingVec x_, y_, w_, centre_, y_out_, w_out_;  // y, w of the scaled problem; *_out_ of the given one
  GrowingVec Ax_, Hx_, new_y_, new_w_, pull_, gradient_, d_, Ad_, Hd_;
  std::vector<char> row_active_, bound_active_, row_in_, bound_in_;  // J and K of (2), and those in matrix_
};

}  // namespace stiction
