// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/growing.h>
#include <stiction/step/exponential/decoupled_modes.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace stiction {
namespace {

constexpr int kTerms = 18;

// t = 2⁻ᵏ with max(d, √a) t ≤ ½
int doublings(double a, double d) {
  int exponent = 0;
  std::frexp(2.0 * std::max(d, std::sqrt(a)), &exponent);
  return std::clamp(exponent, 0, 1000);
}

// The series at t = 2⁻ᵏ: S_m = t^{m+1} Σ w_i/(i + m)! with w_i = s_i tⁱ⁻¹, s_{i+2} = −d s_{i+1} − a s_i, s₀ = 0, s₁ = 1.
ImpulseResponse taylor(double a, double d, double t) {
  static constexpr auto kInverseFactorial = [] {
    std::array<double, kTerms + 4> f{1.0};
    for (std::size_t i = 1; i < f.size(); ++i) f[i] = f[i - 1] / static_cast<double>(i);
    return f;
  }();
  ImpulseResponse s{0.0, 0.0, 0.0, 0.0, 0.0};
  const double dt = d * t, att = a * t * t;
  double w = 0.0, next = 1.0;
  for (std::size_t i = 0; i < kTerms; ++i) {
    s.slope += next * kInverseFactorial[i];
    s.value += w * kInverseFactorial[i];
    s.integral += w * kInverseFactorial[i + 1];
    s.integral2 += w * kInverseFactorial[i + 2];
    s.integral3 += w * kInverseFactorial[i + 3];
    const double following = -dt * next - att * w;
    w = next, next = following;
  }
  return {s.slope, t * s.value, t * t * s.integral, t * t * t * s.integral2, t * t * t * t * s.integral3};
}

// (2) and the brackets of (3) for one mode: in is (y₀, ẏ₀, g), out the averages of y + cẏ.
void mode_averages(double eigenvalue, double c, double h, const double* in, double* out) {
  const double theta = eigenvalue < 0.0 ? 0.0 : eigenvalue;  // round-off of a singular Υ; NaN stays
  const double a = theta * h * h, d = c * theta * h, y0 = in[0], u0 = h * in[1], g = h * h * in[2];
  const ImpulseResponse s = impulse_response(a, d);
  const double rise = -a * s.integral * y0 + s.value * u0 + s.integral * g;
  const double integral = (1.0 - a * s.integral2) * y0 + s.integral * u0 + s.integral2 * g;
  const double integral2 = (0.5 - a * s.integral3) * y0 + s.integral2 * u0 + s.integral3 * g;
  out[0] = integral + (c / h) * rise;
  out[1] = 2.0 * (integral2 + (c / h) * (integral - y0));
}

}  // namespace

ImpulseResponse impulse_response(double a, double d) {
  const int k = doublings(a, d);
  double t = std::ldexp(1.0, -k);
  auto [p, s, s1, s2, s3] = taylor(a, d, t);
  for (int i = 0; i < k; ++i, t *= 2.0) {  // t → 2t: the values on the right are those at t
    s3 = s3 + t * s2 + 0.5 * t * t * s1 + s * (s2 + d * s3) + p * s3;
    s2 = s2 + t * s1 + s * (s1 + d * s2) + p * s2;
    s1 = s1 + s * (s + d * s1) + p * s1;
    const double value = s * (p + d * s) + p * s;
    p = p * p - a * s * s;
    s = value;
  }
  return {p, s, s1, s2, s3};
}

bool proportional(const LinearContact& contact, double& c) {
  if (contact.rows == 0 || !(contact.stiffness[0] > 0.0)) return false;
  c = contact.damping[0] / contact.stiffness[0];
  for (int i = 0; i < contact.rows; ++i) {
    const double k = contact.stiffness[i], b = contact.damping[i];
    if (!(k > 0.0) || !(std::abs(b - c * k) <= 1e-12 * std::max(b, c * k))) return false;
  }
  return true;
}

void modal_forces(const LinearContact& contact, double c, ModalWork& work, double* average, double* double_average) {
  const int n = contact.rows;
  const std::size_t size = n;
  grow(work.matrix, size * size);
  grow(work.vectors, 7 * size);
  double *root = work.vectors.data(), *in = root + n, *out = in + 4 * n, *matrix = work.matrix.data();
  for (int i = 0; i < n; ++i) root[i] = std::sqrt(contact.stiffness[i]);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) matrix[j * n + i] = root[i] * contact.upsilon[j * n + i] * root[j];
    in[4 * j] = root[j] * contact.displacement[j];
    in[4 * j + 1] = root[j] * contact.velocity[j];
    in[4 * j + 2] = root[j] * contact.beta[j];
    in[4 * j + 3] = 0.0;
  }
  work.modes.enter(n, matrix, in);
  for (int i = 0; i < n; ++i) mode_averages(work.modes.eigenvalues()[i], c, contact.h, in + 4 * i, out + 2 * i);
  work.modes.leave(out);
  for (int i = 0; i < n; ++i) {
    average[i] = -root[i] * out[2 * i];
    double_average[i] = -root[i] * out[2 * i + 1];
  }
}

}  // namespace stiction
