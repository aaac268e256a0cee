// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of what spins (step/core/free_flight.h). A free body's bias is I (ω − ω⁺(ω))/dt, with ∂ω⁺/∂ω of
// dynamics/kernels/free_rotation.h (2); nothing of it depends on q. In flight its position moves by x/dt, x the rotation vector of the
// turn: dx = J_r⁻¹(x) dφ.
// A tree of several bodies turns as if locked: its motion is a function of 15 numbers (composite moment and inertia, momentum), whose
// derivatives by q and v are closed forms and by which the motion is differenced (30 evaluations of a rotation, right to about 1e-9).
#pragma once

#include <stiction/step/derivative/velocity_tangents.h>

namespace stiction {

// The gyroscopic moment of free bodies that turn freely, in place of ω × Iω in ∂h/∂v.
void put_free_moments(const VelocityStep& step, int stride, double* dv);
// work.mean: what positions move by. Trees in flight move by another velocity than the one they end with, and those of several bodies
// end with another one than (1) of velocity_tangents.h says: work.block becomes that of what they end with.
void add_flight(const VelocityStep& step, VelocityTangentWork& work);

}  // namespace stiction
