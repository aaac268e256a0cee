// SPDX-License-Identifier: BSD-2-Clause
// The linear contact problem of one exponential step, n rows in contact axes, everything frozen over the step:
//   p̈ = Υλ + β,   λ = −KΔp − Bṗ,   K and B diagonal, ≥ 0, not both zero in a row                                   (1)
// and the two averages of λ over the step that move velocity and position:
//   λ̄ = (1/h) ∫₀ʰ λ,   λ̿ = (2/h²) ∫₀ʰ∫₀^τ λ                                                                       (2)
// A rational approximant of the exponential (approximant.h) turns them into one n × n solve per pole:
//   G_k = B + (h/r_k) K,   C_k = (h/r_k) G_k
//   (Υ + C_k⁻¹) ℓ_k = −(1/r_k) [ ṗ + (h/r_k) β + G_k⁻¹ K Δp ]                                                       (3)
//   λ̄ = (1/h) Σ_k α_k ℓ_k,   λ̿ = (2/h) Σ_k (α_k/r_k) ℓ_k       (of a conjugate pair twice the real part of one)   (4)
// Re r_k > 0 keeps Υ + C_k⁻¹ in an open half-plane, so that LDLᵀ without pivoting is safe, also for singular Υ ⪰ 0.
// The state at the end needs no further exponential:
//   ṗ(h) = ṗ + h(β + Υλ̄),   Δp(h) = Δp + hṗ + (h²/2)(β + Υλ̿),   λ(h) = −KΔp(h) − Bṗ(h)                            (5)
// Fails: nothing is checked here. NaN or infinity in, NaN or infinity out; K = B = 0 in a row divides by zero; a Υ with
// eigenvalues below −1/‖C_k‖ may meet a small pivot. The caller tests what comes out for being finite.
// Reference: Hammoud et al. (2022), section 4; the collapse to n rows per pole is our own derivation, tested against 113 bits.
#pragma once

#include <stiction/step/exponential/approximant.h>

#include <vector>

namespace stiction {

struct LinearContact {
  int rows = 0;
  const double* upsilon = nullptr;       // Υ, rows × rows, symmetric, leading dimension `rows` [1/kg]
  const double* stiffness = nullptr;     // K per row ≥ 0 [N/m]
  const double* damping = nullptr;       // B per row ≥ 0, not both zero [N s/m]
  const double* beta = nullptr;          // β = J v̇̄ + J̇v [m/s²]
  const double* displacement = nullptr;  // Δp = p − p₀ [m]
  const double* velocity = nullptr;      // ṗ [m/s]
  double h = 0.0;                        // [s]
};

// What pole_forces leaves behind: per pole k the factor Υ + C_k⁻¹ = L D Lᵀ and ℓ_k. Real and imaginary parts are apart;
// columns are `stride` long (even, > rows). The storage grows with the largest problem and never shrinks.
class LinearContactWork {
 public:
  void resize(int rows, int poles);
  int rows() const { return rows_; }
  int poles() const { return poles_; }
  int stride() const { return stride_; }
  // 1/D on the diagonal, L by rows above it: L_kj is entry j of column k. What is below is used up.
  double* factor_re(int k) { return at(k); }
  double* factor_im(int k) { return at(k) + rows_ * stride_; }
  const double* factor_re(int k) const { return at(k); }
  const double* factor_im(int k) const { return at(k) + rows_ * stride_; }
  // ℓ_k [N s]
  double* load_re(int k) { return at(k) + 2 * rows_ * stride_; }
  double* load_im(int k) { return at(k) + (2 * rows_ + 1) * stride_; }
  const double* load_re(int k) const { return at(k) + 2 * rows_ * stride_; }
  const double* load_im(int k) const { return at(k) + (2 * rows_ + 1) * stride_; }

 private:
  double* at(int k) { return store_.data() + k * (2 * rows_ + 2) * stride_; }
  const double* at(int k) const { return store_.data() + k * (2 * rows_ + 2) * stride_; }

  int rows_ = 0, poles_ = 0, stride_ = 0;
  std::vector<double> store_;
};

// λ̄ and λ̿ of (4) [N], for an approximant that has poles.
void pole_forces(const LinearContact& contact, Approximant approximant, LinearContactWork& work, double* average,
                 double* double_average);

// (5)
void end_of_step(const LinearContact& contact, const double* average, const double* double_average,
                 double* displacement, double* velocity, double* force);

}  // namespace stiction
