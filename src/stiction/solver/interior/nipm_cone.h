// SPDX-License-Identifier: BSD-2-Clause
// The Jordan algebra of one Lorentz cone L = { x_N ≥ ‖x_T‖ } for interior points. Vectors of `size` entries are (T, N), e = (0, 1).
//
//   x ∘ y = Arw(x) y = ( x_N y_T + y_N x_T,  x·y )         det x = (x_N − ‖x_T‖)(x_N + ‖x_T‖) > 0 inside
//   w = Arw(x)⁻¹ v:  w_N = (x_N v_N − x_T·v_T)/det x,  w_T = (v_T − w_N x_T)/x_N
//
// x and y inside L with x ∘ y = 0 are complementary; x ∘ y = τ e is the central path.
// The directions of interior_point are taken in these variables as they are: with Nesterov and Todd's scaling the system
// would be symmetric without De Saxcé's term, but the last two digits are lost (ncp-solvers 4.8).
// Reference: Alizadeh, Goldfarb 2003. Failure mode: det x underflows; invert_arrow then gives Inf, which callers check.
#pragma once

namespace stiction::nipm {

inline constexpr int kMostRows = 6;  // of one cone

double product(const double* x, const double* y, int n);  // of the first n entries
double tangent_norm(const double* x, int size);
double determinant(const double* x, int size);
void multiply_arrow(const double* x, const double* y, int size, double* out);  // x ∘ y
void invert_arrow(const double* x, const double* v, int size, double* out);    // Arw(x)⁻¹ v; out may be v
// Θ = Arw(x)⁻¹ Arw(y), row-major.
void scaling_matrix(const double* x, const double* y, int size, double* theta);
// Largest a with x + a d in L, for x inside; 1e300 if there is none.
double longest_step(const double* x, const double* d, int size);
// The same for a number that must stay positive.
inline double longest_step(double x, double d) { return d < 0.0 ? -x / d : 1e300; }

}  // namespace stiction::nipm
