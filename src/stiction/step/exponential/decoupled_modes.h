// SPDX-License-Identifier: BSD-2-Clause
// The linear contact problem (linear_contact.h) in closed form where B = cK with one c for all rows:
//   K^½ Υ K^½ = Q diag(θ) Qᵀ,   y = QᵀK^½ Δp:   ÿ = −θy − cθẏ + g,   g = QᵀK^½ β                                    (1)
// In step time t ∈ [0, 1], with a = θh², d = cθh, y₀, u₀ = hẏ₀, G = h²g, S the impulse response of (1),
// S″ + dS′ + aS = 0, S(0) = 0, S′(0) = 1, and S₁, S₂, S₃ its nested integrals at t = 1:
//   y(1) − y₀ = −aS₁y₀ + Su₀ + S₁G,   Iy = (1 − aS₂)y₀ + S₁u₀ + S₂G,   I₂y = (½ − aS₃)y₀ + S₂u₀ + S₃G               (2)
//   λ̄ = −K^½Q [ Iy + (c/h)(y(1) − y₀) ],   λ̿ = −2K^½Q [ I₂y + (c/h)(Iy − y₀) ]                                    (3)
// S…S₃ by a Taylor series at t = 2⁻ᵏ, max(d, √a) t ≤ ½, and k doublings. No roots of the characteristic polynomial
// are taken: critical damping and θ → 0 are not special, and nothing is divided by θ.
// Fails: not finite in, not finite out. θ < 0 (round-off) counts as 0. Errors up to 6e-12 for d = 1e5, a = 1e6.
// Reference: modal analysis of proportional damping (Rayleigh); own derivation for the two integrals.
#pragma once

#include <stiction/step/exponential/linear_contact.h>
#include <stiction/step/exponential/symmetric_modes.h>

#include <vector>

namespace stiction {

// S′, S, S₁, S₂, S₃ at t = 1.
struct ImpulseResponse {
  double slope, value, integral, integral2, integral3;
};
ImpulseResponse impulse_response(double a, double d);

// Whether B = cK in all rows, to 1e-12 of either; then c [s]. c = 0 where nothing is damped; a row with K = 0 never is.
bool proportional(const LinearContact& contact, double& c);

// Grows with the largest problem and never shrinks.
struct ModalWork {
  SymmetricModes modes;
  std::vector<double> matrix, vectors;
};

// (3) [N]
void modal_forces(const LinearContact& contact, double c, ModalWork& work, double* average, double* double_average);

}  // namespace stiction
