// SPDX-License-Identifier: BSD-2-Clause
// Inverse contact dynamics of one block: the impulse that goes with a wanted velocity.
//   find λ with  u = c + Rλ  obeying the block's law,   c = J v_ref − c*,  R = diag(R_T, R_T, R_N) > 0            (1)
//   patch         the same with all rows but the last in place of T
// Blocks are independent, because G does not enter: v_ref is given. With a diagonal R (1) has a closed form:
//   coulomb law   λ_N = max(0, −c_N/R_N),  λ_T = P_disc(μ λ_N)(−c_T/R_T)            (Signorini decides alone; the disc is round)
//   convex law    λ = P^R_K(−c/R)                                                   projection in the metric of R
//   unilateral    max(0, −c/R);   bilateral  −c/R;   box  clamp(−c/R, lo, hi)
// Le Lidec et al. (2024) iterate λ ← P^{R+ρ}((ρλ − c − Γ(c + Rλ))/(R + ρ)) instead; its fixed point is the same λ (a test
// shows it). R counts once, inside u, and λ is an impulse throughout.
// Failure: R → 0 makes λ as uncertain as c/R: rigid contacts leave no trace of their impulse in the velocity.
#pragma once

#include <stiction/problem/block.h>

namespace stiction {

// Laws coulomb and convex. `R_tangent` is read by coulomb blocks only, other blocks use `R_normal` on every row.
void inverse_contact(const Block& block, const FrictionLaw& law, const double* c, double R_tangent, double R_normal,
                     double* lambda);

}  // namespace stiction
