// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/local/bracketed_root.h>
#include <stiction/solver/local/local_contact.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kSingular = 1e-12;  // relative size below which S counts as rank deficient
constexpr double kRange = 1e-9;      // relative size below which c counts as lying in range(S)
constexpr double kExact = 1e-9;      // relative step of ℓ after which Newton's next one would change nothing

// h(ℓ) = q(ℓ) / ‖p(ℓ)‖ with q a parabola and p affine; the root of h = 1 is the slip of (4).
struct Secular {
  double q2, q1, q0;  // q(ℓ) = q2 ℓ² + q1 ℓ + q0
  double c2, cp, p2;  // ‖p(ℓ)‖² = c2 ℓ² + 2 cp ℓ + p2

  // Newton's step for h = 1; `sign` receives q − ‖p‖, whose sign brackets the root.
  double step(double l, double& sign) const {
    const double q = (q2 * l + q1) * l + q0;
    const double n2 = std::max((c2 * l + 2.0 * cp) * l + p2, 0.0);
    const double n = std::sqrt(n2);
    sign = q - n;
    // (1 − h) / h' = (‖p‖ − q) ‖p‖² / (q' ‖p‖² − q c·p)
    return -sign * n2 / ((2.0 * q2 * l + q1) * n2 - q * (c2 * l + cp));
  }

  double root(double guess, double scale, double accuracy) const {
    return bracketed_root(guess, scale, accuracy, [this](double l, double& sign) { return step(l, sign); });
  }
};

}  // namespace

void LocalContact::prepare(const double* w, double friction) {
  mu = friction;
  w_nn = w[8];
  inverse_nn = w_nn > 0.0 ? 1.0 / w_nn : 0.0;
  nt[0] = w[6], nt[1] = w[7];
  tn[0] = w[2] * inverse_nn, tn[1] = w[5] * inverse_nn;
  s[0] = w[0] - tn[0] * nt[0], s[1] = w[1] - tn[0] * nt[1];
  s[2] = w[3] - tn[1] * nt[0], s[3] = w[4] - tn[1] * nt[1];
  trace = s[0] + s[3];
  size_tt = w[0] + w[4];
  const double det = s[0] * s[3] - s[1] * s[2];
  const bool regular = trace > kSingular * size_tt && det > kSingular * trace * trace;
  inverse_det = regular ? 1.0 / det : 0.0;
}

ContactMode LocalContact::solve(const double* b, double* r, const double* u) const {
  if (b[2] >= 0.0 || !(w_nn > 0.0)) {
    r[0] = r[1] = r[2] = 0.0;
    return b[2] >= 0.0 ? ContactMode::open : ContactMode::failed;
  }
  if (mu <= 0.0) {
    r[0] = r[1] = 0.0;
    r[2] = -b[2] * inverse_nn;
    return ContactMode::slip;
  }
  const double x = u ? r[0] : 0.0, y = u ? r[1] : 0.0;
  const double c[2] = {tn[0] * b[2] - b[0], tn[1] * b[2] - b[1]};
  const bool sticks = inverse_det > 0.0 ? stick(b, c, r) : stick_singular(b, c, r);
  if (sticks) return ContactMode::stick;
  const double t2 = x * x + y * y;
  double l = t2 > 0.0 ? -(u[0] * x + u[1] * y) / t2 : 0.0;
  return slide(b, c, l, r, kExact);
}

double LocalContact::slip_of(const double* b, double x, double y, double normal) const {
  // W_TT = S + W_TN W_NT / W_NN
  const double t2 = x * x + y * y, across = nt[0] * x + nt[1] * y + w_nn * normal;
  const double ux = b[0] + s[0] * x + s[1] * y + tn[0] * across, uy = b[1] + s[2] * x + s[3] * y + tn[1] * across;
  return t2 > 0.0 ? -(ux * x + uy * y) / t2 : 0.0;
}

// (2) for regular S.
bool LocalContact::stick(const double* b, const double* c, double* r) const {
  r[0] = (s[3] * c[0] - s[1] * c[1]) * inverse_det;
  r[1] = (s[0] * c[1] - s[2] * c[0]) * inverse_det;
  r[2] = -(b[2] + nt[0] * r[0] + nt[1] * r[1]) * inverse_nn;
  const double radius = mu * r[2];
  return r[2] >= 0.0 && r[0] * r[0] + r[1] * r[1] <= radius * radius;
}

// (2) for S of rank 0 or 1: the minimum-norm r_T, if c is in the range of S.
bool LocalContact::stick_singular(const double* b, const double* c, double* r) const {
  const double allowed = kRange * (std::hypot(b[0], b[1]) + std::hypot(tn[0], tn[1]) * std::abs(b[2]));
  r[0] = r[1] = 0.0;
  if (!(trace > kSingular * size_tt)) {
    if (!(std::hypot(c[0], c[1]) <= allowed)) return false;
  } else {
    // Larger eigenpair (value, e) of the symmetric part.
    const double off = 0.5 * (s[1] + s[2]), half = 0.5 * (s[0] - s[3]), radius = std::hypot(half, off);
    const double value = 0.5 * trace + radius;
    double e[2] = {half >= 0.0 ? half + radius : off, half >= 0.0 ? off : radius - half};
    const double norm = std::hypot(e[0], e[1]);
    if (norm > 0.0)
      e[0] /= norm, e[1] /= norm;
    else
      e[0] = 1.0, e[1] = 0.0;
    if (!(std::abs(e[0] * c[1] - e[1] * c[0]) <= allowed)) return false;
    const double along = (e[0] * c[0] + e[1] * c[1]) / value;
    r[0] = e[0] * along, r[1] = e[1] * along;
  }
  r[2] = -(b[2] + nt[0] * r[0] + nt[1] * r[1]) * inverse_nn;
  return r[2] >= 0.0 && std::hypot(r[0], r[1]) <= mu * r[2];
}

// S isotropic with the curvature it has along c, and r_T along c. cᵀSc/cᵀc = tr S − cᵀ(adj S)c/cᵀc.
double LocalContact::isotropic_guess(const double* b, const double* c, double c2, double cp) const {
  const double stiffness = w_nn * std::sqrt(c2) + mu * (nt[0] * c[0] + nt[1] * c[1]);
  const double curvature = trace - (c2 > 0.0 ? cp / c2 : 0.0);
  return stiffness > 0.0 ? -stiffness / (mu * b[2]) - curvature : 0.0;
}

// (3) through (4).
ContactMode LocalContact::slide(const double* b, const double* c, double& l, double* r, double accuracy) const {
  const double p[2] = {s[3] * c[0] - s[1] * c[1], s[0] * c[1] - s[2] * c[0]};  // adj(S) c
  const double c2 = c[0] * c[0] + c[1] * c[1], cp = c[0] * p[0] + c[1] * p[1];
  const double k = mu * inverse_nn;
  const Secular secular{-k * b[2],
                        k * (-b[2] * trace - nt[0] * c[0] - nt[1] * c[1]),
                        k * (-b[2] * (s[0] * s[3] - s[1] * s[2]) - nt[0] * p[0] - nt[1] * p[1]),
                        c2,
                        cp,
                        p[0] * p[0] + p[1] * p[1]};
  if (!(l > 0.0)) l = isotropic_guess(b, c, c2, cp);
  l = secular.root(l, std::max(std::abs(trace), kSingular * size_tt), accuracy);

  const double px = p[0] + l * c[0], py = p[1] + l * c[1], norm = std::sqrt(px * px + py * py);
  const double inverse = norm > 0.0 ? mu / norm : 0.0, x = inverse * px, y = inverse * py;  // μ r_T/‖r_T‖
  const double denominator = w_nn + nt[0] * x + nt[1] * y;
  r[2] = -b[2] / denominator;
  r[0] = r[2] * x, r[1] = r[2] * y;
  if (denominator > 0.0 && std::isfinite(r[2])) return ContactMode::slip;
  r[0] = r[1] = r[2] = 0.0;
  return ContactMode::failed;
}

}  // namespace stiction
