// SPDX-License-Identifier: BSD-2-Clause
// Errors of one block for the judge (private to it). Everything here is a closed form on a few numbers: squares are kept
// where a maximum of squares will do, so that one square root at the end serves all contacts.
//
//   law       velocity that is judged             primal              dual                complementarity
//   coulomb   ũ = u + (0, 0, μ‖u_T‖)              dist(λ, K)          dist(ũ, K*)         |⟨λ, ũ⟩|
//   convex    u                                   dist(λ, K)          dist(u, K*)         |⟨λ, u⟩|
//   patch     as coulomb or convex, T all rows but the last; spin and roll in rad/s besides: Turning
//   pyramid   u, natural map on normal and        horizontal dist     (−u_N)₊             |λ_N u_N|, |μλ_N h(u_T) + λ_Tᵀu_T|
//             polygon of radius μ λ_N
//   raisim    u, sliding along d = −λ_T − κ,      dist(λ, K)          (−u_N)₊             |λ_N u_N|, ‖u_T‖ |μλ_N − ‖λ_T‖|,
//             κ = μ² λ_N G_NT / G_NN                                                      ‖λ_T‖ (‖u_T‖ − dᵀu_T/‖d‖)
// The tangential powers are what friction fails to take. Without them a large μ hides slip: λ_T far inside the cone, u_T small beside 1/ρ.
// RaiSim's natural map is the largest of |λ_N − (λ_N − ρu_N)₊| (Signorini), min(ρ‖u_T‖, |μλ_N − ‖λ_T‖|) (slip only on the
// cone) and ‖d + P(−d − ρu_T)‖, P on the disc of radius ‖d‖ (slip only along d; with κ = 0 it is Coulomb's own tangential
// map). It is zero iff the law holds.
#pragma once

#include <stiction/cone/box.h>
#include <stiction/cone/coulomb_cone.h>
#include <stiction/cone/disc.h>
#include <stiction/cone/half_line.h>
#include <stiction/cone/pyramid_set.h>
#include <stiction/cone/round_cone.h>
#include <stiction/problem/block.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction::judging {

// Errors of one block in impulses and velocities, or their maxima over blocks. Without initial values: every judge_…
// below writes every field but the scales, and zeroing a struct costs as much as judging a contact.
struct Errors {
  double lambda2, u2, g2;                                       // scales, squared
  double primal2, dual2, natural2, b3_2;                        // squared
  double complementarity, signorini_power, signorini_velocity;  // [J] [J] [m/s]
  double b4_primal, b4_dual, b4_complementarity;
  double rho;  // effective inertia k/tr(G_ii + R_ii); of contacts and unilateral rows only
};

constexpr double square(double x) { return x * x; }
constexpr double positive(double x) { return x > 0.0 ? x : 0.0; }

// Two lanes: ρ = k/tr(G_ii + R_ii) of the natural map, ρ = 1/‖G_ii + R_ii‖_F of B3.
using Steps = double __attribute__((vector_size(16)));

inline Steps steps_of(double trace, double frobenius2, int size) {
  const Steps sizes = {trace, std::sqrt(frobenius2)}, tops = {static_cast<double>(size), 1.0};
  const Steps one = {1.0, 1.0}, smallest = {1e-300, 1e-300};
  return sizes <= smallest ? one : tops / sizes;  // a block that nothing can move is judged with ρ = 1
}

// `d` is the row-major diagonal block of G, `R` its compliance or null.
inline Steps steps_of(const double* d, const double* R, int size) {
  double trace = 0.0, frobenius2 = 0.0;
  for (int r = 0; r < size; ++r)
    for (int c = 0; c < size; ++c) {
      const double x = d[r * size + c] + (R && r == c ? R[r] : 0.0);
      trace += r == c ? x : 0.0;
      frobenius2 += x * x;
    }
  return steps_of(trace, frobenius2, size);
}

inline Steps steps_of_contact(const double* d, const double* R) {
  const double a = R ? d[0] + R[0] : d[0], b = R ? d[4] + R[1] : d[4], c = R ? d[8] + R[2] : d[8];
  const double off = square(d[1]) + square(d[2]) + square(d[3]) + square(d[5]) + square(d[6]) + square(d[7]);
  return steps_of(a + b + c, a * a + b * b + c * c + off, 3);
}

// dist²(x, K) with n = ‖x_T‖ and excess = n − μz and inverse = 1/(1+μ²) given (for a shifted velocity it is known without cancellation).
inline double cone_distance2(double mu, double inverse, double n, double z, double excess) {
  if (mu * n <= -z) return n * n + z * z;  // first: with μ = 0 the excess alone would not see λ_N < 0
  if (excess <= 0.0) return 0.0;
  return square(excess) * inverse;
}

// dist²(x, K*), K* = { z ≥ μ n }, excess = μn − z.
inline double dual_distance2(double mu, double inverse, double n, double z, double excess) {
  if (excess <= 0.0) return 0.0;
  if (n <= -mu * z) return n * n + z * z;
  return square(excess) * inverse;
}

// ‖λ − P_K(λ − ρu)‖² for both steps at once, u with its shift already in `z`. All three regions are computed and one is
// chosen: a wrong branch costs more than a division.
inline Steps natural_map2(double mu, double inverse, const double* l, const double* u, double z, Steps rho) {
  const Steps x = l[0] - rho * u[0], y = l[1] - rho * u[1], h = l[2] - rho * z;
  const Steps n2 = x * x + y * y, n = {std::sqrt(n2[0]), std::sqrt(n2[1])};
  const Steps height = (mu * n + h) * inverse, stretch = mu * height / n;
  const Steps a = l[0] - stretch * x, b = l[1] - stretch * y, c = l[2] - height;
  const double lambda2 = l[0] * l[0] + l[1] * l[1] + l[2] * l[2], u2 = u[0] * u[0] + u[1] * u[1] + z * z;
  const Steps separated = {lambda2, lambda2}, stuck = rho * rho * u2, sliding = a * a + b * b + c * c;
  return mu * n <= -h ? separated : (n <= mu * h ? stuck : sliding);
}

// Coulomb's law (shifted) and its convex relaxation.
template <bool Shifted>
inline void judge_cone(double mu, const double* l, const double* u, Steps rho, Errors& e) {
  const Steps tangents2 = {l[0] * l[0] + l[1] * l[1], u[0] * u[0] + u[1] * u[1]};
  const double lt = std::sqrt(tangents2[0]), ut = std::sqrt(tangents2[1]);
  const double z = Shifted ? u[2] + mu * ut : u[2];
  const double dual_excess = Shifted ? -u[2] : mu * ut - u[2];
  const double inverse = 1.0 / (1.0 + mu * mu);
  e.primal2 = cone_distance2(mu, inverse, lt, l[2], lt - mu * l[2]);
  e.dual2 = dual_distance2(mu, inverse, ut, z, dual_excess);
  e.complementarity = std::abs(l[0] * u[0] + l[1] * u[1] + l[2] * z);
  const Steps map2 = natural_map2(mu, inverse, l, u, z, rho);
  e.natural2 = map2[0], e.b3_2 = map2[1];
  e.b4_primal = positive(std::max(lt - mu * l[2], -l[2]));
  e.b4_dual = positive(dual_excess);
  e.b4_complementarity = e.complementarity;
}

// The same for a patch: T are all rows but the last.
inline double patch_map2(const RoundCone& cone, const double* l, const double* u, double z, double rho) {
  const int t = cone.size - 1;
  double x[kMostPatchRows];
  for (int k = 0; k < t; ++k) x[k] = l[k] - rho * u[k];
  x[t] = l[t] - rho * z;
  cone.project(x);
  double sum = 0.0;
  for (int k = 0; k <= t; ++k) sum += square(l[k] - x[k]);
  return sum;
}

inline void judge_patch(const RoundCone& cone, bool shifted, const double* l, const double* u, Steps rho, Errors& e) {
  const int t = cone.size - 1;
  const double mu = cone.mu, lt = cone.tangent_norm(l), ut = cone.tangent_norm(u), inverse = 1.0 / (1.0 + mu * mu);
  const double z = shifted ? u[t] + mu * ut : u[t], dual_excess = shifted ? -u[t] : mu * ut - u[t];
  e.primal2 = cone_distance2(mu, inverse, lt, l[t], lt - mu * l[t]);
  e.dual2 = dual_distance2(mu, inverse, ut, z, dual_excess);
  double power = l[t] * z;
  for (int k = 0; k < t; ++k) power += l[k] * u[k];
  e.complementarity = e.b4_complementarity = std::abs(power);
  e.signorini_power = std::abs(l[t] * u[t]);
  e.signorini_velocity = positive(-u[t]);
  e.natural2 = patch_map2(cone, l, u, z, rho[0]), e.b3_2 = patch_map2(cone, l, u, z, rho[1]);
  e.b4_primal = positive(std::max(lt - mu * l[t], -l[t]));
  e.b4_dual = positive(dual_excess);
}

// Spin and roll in rad/s. Small arms hide them from the numbers above: 1e-9 m/s are 1e-5 rad/s at an arm of 0.1 mm. A row of a
// pressed patch does not slip (u_k = 0) or slips against its torque as all others do (u_k = −β λ_k, β = ‖u_T‖/(μλ_N)).
struct Turning {
  double error = 0.0, scale = 0.0;  // [rad/s]
  double blur = 0.0;                // what an error of λ by 1 N s does to βλ_k [rad/(s N s)]
};

inline Turning judge_turning(const Block& b, int k, const double* l, const double* u, const double* g) {
  const int t = b.size - 1;
  const double carried = b.mu * l[t], arm = b.arm(k), scale = std::max(std::abs(u[k]), std::abs(g[k])) / arm;
  if (!(carried > 0.0)) return {0.0, scale, 0.0};
  const double beta = RoundCone::norm(u, t) / carried;
  return {std::min(std::abs(u[k]), std::abs(u[k] + beta * l[k])) / arm, scale, 2.0 * beta / arm};
}

inline double pyramid_map2(const PyramidSet& set, const double* l, const double* u, double rho) {
  const double normal = l[2] - HalfLine{}.project(l[2] - rho * u[2]);
  const Vec2 t = set.project_tangent({l[0] - rho * u[0], l[1] - rho * u[1]}, positive(set.mu * l[2]));
  return square(normal) + square(l[0] - t.x()) + square(l[1] - t.y());
}

inline void judge_pyramid(const PyramidSet& set, const double* l, const double* u, Steps rho, Errors& e) {
  const Vec3 lambda(l[0], l[1], l[2]), velocity(u[0], u[1], u[2]);
  e.primal2 = (lambda - set.project(lambda)).squaredNorm();
  e.dual2 = square(positive(-u[2]));
  const double missing = set.mu * l[2] * set.support({u[0], u[1]}) + l[0] * u[0] + l[1] * u[1];
  e.complementarity = std::max(std::abs(l[2] * u[2]), std::abs(missing));
  e.natural2 = pyramid_map2(set, l, u, rho[0]);
  e.b3_2 = pyramid_map2(set, l, u, rho[1]);
  e.b4_primal = positive(std::max(set.violation(lambda), -l[2]));
  e.b4_dual = positive(-u[2]);
  e.b4_complementarity = std::abs(lambda.dot(velocity + set.shift(velocity)));
}

// The direction d in which RaiSim's law lets a contact slide; `diagonal` is row-major (T1, T2, N).
inline Vec2 raisim_direction(double mu, const double* l, const double* diagonal, double G_NN) {
  const double kappa = G_NN > 0.0 ? mu * mu * l[2] / G_NN : 0.0;  // nothing moves: no matter where to
  return {-l[0] - kappa * diagonal[6], -l[1] - kappa * diagonal[7]};
}

inline double raisim_map2(double mu, const double* l, const double* u, const Vec2& d, double rho) {
  const double lt = std::sqrt(l[0] * l[0] + l[1] * l[1]), ut = std::sqrt(u[0] * u[0] + u[1] * u[1]);
  const double normal = std::abs(l[2] - HalfLine{}.project(l[2] - rho * u[2]));
  const double slip = std::min(rho * ut, std::abs(mu * l[2] - lt));
  const double radius = std::sqrt(d.x() * d.x() + d.y() * d.y());
  const Vec2 t = Disc{radius}.project({-d.x() - rho * u[0], -d.y() - rho * u[1]});
  const double direction2 = square(d.x() + t.x()) + square(d.y() + t.y());
  return std::max({square(normal), square(slip), direction2});
}

inline void judge_raisim(double mu, const double* l, const double* u, const double* diagonal, double R_N, Steps rho,
                         Errors& e) {
  const double lt = std::sqrt(l[0] * l[0] + l[1] * l[1]), ut = std::sqrt(u[0] * u[0] + u[1] * u[1]);
  const Vec2 d = raisim_direction(mu, l, diagonal, diagonal[8] + R_N);
  const double length = std::sqrt(d.x() * d.x() + d.y() * d.y());
  const double along = length > 0.0 ? (d.x() * u[0] + d.y() * u[1]) / length : 0.0;
  e.primal2 = cone_distance2(mu, 1.0 / (1.0 + mu * mu), lt, l[2], lt - mu * l[2]);
  e.dual2 = square(positive(-u[2]));
  e.complementarity = std::max({std::abs(l[2] * u[2]), std::abs(mu * l[2] - lt) * ut, lt * (ut - along)});
  e.natural2 = raisim_map2(mu, l, u, d, rho[0]);
  e.b3_2 = raisim_map2(mu, l, u, d, rho[1]);
  e.b4_primal = positive(std::max(lt - mu * l[2], -l[2]));
  e.b4_dual = positive(-u[2]);
  e.b4_complementarity = e.complementarity;
}

inline void judge_unilateral(double l, double u, Steps rho, Errors& e) {
  const HalfLine set;
  e.b4_primal = positive(-l), e.primal2 = square(e.b4_primal);
  e.b4_dual = positive(-u), e.dual2 = square(e.b4_dual);
  e.complementarity = e.b4_complementarity = e.signorini_power = std::abs(l * u);
  e.signorini_velocity = e.b4_dual;
  e.natural2 = square(l - set.project(l - rho[0] * u));
  e.b3_2 = square(l - set.project(l - rho[1] * u));
}

// A velocity u > 0 pushes λ to lo, u < 0 to hi: what is missing is power where the bound is finite, and a velocity that
// nothing can balance where it is not. [0, ∞) gives the numbers of a unilateral row, (−∞, ∞) those of a bilateral one.
inline void judge_box(const Box& set, double l, double u, Steps rho, Errors& e) {
  e.signorini_power = e.signorini_velocity = 0.0;
  const bool lower = std::isfinite(set.lo), upper = std::isfinite(set.hi);
  e.b4_primal = std::abs(l - set.project(l)), e.primal2 = square(e.b4_primal);
  e.b4_dual = u > 0.0 ? (lower ? 0.0 : u) : (upper ? 0.0 : -u), e.dual2 = square(e.b4_dual);
  const double missing = u > 0.0 ? (lower ? l - set.lo : 0.0) : (upper ? set.hi - l : 0.0);
  e.complementarity = e.b4_complementarity = std::abs(missing * u);
  e.natural2 = square(l - set.project(l - rho[0] * u));
  e.b3_2 = square(l - set.project(l - rho[1] * u));
  if (!(set.lo <= set.hi)) e.natural2 = std::numeric_limits<double>::quiet_NaN();  // bounds that are no interval
}

// λ is free, so only the velocity can be wrong. Called with the squares already in e.
inline void judge_bilateral(const double* l, const double* u, int size, Steps rho, Errors& e) {
  e.primal2 = e.b4_primal = e.signorini_power = e.signorini_velocity = 0.0;
  double power = 0.0;
  for (int r = 0; r < size; ++r) power += l[r] * u[r];
  e.dual2 = e.u2;
  e.b4_dual = std::sqrt(e.u2);
  e.complementarity = e.b4_complementarity = std::abs(power);
  e.natural2 = square(rho[0]) * e.u2;
  e.b3_2 = square(rho[1]) * e.u2;
}

}  // namespace stiction::judging
