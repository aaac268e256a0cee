// SPDX-License-Identifier: BSD-2-Clause
// Drag of a fluid around a body, MuJoCo's inertia-box model: with the edges s of the box that has the body's inertia, the velocity
// (v, ω) of its centre against the fluid in principal axes, diameter d = mean(s), density ρ and viscosity β,
//   f = −3π d β v − ½ ρ s_j s_k |v_i| v_i,        n = −π d³ β ω − ρ s_i (s_j⁴ + s_k⁴) |ω_i| ω_i / 64
// And its ellipsoid model (semi-axes s, volume V, v and ω of the ellipsoid's centre in its axes): with the projected area A along v, the
// normal n of the section that casts it and the angle α between n and v,
//   added mass    p × ω, torque p × v + l × ω,   p = ρ m_a v,  l = ρ I_a ω
//   Magnus        c_m ρ V ω × v                  Kutta    c_k ρ A cos α (n × v) × v
//   drag          −(3π d β + ρ |v| (c_b A + c_s (A_max − A))) v,  torque −(π d³ β + ρ |I_d ω|) ω,  d = 2 mean(s)
//   I_d = c_a I_i + c_s (I_max − I_i),  I_i = 8/15 π s_i max(s_j, s_k)⁴
// Explicit.
#pragma once

#include <stiction/step/core/smooth_forces.h>

namespace stiction {

void add_fluid_force(const Layout& layout, const Kinematics& k, const FluidPart& part, double* force);

}  // namespace stiction
