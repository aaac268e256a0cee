// SPDX-License-Identifier: BSD-2-Clause
// A convex quadratic program over a product of simple sets,
//   min ½ xᵀAx + bᵀx   s.t.  x ∈ C = C_1 × … × C_k,   A ⪰ 0                                                     (1)
// by ADMM with a proximal term μ_p, for the two stages of staggered projections:
//   x ← (A + (ρ + μ_p)I)⁻¹( −b − γ + ρz + μ_p x ),   z ← P(x + γ/ρ),   γ ← γ + ρ(x − z)                          (2)
//   r_p = ‖x − z‖∞, r_d = ‖ρ(z − z⁻) + μ_p(x − x⁻)‖∞;  r_p > 10 r_d: ρ ← ρκ^0.1;  r_d > 10 r_p: ρ ← ρ/κ^0.1       (3)
// with L = λmax(A), κ = L/μ_p, ρ = √(Lμ_p) κ^0.4 at the start and clamped. The answer is z, always in C.
// The factor in (2) is kept from solve to solve while ρ stays: only b and the sets change between them.
// Warm in x, z and γ; started from zero, z comes close to the solution of least norm.
// Failure modes: slow when the right ρ differs much between rows.
// References: Le Lidec et al. 2024, Alg. 7 and section III; Boyd et al. 2011, section 3.
#pragma once

#include <stiction/base/growing.h>

#include <limits>
#include <vector>

namespace stiction {

// One factor of C: an interval of one row, or a disc or square of two.
struct SimpleSet {
  enum Kind { interval, disc, square } kind = interval;
  int row = 0;
  double lo = 0.0, hi = std::numeric_limits<double>::infinity();  // interval
  double radius = 0.0, angle = 0.0;                               // disc; square: half-width and turn of its axes

  int size() const { return kind == interval ? 1 : 2; }
  void project(double* x) const;
};

class SetQp {
 public:
  struct Limits {
    double primal, dual;  // (3) below which the iteration ends
    int iterations;
  };
  enum class Outcome { settled, unsettled, failed };

  // Room for n rows; the caller then fills matrix() (row-major, compliance included) and sets().
  void resize(int n);
  double* matrix() { return matrix_.data(); }
  std::vector<SimpleSet>& sets() { return sets_; }
  // ρ, its range and the first factor; false if that fails.
  bool prepare(double prox, bool symmetric);
  // Starts from x with the gradient u = Ax + b at hand: z = P(s), γ = L(s − z), s = x − u/L, which is −u where x solves
  // (1) and is normal to C at z anyhow.
  void start(const double* x, const double* u);
  // Ends by `limits`; b has n entries.
  Outcome solve(const double* b, const Limits& limits);

  const double* z() const { return z_.data(); }
  int rows() const { return n_; }
  int iterations() const { return iterations_; }  // since prepare()
  int factorisations() const { return factorisations_; }

 private:
  struct Step {
    double primal, dual;
  };

  double largest_eigenvalue();
  bool factor();
  Step iterate(const double* b);
  bool rebalance(const Step& step);

  int n_ = 0, iterations_ = 0, factorisations_ = 0;
  bool symmetric_ = true;
  double prox_ = 0.0, largest_ = 0.0, rho_ = 0.0, rho_low_ = 0.0, rho_high_ = 0.0, factor_of_change_ = 1.0;
  std::vector<double> matrix_, factor_;
  std::vector<int> pivot_;
  std::vector<SimpleSet> sets_;
  GrowingVec x_, z_, gamma_, x_old_;
};

}  // namespace stiction
