// SPDX-License-Identifier: BSD-2-Clause
// Contact points that are not fixed to their body. On static flat ground the contact of a sphere, the end of a capsule or a
// corner lies at p = x − s n, half way between the two surfaces, with x fixed to the body (centre, corner) and s = r + gap/2 or
// gap/2. A change of q moves it by (1 − ½ n nᵀ) dx, not by J dq; the difference is
//   δw_j = ω_j × s n − ½ n (n·J_j)                                                                                     (1)
// and it changes what depends on the place of the point:
//   ∂ṗ/∂q_j += ω × δw_j,    ∂(J a + J̇v)/∂q_j += α × δw_j + ω × (ω × δw_j),    −∂(Jᵀf)_i/∂q_j −= ω_i·(δw_j × f)           (2)
// The tangential stretch follows the material points that met at the last pass instead: dΔp_T = T J(x_met) dq.           (3)
// Other shapes, and contacts between two moving bodies, are treated as if their points were fixed to body b: not exact.
#pragma once

#include <stiction/step/soft/soft_dynamics.h>

namespace stiction {

enum class PointMotion : std::uint8_t { fixed, moves, unknown };  // unknown: fixed is taken, and is not exact

PointMotion motion_of(const SoftContext& c, const SoftPoint& p, const std::vector<AnchorRecord>& records);
// out (3 × nv, world axes) = (1); J: rows of the point in its frame.
void motion_rows(const SoftContext& c, const SoftPoint& p, const std::vector<AnchorRecord>& records, const double* J,
                 double* out);
// First of (2), and (3) for the two tangential rows of the stretch.
void add_motion_velocity(const SoftContext& c, const SoftPoint& p, const double* motion, double* velocity_dq,
                         double* stretch_dq);
// Second of (2): α in world axes; the term of ω only with bias.
void add_motion_drift(const SoftContext& c, const SoftPoint& p, const double* motion, const Vec3& alpha, bool with_bias,
                      double* drift_dq);
// Third of (2): f on body b, world axes; nv rows, `stride` apart.
void add_motion_force(const SoftContext& c, const SoftPoint& p, const double* motion, const Vec3& f, int stride,
                      double* dq);

}  // namespace stiction
