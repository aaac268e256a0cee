// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of one exponential step (exponential.h) by the state and the torques: dx⁺/dx and dx⁺/dτ, x = (q, v).
// With c = h/r², the solve of pole r (linear_contact.h) is forward dynamics with a load: f = ℓ/c, complex like r,
//   M a = u + Jᵀf,     J a + J̇v + (r/h) ṗ + (r/h) G⁻¹K Δp + C⁻¹f = 0                                                     (1)
// Differentiated, with D = ∂(M a + h_bias − Jᵀf − τ)/∂x at fixed a, f (dynamics/derivatives/derivatives.h: the real part with velocities and
// gravity, the imaginary part without), and the factor that the step has already made:
//   (Υ + C⁻¹) df = J M⁻¹ (D dx − S dτ) − ∂(J a + J̇v)/∂x dx − (r/h) dṗ − (r/h) G⁻¹K dΔp                                  (2)
//   dλ̄ = Σ (α/r²) df,   dλ̿ = 2 Σ (α/r³) df                      (of a pair twice the real part)                          (3)
// then through the cone map (soft_tangent.h), the accelerations and the advance on the manifold:
//   dv̇ = M⁻¹(Jᵀ dproj λ̄ + S dτ − D̄ dx),   D̄ = Σ (α/r²) D + D(M⁻¹Jᵀδ, δ),   δ = proj λ̄ − λ̄                              (4)
// because Σ α/r² = 2 Σ α/r³ = 1: no further evaluation of D is needed where nothing is projected.
// Anchors: those in the state are held fixed. The pass at the start of the step moves them in slip (soft_tangent.h, (2)).
// Order of the columns: q (Pinocchio's tangent: base translation and rotation in base axes, joints), v, then τ; rows likewise.
// Valid inside one mode of every point, which is reported. [specification, section 8]; no published implementation is known.
// Failure: at a mode's edge it is the derivative of one side. Contacts between moving bodies and on round
// static ones lack terms of how point and frame move: `exact` is false then (point_motion.h).
#pragma once

#include <stiction/step/exponential/contact_averages.h>
#include <stiction/step/report/step_derivatives.h>
#include <stiction/step/soft/soft_tangent.h>

#include <vector>

namespace stiction {

// Scratch memory; no meaning between calls.
struct ExponentialTangentWork {
  DerivativeData data;
  AccelerationData acceleration;
  AccelerationPair accelerations_pair;
  SoftTangent points;
  AverageWork averages;
  std::vector<LinearContactWork> islands;
  std::vector<double> loads;           // f of (1) and δ, one number per load in every row
  std::vector<double> accelerations;   // a of (1) and M⁻¹Jᵀδ, likewise per velocity
  std::vector<double> whitened;        // L̂⁻ᵀ of [∂/∂v, S, D of every load], nv rows
  int cleared = 0, cleared_loads = 0;  // stride and loads when all of it was last set to zero
  std::vector<double> projected;       // Y times it
  std::vector<double> drift;           // ∂(J a + J̇v)/∂q of every pole, rows × nv
  std::vector<double> rhs_re, rhs_im;  // (2) of one island
  std::vector<double> force;           // dλ̄ and dλ̿ side by side, one row per row of the points
  std::vector<double> motion;          // dv̇ likewise, nv rows
  std::vector<double> gain;
  std::vector<PointForce> forces;
};

// Derivatives of the step that the work of c has just made from (q, v) with the given poles; next_v: face velocities.
// `averages`: of that step, whose factors are used again. `single`: λ̄ moves the positions too.
struct ExponentialStep {
  const AverageOptions& options;
  const AverageWork& averages;
  bool single;
  double h;
};
void exponential_derivatives(const SoftContext& c, const ExponentialStep& step, ExponentialTangentWork& work,
                             StepDerivatives& out);

}  // namespace stiction
