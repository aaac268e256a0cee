// SPDX-License-Identifier: BSD-2-Clause
// The Alart–Curnier map of a contact problem and its generalised derivative, for every kind of block.
//
//   a = λ − ρ ∘ u                                u = (G + R) λ + g, ρ > 0 one number per row (equal on T1 and T2)
//   p = P(a):  coulomb     p_N = max(a_N, 0),  p_T = disc projection of a_T with radius r = μ p_N
//              unilateral  p = max(a, 0);   bilateral  p = a;   box  p = clamp(a, lo, hi)
//   F(λ) = λ − p(λ)                              F = 0 ⇔ λ solves the problem with law coulomb, without De Saxcé's shift
//
// Derivative, dp = D da, per block in the order (T1, T2, N):
//   open   D = 0                                 a_N ≤ 0, or a box at a bound
//   stick  D = I                                 inside the set
//   slip   D = [ c (I − d dᵀ)   μ d ]            d = a_T/‖a_T‖, c = r/‖a_T‖; the one unsymmetric case
//              [      0          1  ]
// so dF = A du + B dλ with A = D diag(ρ) and B = I − D, and the Jacobian is A (G + R) + B.
// Reference: Alart, Curnier 1991; Acary, Brémond, Huber 2018. Failure mode: with ρ a factor 1e3 off Newton does not converge.
#pragma once

#include <stiction/problem/contact_problem.h>

#include <cmath>
#include <cstdint>

namespace stiction {

enum class Branch : std::uint8_t { open, stick, slip };

// D of one block in compact form; direction, ratio and mu mean something for slip only.
struct ContactSlope {
  Branch mode = Branch::open;
  double d1 = 0.0, d2 = 0.0;  // slip direction d
  double ratio = 0.0;         // c
  double mu = 0.0;            // 0 makes slip symmetric: the tangential rows are decoupled

  bool symmetric() const { return mode != Branch::slip || mu == 0.0; }
  // y = D x for one vector of a coulomb block (slip only).
  void apply_slip(const double* x, double* y) const {
    const double along = d1 * x[0] + d2 * x[1];
    y[0] = ratio * (x[0] - d1 * along) + mu * d1 * x[2];
    y[1] = ratio * (x[1] - d2 * along) + mu * d2 * x[2];
    y[2] = x[2];
  }
};

// p = P(a) for one block, and its derivative. p may be a.
inline ContactSlope alart_curnier_block(const Block& b, const double* a, double* p) {
  ContactSlope s;
  switch (b.kind) {
    case BlockKind::coulomb: {
      if (!(a[2] > 0.0)) {
        p[0] = p[1] = p[2] = 0.0;
        return s;
      }
      const double t = std::sqrt(a[0] * a[0] + a[1] * a[1]), radius = b.mu * a[2];
      const double n = a[2];
      if (t <= radius && b.mu > 0.0) {
        s.mode = Branch::stick;
        p[0] = a[0], p[1] = a[1], p[2] = n;
        return s;
      }
      s.mode = Branch::slip, s.mu = b.mu;
      if (b.mu > 0.0) s.d1 = a[0] / t, s.d2 = a[1] / t, s.ratio = radius / t;
      p[0] = radius * s.d1, p[1] = radius * s.d2, p[2] = n;
      return s;
    }
    case BlockKind::unilateral:
      s.mode = a[0] > 0.0 ? Branch::stick : Branch::open;
      p[0] = a[0] > 0.0 ? a[0] : 0.0;
      return s;
    case BlockKind::bilateral:
      s.mode = Branch::stick;
      for (int k = 0; k < b.size; ++k) p[k] = a[k];
      return s;
    case BlockKind::box: {
      const double x = a[0];
      s.mode = x > b.lo && x < b.hi ? Branch::stick : Branch::open;
      p[0] = x <= b.lo ? b.lo : (x >= b.hi ? b.hi : x);
      return s;
    }
    case BlockKind::patch:  // methods that use this map refuse them
      return s;
  }
  return s;
}

// Mean diagonal of G + R, the scale of every numerical damping; 1 for an all-zero matrix.
double mean_diagonal(const ContactProblem& problem);

// ρ_N = factor/(W_NN + damping), ρ_T = factor/(λ_max(sym W_TT) + damping), scalar rows alike, W = diagonal block of G + R.
// This scaling per contact is what makes Newton work on mixed masses; a W of zero is replaced by `floor` > 0.
void alart_curnier_steps(const ContactProblem& problem, double factor, double damping, double floor, double* rho);

}  // namespace stiction
