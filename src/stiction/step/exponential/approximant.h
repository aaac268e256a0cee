// SPDX-License-Identifier: BSD-2-Clause
// Rational approximants of the exponential as sums over their poles:
//   e^z ≈ R(z) = P(z)/Q(z) = R∞ + Σ_k α_k / (r_k − z),   Q(r_k) = 0,   α_k = −P(r_k)/Q′(r_k)                        (1)
// [l/j] is the Padé approximant with deg P = l and deg Q = j; its order is l + j. [1/1] is Cayley's (implicit
// midpoint). The diagonal ones are A-stable with |R(∞)| = 1: stiff modes ring.
// [1/2] and [2/3] are L-stable, R(∞) = 0: stiff modes decay.
// [0/1] is refused: of order 1 only, the average over its double integral is twice that over its single one.
// Reference: Padé; partial fractions by Gallopoulos, Saad (1992); Ehle (1969) for the stability of the
// subdiagonal ones.
#pragma once

#include <complex>
#include <span>
#include <string>

namespace stiction {

enum class Approximant { cayley_11, pade_22, pade_33, l_stable_12, l_stable_23, exact, automatic, dense };

struct Pole {
  std::complex<double> r;        // r_k, Re r_k > 0
  std::complex<double> alpha;    // α_k
  std::complex<double> inverse;  // 1/r_k
  std::complex<double> ratio;    // α_k/r_k
  bool pair = false;             // the conjugate counts too: twice the real part
};

// The poles of (1), one of each conjugate pair; none for exact, automatic and dense, which are not sums over poles.
std::span<const Pole> poles(Approximant approximant);

// "1/1" "2/2" "3/3" "1/2" "2/3" "exact" "auto" "dense". Any other name throws InvalidInput, naming owner.approximant.
Approximant approximant_from(const std::string& owner, const std::string& name);
const char* name_of(Approximant approximant);

}  // namespace stiction
