// SPDX-License-Identifier: BSD-2-Clause
// Rotation of a rigid body that no moment acts on, over one step. Euler's equations I ω̇ = (I ω) × ω in body axes by the implicit
// midpoint rule, and the orientation by Cayley's map of the same midpoint rate ω_m = (ω + ω⁺)/2:
//   I (ω⁺ − ω) + h ω_m × I ω_m = 0,      ΔR = cay(h ω_m)                                                            (1)
// Both invariants of the motion are kept to round-off, whatever the step: ω_mᵀ(1) says that ½ ωᵀIω stays, and (1) itself is
// I ω⁺ = ΔRᵀ I ω, which says that the angular momentum R I ω stays in space. The direction is of second order; steps in which
// the body turns by more than kTurn are made in parts. Newton's method solves (1) in three or four iterations.
// Failure: beyond kTurn·kParts of a turn in one step the direction means nothing; then the rate in body axes is kept.
// Reference: Austin, Krishnaprasad, Wang 1993; Hairer, Lubich, Wanner 2006, section VII.5.
#pragma once

#include <stiction/dynamics/kernels/layout.h>

namespace stiction {

struct FreeRotation {
  Vec3 rate;  // ω⁺ in the axes at the end
  Quat turn;  // from the axes at the start to those at the end: R⁺ = R turn
};

// Its derivative by ω. With K = m̂ I − (I m)^ and c = h m/2, m the mid rate of one part,
//   (I + h/2 K) dω⁺ = (I − h/2 K) dω,    dφ⁺ = ΔRᵀ dφ + 2/(1 + c²) (1 − ĉ) dc                                       (2)
// φ is the turn of the body in its axes at the end.
struct FreeRotationTangent {
  Mat3 rate, turn;  // ∂ω⁺/∂ω, ∂φ/∂ω
};

// `tangent` may be null.
FreeRotation free_rotation(const Mat3& inertia, const Vec3& rate, double dt, FreeRotationTangent* tangent = nullptr);

// The gyroscopic moment ω × Iω of a free body, at `moment`, becomes I (ω − ω⁺)/dt. `rate`: ω in the axes in which the moment is
// wanted, `axes`: from there to those at the start of the step. False, and nothing is done, for bodies of equal principal moments and
// for those that turn by less than 1e-9 rad in the step.
bool free_moment(const BodyPlan& plan, const Mat3& axes, const Vec3& rate, double dt, double* moment,
                 FreeRotation& motion);

// Rotation vector of a unit quaternion, of length π at the most.
Vec3 rotation_vector(const Quat& turn);
// J_r⁻¹(x): a rotation exp(x̂) that turns by φ in its own axes at the end has its rotation vector changed by J_r⁻¹ φ.
Mat3 inverse_right_jacobian(const Vec3& x);

}  // namespace stiction
