// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/cone/box.h>
#include <stiction/cone/disc.h>
#include <stiction/cone/pyramid_set.h>
#include <stiction/cone/round_cone.h>
#include <stiction/solver/diagnose/violations.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

struct Scales {
  double impulse[2] = {0.0, 0.0}, velocity[2] = {0.0, 0.0};  // linear, angular
};

Scales measure(const ContactProblem& p, const VecRef& lambda, const Vec& u) {
  Scales s;
  for (const Block& b : p.blocks) {
    const auto part = [&](const auto& x) { return x.segment(b.row, b.size).norm(); };
    double& impulse = s.impulse[b.angular];
    double& velocity = s.velocity[b.angular];
    impulse = std::max(impulse, part(lambda));
    velocity = std::max({velocity, part(u), part(p.g.vec())});
  }
  return s;
}

double relative(double x, double scale) { return scale > 0.0 ? x / scale : 0.0; }

// How far friction is from answering the slip, in units of impulses; what lies outside of the cone is not counted twice.
double slip_error(const FrictionLaw& law, double mu, const Vec3& l, const Vec3& u, double rho) {
  const double radius = std::max(0.0, mu * l.z());
  const PyramidSet pyramid{mu, law.angle, law.facets};
  const auto project = [&](const Vec2& x) {
    return law.kind == FrictionLaw::pyramid ? pyramid.project_tangent(x, radius) : Disc{radius}.project(x);
  };
  const Vec2 t = project(l.head<2>()), v = u.head<2>();
  if (law.kind == FrictionLaw::raisim)
    return std::min(rho * v.norm(), radius - t.norm());  // its direction is its own affair
  return (t - project(t - rho * v)).norm();
}

Violation judge_contact(const ContactProblem& p, const Block& b, const double* diagonal, const Vec3& l, const Vec3& u,
                        double impulse, double velocity) {
  const double trace = diagonal[0] + diagonal[4] + diagonal[8], rho = trace > 0.0 ? 3.0 / trace : 0.0;
  const double opening = p.law.kind == FrictionLaw::convex ? u.z() - b.mu * u.head<2>().norm() : u.z();
  const double beyond = std::max({l.head<2>().norm() - b.mu * l.z(), -l.z(), 0.0});
  const double pressing = std::min(relative(std::max(0.0, l.z()), impulse), relative(std::max(0.0, opening), velocity));
  const Violation found[] = {
      {Violation::penetration, 0, std::max(0.0, -opening), relative(std::max(0.0, -opening), velocity)},
      {Violation::cone, 0, beyond, relative(beyond, impulse)},
      {Violation::separation, 0, std::max(0.0, opening), pressing},
      {Violation::slip, 0, u.head<2>().norm(), relative(slip_error(p.law, b.mu, l, u, rho), impulse)}};
  return *std::max_element(std::begin(found), std::end(found),
                           [](const Violation& x, const Violation& y) { return x.relative < y.relative; });
}

double trace_of(const ContactProblem& p, int block) {
  const int size = p.blocks[block].size;
  double trace = 0.0;
  for (int k = 0; k < size; ++k) trace += p.G.diagonal_block(block)[k * (size + 1)];
  return trace;
}

// As a contact of three rows; T are all rows but the last.
Violation judge_patch(const ContactProblem& p, const Block& b, const double* l, const double* u, double trace,
                      double impulse, double velocity) {
  const RoundCone cone{b.mu, b.size};
  const int n = b.size - 1;
  const double opening = p.law.kind == FrictionLaw::convex ? u[n] - cone.shift(u) : u[n];
  const double beyond = std::max({0.0, cone.tangent_norm(l) - b.mu * l[n], -l[n]});
  const double pressing = std::min(relative(l[n], impulse), relative(std::max(0.0, opening), velocity));
  const double slip = cone.tangent_norm(u), rho = trace > 0.0 ? b.size / trace : 1.0,
               radius = b.mu * std::max(0.0, l[n]);
  double missing = 0.0, length = 0.0;  // of λ_T − P(λ_T − ρu_T), P on the ball of radius μλ_N
  for (int k = 0; k < n; ++k) length += (l[k] - rho * u[k]) * (l[k] - rho * u[k]);
  const double scale = std::sqrt(length) > radius ? radius / std::sqrt(length) : 1.0;
  for (int k = 0; k < n; ++k) {
    const double x = l[k] - scale * (l[k] - rho * u[k]);
    missing += x * x;
  }
  const Violation found[] = {
      {Violation::penetration, 0, std::max(0.0, -opening), relative(std::max(0.0, -opening), velocity)},
      {Violation::cone, 0, beyond, relative(beyond, impulse)},
      {Violation::separation, 0, std::max(0.0, opening), pressing},
      {Violation::slip, 0, slip, relative(std::sqrt(missing), impulse)}};
  return *std::max_element(std::begin(found), std::end(found),
                           [](const Violation& x, const Violation& y) { return x.relative < y.relative; });
}

Violation judge_row(const Block& b, double l, double u, double impulse, double velocity) {
  if (b.kind == BlockKind::unilateral) {
    if (l < 0.0) return {Violation::cone, 0, -l, relative(-l, impulse)};
    if (u < 0.0) return {Violation::penetration, 0, -u, relative(-u, velocity)};
    return {Violation::separation, 0, u, std::min(relative(l, impulse), relative(u, velocity))};
  }
  const double room = u > 0.0 ? l - b.lo : b.hi - l;  // how far λ may still go against u
  const double outside = std::abs(l - Box{b.lo, b.hi}.project(l));
  const double wrong =
      std::min(std::isfinite(room) ? relative(std::max(0.0, room), impulse) : 1.0, relative(std::abs(u), velocity));
  return {Violation::bound, 0, std::abs(u), std::max(relative(outside, impulse), wrong)};
}

}  // namespace

const char* name(Violation::Component c) {
  switch (c) {
    case Violation::penetration:
      return "penetration";
    case Violation::cone:
      return "cone";
    case Violation::separation:
      return "separation";
    case Violation::slip:
      return "slip";
    case Violation::joint:
      return "joint";
    case Violation::bound:
      return "bound";
  }
  return "unknown";
}

std::vector<Violation> find_violations(const ContactProblem& p, const VecRef& lambda, double least) {
  Vec u(p.rows());
  GrowingVec scratch;
  p.G.multiply(lambda.data(), u.data(), scratch);
  for (int i = 0; i < p.rows(); ++i) u[i] += p.R(i) * lambda[i] + p.g[i];
  const Scales scales = measure(p, lambda, u);
  std::vector<Violation> out;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    const double impulse = scales.impulse[b.angular], velocity = scales.velocity[b.angular];
    Violation o;
    if (b.kind == BlockKind::coulomb)
      o = judge_contact(p, b, p.G.diagonal_block(static_cast<int>(i)), lambda.segment<3>(b.row), u.segment<3>(b.row),
                        impulse, velocity);
    else if (b.kind == BlockKind::patch)
      o = judge_patch(p, b, lambda.data() + b.row, u.data() + b.row, trace_of(p, static_cast<int>(i)), impulse,
                      velocity);
    else if (b.kind == BlockKind::bilateral)
      o = {Violation::joint, 0, u.segment(b.row, b.size).norm(), relative(u.segment(b.row, b.size).norm(), velocity)};
    else
      o = judge_row(b, lambda[b.row], u[b.row], impulse, velocity);
    o.block = static_cast<int>(i);
    if (!(o.relative <= least)) out.push_back(o);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Violation& x, const Violation& y) { return x.relative > y.relative; });
  return out;
}

}  // namespace stiction
