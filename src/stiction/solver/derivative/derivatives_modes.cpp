// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/derivative/derivatives_modes.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kGrazing = 1e-3;   // a contact as slow as this share of the fastest one is compared with the fastest
constexpr double kStiffest = 1e12;  // largest ρκ: a contact that hardly presses turns its friction freely

double norm(const double* x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; ++i) s += x[i] * x[i];
  return std::sqrt(s);
}

double step_of(const ContactProblem& p, int block, const Block& b) {
  const double* w = p.G.diagonal_block(block);
  double trace = 0.0;
  for (int k = 0; k < b.size; ++k) trace += w[k * b.size + k] + p.R(b.row + k);
  return trace > 1e-300 ? b.size / trace : 1.0;
}

void set_slide(double mu, double normal, double speed, double rho, bool convex, BlockTangent& t) {
  const double inverse2 = 1.0 / (1.0 + mu * mu), inverse = std::sqrt(inverse2);
  const int n = t.size - 1;
  t.mode = BlockMode::slide;
  t.width = mu > 0.0 ? n : 1;
  for (int k = 0; k < n; ++k) t.b0[k] = inverse * mu * t.d[k];
  t.b0[n] = inverse;
  if (convex)
    std::copy(t.b0, t.b0 + n + 1, t.c0);
  else
    t.c0[n] = 1.0;
  const double stretch = normal * inverse2;
  for (int k = 0; k < n; ++k) t.m[k] = stretch * t.d[k];
  t.m[n] = -mu * stretch;
  t.rate_mu = convex ? inverse * speed : 0.0;
  if (mu > 0.0) t.creep = speed < kStiffest / rho * (mu * normal) ? speed / (mu * normal) : kStiffest / rho;
}

// Directions across d: (−d₂, d₁), or the columns of the reflection that takes the first axis to ∓d.
void set_across(BlockTangent& t) {
  const int n = t.size - 1;
  if (n == 2) {
    t.across[0][0] = -t.d[1], t.across[0][1] = t.d[0];
    return;
  }
  const double sign = t.d[0] < 0.0 ? -1.0 : 1.0, inverse = 1.0 / (1.0 + std::abs(t.d[0]));
  for (int j = 1; j < n; ++j)
    for (int k = 0; k < n; ++k)
      t.across[j - 1][k] = k == 0 ? -sign * t.d[j] : (k == j ? 1.0 : 0.0) - t.d[k] * t.d[j] * inverse;
}

void classify_contact(const Block& b, bool convex, const double* l, const double* u, double rho, double tolerance,
                      BlockTangent& t) {
  const int last = b.size - 1;
  const double mu = b.mu, speed = norm(u, last);
  double x[kMostPatchRows - 1] = {};
  for (int k = 0; k < last; ++k) x[k] = l[k] - rho * u[k];
  const double z = l[last] - rho * (convex ? u[last] : u[last] + mu * speed), n = norm(x, last);
  if (mu * n <= -z) {
    t.boundary = -z - mu * n <= tolerance;
    return;
  }
  if (mu > 0.0 && n <= mu * z) {
    t.mode = BlockMode::stick, t.width = b.size;
    t.boundary = mu * z - n <= tolerance;
    return;
  }
  for (int k = 0; k < last && n > 0.0; ++k) t.d[k] = x[k] / n;
  set_across(t);
  const double normal = (mu * n + z) / (1.0 + mu * mu);
  // A frictionless contact at rest has no direction in which friction would start to act.
  t.boundary = normal <= tolerance || n - mu * z <= tolerance || rho * speed <= tolerance;
  if (mu == 0.0) t.boundary = normal <= tolerance || rho * speed <= tolerance;
  set_slide(mu, normal, speed, rho, convex, t);
}

void classify_interval(double lo, double hi, double x, double tolerance, BlockTangent& t) {
  if (lo < x && x < hi) {
    t.mode = BlockMode::stick, t.width = 1;
    t.boundary = std::min(x - lo, hi - x) <= tolerance;
    return;
  }
  t.mode = BlockMode::bound;
  t.boundary = lo < hi && std::max(lo - x, x - hi) <= tolerance;
}

}  // namespace

double largest_velocity(const ContactProblem& p, const double* u) {
  double largest = 0.0;
  for (int i = 0; i < p.rows(); ++i) largest = std::max({largest, std::abs(u[i]), std::abs(p.g[i])});
  return largest;
}

BlockTangent classify_block(const ContactProblem& p, int block, const double* lambda, const double* u, double threshold,
                            double largest) {
  const Block& b = p.blocks[block];
  const double *l = lambda + b.row, *v = u + b.row, *g = p.g.data() + b.row;
  BlockTangent t;
  t.row = b.row, t.size = b.size;
  if (b.kind == BlockKind::bilateral) {
    t.mode = BlockMode::stick, t.width = b.size;
    return t;
  }
  const double rho = step_of(p, block, b);
  const double scale =
      std::max({norm(l, b.size), rho * norm(v, b.size), rho * norm(g, b.size), rho * kGrazing * largest});
  const double tolerance = threshold * scale;
  if (b.kind == BlockKind::coulomb || b.kind == BlockKind::patch) {
    classify_contact(b, p.law.kind == FrictionLaw::convex, l, v, rho, tolerance, t);
  } else if (b.kind == BlockKind::box) {
    classify_interval(b.lo, b.hi, *l - rho * *v, tolerance, t);
  } else {
    const double x = *l - rho * *v;
    if (x > 0.0) t.mode = BlockMode::stick, t.width = 1;
    t.boundary = std::abs(x) <= tolerance;
  }
  return t;
}

}  // namespace stiction
