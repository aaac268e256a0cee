// SPDX-License-Identifier: BSD-2-Clause
// RaiSim's law for one contact, the others frozen:  u = W r + c,  rows (T1, T2, N).
//   c_N ≥ 0: open, r = 0.   −W⁻¹c in the cone: stick.   Otherwise slide, on the curve  u_N = 0, ‖r_T‖ = μ r_N:
//     r_N(θ) = −c_N/(W_NN (1 + b·e)),  r_T(θ) = μ r_N e,   e = (cos θ, sin θ),  b = μ W_NT/W_NN               (1)
//   only where 1 + b·e > 0; the whole circle (an ellipse) if ‖b‖ < 1, an open branch if not. On it the law asks for
//     min ½ rᵀW r + cᵀr,  whose slope along the curve is a positive multiple of
//     φ(θ) = q·(e + d)⊥,   q = u_T = S r_T + c̄,  S = W_TT − W_TN W_NT/W_NN,  c̄ = c_T − W_TN c_N/W_NN          (2)
//   with d = b. The cone cut by u_N = 0 is convex in r_T, so a root of φ with q·(e + d) < 0 is the minimum.     (3)
//   There u_T is along −(e + d): not along −r_T, so dissipation is not the largest possible.
// With bilateral rows eliminated, W is the Schur complement, but d keeps the block of the given matrix: the law names it.
//
//   exact      root of (2) by Newton from the last angle or that of Coulomb's law; if (3) fails, all brackets on a grid
//   faithful   the published walk: from the angle of −W⁻¹c against the slope, steps ×1.3, back and ×0.5 where −W⁻¹c is out
//              of sight or r < 0; then bisection until r moves by less than 1e-6 N. A finite precision by design
//   corrected  q = u_T − γ W_TN/W_NN with γ = μ‖u_T‖ of the last iterate: at a fixed point u_T is along −r_T, exact Coulomb.
//              The stick test is that of the law itself, without γ (contactbench shifts it too)
// Reference: Hwangbo, Lee, Hutter 2018; Le Lidec et al. 2024, Alg. 5. Fails if W_NN ≤ 0, and where the branch is open and S
// singular: then no minimum need exist. r is 0 then.
#pragma once

#include <stiction/base/types.h>
#include <stiction/solver/local/local_contact.h>

namespace stiction {

enum class RaisimVariant { exact, faithful, corrected };

struct RaisimWalk {
  double first_angle = 1e-2;  // β₁ [rad]
  double backtrack = 0.5;     // β₂
  double growth = 1.3;        // β₃
  double tolerance = 1e-6;    // on r, an impulse
};

class RaisimContact {
 public:
  // `w`: 3×3 row-major, compliance included; `law`: the block that gives d.
  void prepare(const double* w, double friction, const double* law);
  // `r`: the last iterate on entry, the result on return; `shift` is γ, 0 but for `corrected`.
  ContactMode solve(RaisimVariant variant, const RaisimWalk& walk, const double* c, double shift, double* r) const;

 private:
  struct Slide {
    double height;  // −c_N/W_NN > 0
    Vec2 c_bar;     // with the shift
  };
  struct Point {
    double inside;  // 1 + b·e; the point exists if > 0
    Vec2 e, r_t, q;
    double r_n, phi, along;  // φ and q·(e + d)
  };
  Point point(const Slide& s, double theta) const;
  double slope(const Slide& s, const Point& at) const;  // dφ/dθ
  double cost(const Slide& s, const Point& at) const;
  bool newton(const Slide& s, double& theta) const;
  double bracketed(const Slide& s, double low, double high) const;
  bool search(const Slide& s, int crowding, double& theta) const;
  bool walk_and_bisect(const Slide& s, const RaisimWalk& walk, double start, double& theta) const;

  LocalContact coulomb_;
  double mu_ = 0.0;
  Vec2 b_, d_, tn_;  // tn_: W_TN/W_NN
  Mat2 s_;
};

}  // namespace stiction
