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
  t.mode = BlockMode::slide;
  t.width = mu > 0.0 ? 2 : 1;
  t.b0[0] = inverse * mu * t.d1, t.b0[1] = inverse * mu * t.d2, t.b0[2] = inverse;
  if (convex)
    std::copy(t.b0, t.b0 + 3, t.c0);
  else
    t.c0[0] = t.c0[1] = 0.0, t.c0[2] = 1.0;
  const double stretch = normal * inverse2;
  t.m[0] = stretch * t.d1, t.m[1] = stretch * t.d2, t.m[2] = -mu * stretch;
  t.rate_mu = convex ? inverse * speed : 0.0;
  if (mu > 0.0) t.creep = speed < kStiffest / rho * (mu * normal) ? speed / (mu * normal) : kStiffest / rho;
}

void classify_contact(const Block& b, bool convex, const double* l, const double* u, double rho, double tolerance,
                      BlockTangent& t) {
  const double mu = b.mu, speed = norm(u, 2);
  const double x = l[0] - rho * u[0], y = l[1] - rho * u[1];
  const double z = l[2] - rho * (convex ? u[2] : u[2] + mu * speed), n = std::sqrt(x * x + y * y);
  if (mu * n <= -z) {
    t.boundary = -z - mu * n <= tolerance;
    return;
  }
  if (mu > 0.0 && n <= mu * z) {
    t.mode = BlockMode::stick, t.width = 3;
    t.boundary = mu * z - n <= tolerance;
    return;
  }
  if (n > 0.0) t.d1 = x / n, t.d2 = y / n;
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
  t.row = b.row;
  if (b.kind == BlockKind::bilateral) {
    t.mode = BlockMode::stick, t.width = b.size;
    return t;
  }
  const double rho = step_of(p, block, b);
  const double scale =
      std::max({norm(l, b.size), rho * norm(v, b.size), rho * norm(g, b.size), rho * kGrazing * largest});
  const double tolerance = threshold * scale;
  if (b.kind == BlockKind::coulomb) {
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
