// SPDX-License-Identifier: BSD-2-Clause
// The averages of the linear contact problem (linear_contact.h) by a dense matrix exponential, as in the paper:
//   x = (Δp, ṗ),  ẋ = Ax + b,  A = [0 I; −ΥK −ΥB],  b = (0, β)
//   Ā = [[A b x(0) 0], [0 0 1 0], [0 0 0 1], [0 0 0 0]]
//   (∫₀ʰx, ∫₀ʰ∫₀^τ x) = top 2n rows of the last two columns of e^{hĀ}                                               (1)
//   λ̄ = D ∫x / h,   λ̿ = 2 D ∫∫x / h²,   D = [−K −B]                                                               (2)
// Valid for singular A. Balancing hĀ = S N S⁻¹, S diagonal of powers of two, brings ‖hĀ‖₁ down about 300 times and
// with it the order and the squarings that Higham's rule asks for; at fixed order and squarings it changes nothing
// but round-off.
// e^N by a diagonal Padé approximant of order 3, 5, 7, 9 or 13, the last with s squarings. `products` caps the number
// of matrix products: 0 1 2 3 4 5 6 → order 1 2 3 5 7 9 13, more → order 13 with products − 6 squarings, −1 → no cap.
// Of the squarings the last few are done as products with the two columns.
// Fails: a capped order has no error bound (diagonal Padé approximants are A-stable, not L-stable: stiff modes ring);
// the high orders without squaring lose their digits at large norm (at ‖N‖ ≈ 1000: 3e-6 with order 7, all with order
// 13), where the pole form does not. Problems that are not finite give NaN.
// The balancing starts afresh every time, not from the last S, so that a step does not depend on the steps before it.
// Reference: Higham, The scaling and squaring method for the matrix exponential revisited (2005); Hammoud et al.
// (2022), section 4.
#pragma once

#include <stiction/step/exponential/linear_contact.h>

#include <vector>

namespace stiction {

struct DenseOptions {
  int products = -1;  // matrix products allowed, −1 without limit
  bool balance = true;
};

struct DenseStatistics {
  int order = 0;  // of the Padé approximant
  int squarings = 0;
  int products = 0;            // matrix products, squarings included
  int wanted = 0;              // products without the cap
  double norm = 0.0;           // ‖hĀ‖₁
  double balanced_norm = 0.0;  // ‖N‖₁, = norm without balancing
};

// Grows with the largest problem and never shrinks.
struct DenseWork {
  std::vector<double> store, scale, integrals;
  DenseStatistics statistics;  // of the last call
};

// (1), 2 · rows numbers each: ∫x [m s, m] and ∫∫x [m s², m s].
void dense_integrals(const LinearContact& contact, const DenseOptions& options, DenseWork& work, double* integral,
                     double* double_integral);

// (2) [N]
void dense_forces(const LinearContact& contact, const DenseOptions& options, DenseWork& work, double* average,
                  double* double_average);

}  // namespace stiction
