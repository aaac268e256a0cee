// SPDX-License-Identifier: BSD-2-Clause
// The judge. With u = (G + R)λ + g recomputed here, per block i and as maxima over blocks of one kind (linear, angular):
//   S_p = max ‖λ_i‖/dt,  S_d = max max(‖u_i‖, ‖g_i‖)                                                           (1)
//   e_p ≤ ε_force + ε_rel S_p      e_d ≤ ε_velocity + ε_rel S_d      e_c ≤ ε_power + ε_rel S_p S_d              (2)
//   e_n = ‖λ_i − P(λ_i − ρ_i ũ_i)‖/dt ≤ ε_force + ε_rel S_p,  ρ_i = k/tr(G_ii + R_ii)                           (3)
//   Signorini |λ_N u_N|/dt and (−u_N)₊ like e_c and e_d; not asked of the convex law, which violates it by design
// ratio = the largest error over what (2, 3) allow. Without dt it is max(B3/ε_rel, B4/30ε_rel), and dt = 1 is used for
// the units of the other numbers. B3, B4: natural map with ρ_i = 1/‖G_ii + R_ii‖_F and De Saxcé's triple, relative to
// max ‖λ_i‖ and max ‖g_i‖. Where g = 0 in all rows of a kind, as of joints at rest beside a contact, what the impulses do to them
// takes its place: beside 0 every rounding error would be no solution.
// Scales are per kind because a torque of 1 N m and a force of 1 N cannot be compared.
// Patches: spin and roll are measured in rad/s as well (judge_turning), allowed as velocities are.
// Light bodies beside heavy ones: where ρ_i < ρ_max/100 the force scale of a linear contact is its own,
//   S_i = max(‖λ_i‖/dt, S_p · 100 ρ_i/ρ_max)                                                                    (4)
// or what a grain of sand feels would be nothing beside what holds up the truck.
//
// Nothing that is not finite passes: every square enters one sum, and if that sum is NaN or beyond 1e150 the whole
// residual is NaN. (std::max(0, NaN) is 0: a diverged solve would read as solved.)
// Reference: Le Lidec et al., Contact Models in Robotics (2024); Acary, Brémond, Huber, On solving contact problems with
// Coulomb friction (2018) for the error measures of the B family.
#include <stiction/base/invalid_input.h>
#include <stiction/problem/judge.h>
#include <stiction/problem/judge_blocks.h>
#include <stiction/problem/judge_detail.h>

#include <cassert>
#include <string>
#include <type_traits>

namespace stiction {
namespace {

using judging::Errors;
using judging::Steps;

inline void keep_larger(double& a, double b) { a = a < b ? b : a; }

constexpr double kLight = 100.0;     // of (4)
constexpr double kOverflow = 1e150;  // sums of squares above it would overflow in the products of scales

struct Sums {
  Errors worst[2];  // linear, angular; valid if met
  bool met[2] = {false, false};
  bool patches = false;
  double poison = 0;                                                          // NaN or huge iff any block was
  double lightest = std::numeric_limits<double>::infinity(), heaviest = 0.0;  // ρ of linear contacts

  void weigh(const Errors& e, bool angular) {
    if (angular) return;
    lightest = e.rho < lightest ? e.rho : lightest;
    keep_larger(heaviest, e.rho);
  }

  void absorb(const Errors& e, bool angular) {
    poison += e.lambda2 + e.u2 + e.g2 + (e.natural2 + e.b3_2);
    Errors& w = worst[angular ? 1 : 0];
    if (!met[angular ? 1 : 0]) {
      met[angular ? 1 : 0] = true;
      w = e;
      return;
    }
    keep_larger(w.lambda2, e.lambda2), keep_larger(w.u2, e.u2), keep_larger(w.g2, e.g2);
    keep_larger(w.primal2, e.primal2), keep_larger(w.dual2, e.dual2);
    keep_larger(w.natural2, e.natural2), keep_larger(w.b3_2, e.b3_2);
    keep_larger(w.complementarity, e.complementarity);
    keep_larger(w.signorini_power, e.signorini_power);
    keep_larger(w.signorini_velocity, e.signorini_velocity);
    keep_larger(w.b4_primal, e.b4_primal), keep_larger(w.b4_dual, e.b4_dual);
    keep_larger(w.b4_complementarity, e.b4_complementarity);
  }
};

inline double squared(const double* x, int size) {
  double s = 0.0;
  for (int i = 0; i < size; ++i) s += x[i] * x[i];
  return s;
}

template <FrictionLaw::Kind Law>
inline Errors judge_contact(const Block& b, const FrictionLaw& law, const double* diagonal, const double* R,
                            const double* l, const double* u, const double* g) {
  const Steps rho = judging::steps_of_contact(diagonal, R);
  Errors e;
  e.rho = rho[0];
  e.lambda2 = squared(l, 3), e.u2 = squared(u, 3), e.g2 = squared(g, 3);
  e.signorini_power = std::abs(l[2] * u[2]);
  e.signorini_velocity = judging::positive(-u[2]);
  if constexpr (Law == FrictionLaw::coulomb) judging::judge_cone<true>(b.mu, l, u, rho, e);
  if constexpr (Law == FrictionLaw::convex) judging::judge_cone<false>(b.mu, l, u, rho, e);
  if constexpr (Law == FrictionLaw::pyramid) judging::judge_pyramid({b.mu, law.angle, law.facets}, l, u, rho, e);
  if constexpr (Law == FrictionLaw::raisim) judging::judge_raisim(b.mu, l, u, diagonal, R ? R[2] : 0.0, rho, e);
  return e;
}

// One unilateral row; `w` is G_ii + R_ii. Both natural maps are the same.
inline Errors judge_row(double w, double l, double u, double g) {
  const double rho = w <= 1e-300 ? 1.0 : 1.0 / w;
  Errors e;
  e.rho = rho;
  e.lambda2 = l * l, e.u2 = u * u, e.g2 = g * g;
  judging::judge_unilateral(l, u, Steps{rho, rho}, e);
  return e;
}

// Kept out of line: the hot loop must hold its numbers in registers.
[[gnu::noinline]] Errors judge_other(const Block& b, bool shifted, const double* diagonal, const double* R,
                                     const double* l, const double* u, const double* g) {
  const Steps rho = judging::steps_of(diagonal, R, b.size);
  Errors e;
  e.rho = rho[0];
  e.lambda2 = squared(l, b.size), e.u2 = squared(u, b.size), e.g2 = squared(g, b.size);
  if (b.kind == BlockKind::bilateral)
    judging::judge_bilateral(l, u, b.size, rho, e);
  else if (b.kind == BlockKind::patch)
    judging::judge_patch({b.mu, b.size}, shifted, l, u, rho, e);
  else
    judging::judge_box({b.lo, b.hi}, *l, *u, rho, e);
  return e;
}

// each(errors, block) for contacts and unilateral rows, other(errors, block) for the rest.
template <FrictionLaw::Kind Law, class Each, class Other>
inline void for_each_block(const ContactProblem& p, const FrictionLaw& law, const double* R, const double* lambda,
                           const double* u, const Each& each, const Other& other) {
  const double* g = p.g.data();
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    const double* diagonal = p.G.diagonal_block(static_cast<int>(i));
    const double* c = R ? R + b.row : nullptr;
    if (b.kind == BlockKind::coulomb)
      each(judge_contact<Law>(b, law, diagonal, c, lambda + b.row, u + b.row, g + b.row), b);
    else if (b.kind == BlockKind::unilateral)
      each(judge_row(c ? *diagonal + *c : *diagonal, lambda[b.row], u[b.row], g[b.row]), b);
    else
      other(b, diagonal, c);
  }
}

template <FrictionLaw::Kind Law>
[[gnu::noinline]] void judge_blocks(const ContactProblem& p, const FrictionLaw& law, const double* R,
                                    const double* lambda, const double* u, Sums& sums) {
  for_each_block<Law>(
      p, law, R, lambda, u,
      [&](const Errors& e, const Block& b) { sums.absorb(e, b.angular), sums.weigh(e, b.angular); },
      [&](const Block& b, const double* diagonal, const double* c) {
        const Errors e =
            judge_other(b, Law != FrictionLaw::convex, diagonal, c, lambda + b.row, u + b.row, p.g.data() + b.row);
        sums.absorb(e, b.angular);
        if (b.kind == BlockKind::patch) sums.weigh(e, false), sums.patches = true;
      });
}

// 0/0 is an exact solution without scale; everything else over 0 is no solution.
inline double over(double error, double allowed) { return error == 0.0 ? 0.0 : error / allowed; }
inline double relative(double error, double scale) { return error == 0.0 ? 0.0 : (scale > 0.0 ? error / scale : 1.0); }

inline double largest(double a, double b) { return a < b ? b : a; }

// The maxima over one kind of row, in impulses and velocities.
struct Maxima {
  double lambda, u, g, primal, dual, natural, b3;
};

// Turns them into errors with units; `w` gives what is no square.
inline Residual conclude(const Maxima& m, const Errors& w, const Tolerance& t, double inverse_dt, bool signorini) {
  const double S_p = m.lambda * inverse_dt, S_d = largest(m.u, m.g);
  const double force = t.force + t.relative * S_p, velocity = t.velocity + t.relative * S_d;
  const double power = t.power + t.relative * S_p * S_d;
  const double primal = m.primal * inverse_dt, natural = m.natural * inverse_dt;
  const double complementarity = w.complementarity * inverse_dt, signorini_power = w.signorini_power * inverse_dt;
  const double b3 = relative(m.b3, m.lambda);
  const double b4 = largest(largest(relative(w.b4_primal, m.lambda), relative(w.b4_dual, m.g)),
                            relative(w.b4_complementarity, m.lambda * m.g));
  // Errors that share a unit share their allowance: three divisions instead of six.
  const double force_ratio = over(largest(primal, natural), force);
  const double velocity_ratio = over(signorini ? largest(m.dual, w.signorini_velocity) : m.dual, velocity);
  const double power_ratio = over(signorini ? largest(complementarity, signorini_power) : complementarity, power);
  const double ratio = largest(largest(force_ratio, velocity_ratio), power_ratio);
  return {primal, m.dual, complementarity, signorini_power, w.signorini_velocity, natural, 0.0, 0.0, b3, b4, S_p, S_d,
          0.0,    ratio};
}

inline Residual conclude(const Errors& w, const Tolerance& t, double inverse_dt, bool signorini) {
  const Maxima m = {std::sqrt(w.lambda2), std::sqrt(w.u2),       std::sqrt(w.g2),  std::sqrt(w.primal2),
                    std::sqrt(w.dual2),   std::sqrt(w.natural2), std::sqrt(w.b3_2)};
  return conclude(m, w, t, inverse_dt, signorini);
}

// (4): the largest ratio of forces and powers of contacts between light bodies. `r` has the scales of the linear rows.
template <FrictionLaw::Kind Law>
[[gnu::noinline]] double light_ratio(const ContactProblem& p, const FrictionLaw& law, const double* R,
                                     const double* lambda, const double* u, const Sums& sums, const Residual& r,
                                     const Tolerance& t) {
  const double inverse_dt = 1.0 / *p.dt;
  double worst = 0.0;
  const auto each = [&](const Errors& e, const Block& b) {
    if (b.angular || !(kLight * e.rho < sums.heaviest)) return;
    const double scale = largest(std::sqrt(e.lambda2) * inverse_dt, r.force_scale * kLight * e.rho / sums.heaviest);
    const double power = Law == FrictionLaw::convex ? e.complementarity : largest(e.complementarity, e.signorini_power);
    keep_larger(worst, over(std::sqrt(largest(e.primal2, e.natural2)) * inverse_dt, t.force + t.relative * scale));
    keep_larger(worst, over(power * inverse_dt, t.power + t.relative * scale * r.velocity_scale));
  };
  for_each_block<Law>(p, law, R, lambda, u, each, [&](const Block& b, const double* diagonal, const double* c) {
    if (b.kind != BlockKind::patch) return;
    each(judge_other(b, Law != FrictionLaw::convex, diagonal, c, lambda + b.row, u + b.row, p.g.data() + b.row), b);
  });
  return worst;
}

// The worse of linear and angular rows; angles, defect and floor are not made yet.
[[gnu::noinline]] void merge(const Residual& other, Residual& r) {
  for (const auto field : {&Residual::primal, &Residual::dual, &Residual::complementarity, &Residual::signorini_power,
                           &Residual::signorini_velocity, &Residual::natural, &Residual::b3, &Residual::b4,
                           &Residual::force_scale, &Residual::velocity_scale, &Residual::ratio})
    keep_larger(r.*field, other.*field);
}

Residual not_a_residual() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan};
}

void compute_velocity(const ContactProblem& p, const double* lambda, const double* R, JudgeWork& work) {
  const int n = p.rows();
  work.u.resize(n);
  double* u = work.u.data();
  p.G.multiply(lambda, u, work.scratch);
  if (R)
    for (int i = 0; i < n; ++i) u[i] += R[i] * lambda[i] + p.g[i];
  else
    for (int i = 0; i < n; ++i) u[i] += p.g[i];
}

// A problem of one frictionless contact, the commonest of all in piles: no loop and no square root.
Residual evaluate_row(const ContactProblem& p, double l, const double* R, const Tolerance& tolerance, bool signorini) {
  const double G = p.G.dense[0], g = p.g[0], inverse_dt = 1.0 / *p.dt;
  const double u = R ? G * l + (*R * l + g) : G * l + g;
  const Errors e = judge_row(R ? G + *R : G, l, u, g);
  if (!(e.lambda2 + e.u2 + e.g2 + (e.natural2 + e.b3_2) + inverse_dt < kOverflow)) return not_a_residual();
  const double primal = e.b4_primal, dual = e.b4_dual, natural = e.natural2 > 0.0 ? std::sqrt(e.natural2) : 0.0;
  return conclude({std::abs(l), std::abs(u), std::abs(g), primal, dual, natural, natural}, e, tolerance, inverse_dt,
                  signorini);
}

bool is_one_row(const ContactProblem& p) {
  return p.blocks.size() == 1 && p.blocks[0].kind == BlockKind::unilateral && p.dt &&
         p.G.storage == Delassus::Storage::dense;
}

}  // namespace

Residual evaluate(const ContactProblem& p, const VecRef& lambda, const FrictionLaw& law, bool with_compliance,
                  const Tolerance& tolerance, JudgeWork& work, Detail detail) {
  assert(lambda.size() == p.rows() && p.G.rows() == p.rows());
  const double* R = with_compliance && p.compliant() ? p.compliance.data() : nullptr;
  if (detail == Detail::acceptance && is_one_row(p))
    return evaluate_row(p, lambda[0], R, tolerance, law.kind != FrictionLaw::convex);
  compute_velocity(p, lambda.data(), R, work);
  Sums sums;
  const auto by_law = [&](const auto& run) {
    switch (law.kind) {
      case FrictionLaw::coulomb:
        return run(std::integral_constant<FrictionLaw::Kind, FrictionLaw::coulomb>{});
      case FrictionLaw::convex:
        return run(std::integral_constant<FrictionLaw::Kind, FrictionLaw::convex>{});
      case FrictionLaw::pyramid:
        return run(std::integral_constant<FrictionLaw::Kind, FrictionLaw::pyramid>{});
      case FrictionLaw::raisim:
        return run(std::integral_constant<FrictionLaw::Kind, FrictionLaw::raisim>{});
    }
  };
  by_law([&](auto kind) { judge_blocks<kind()>(p, law, R, lambda.data(), work.u.data(), sums); });
  const double inverse_dt = p.dt ? 1.0 / *p.dt : 1.0;
  if (!(sums.poison + inverse_dt < kOverflow)) return not_a_residual();
  const bool signorini = law.kind != FrictionLaw::convex;
  if (p.blocks.empty()) return {};
  for (const bool angular : {false, true})
    if (Errors& w = sums.worst[angular ? 1 : 0]; !p.dt && sums.met[angular ? 1 : 0] && w.g2 == 0.0)
      w.g2 = judging::square(judging::reaction_bound(p, lambda.data(), angular));
  Residual r = conclude(sums.worst[sums.met[0] ? 0 : 1], tolerance, inverse_dt, signorini);
  if (p.dt && kLight * sums.lightest < sums.heaviest)
    by_law([&](auto kind) {
      keep_larger(r.ratio, light_ratio<kind()>(p, law, R, lambda.data(), work.u.data(), sums, r, tolerance));
    });
  if (p.dt && sums.patches) keep_larger(r.ratio, judging::turning_ratio(p, lambda.data(), work.u.data(), tolerance, r));
  if (sums.met[0] && sums.met[1]) merge(conclude(sums.worst[1], tolerance, inverse_dt, signorini), r);
  if (!p.dt) r.ratio = std::max(over(r.b3, tolerance.relative), over(r.b4, 30.0 * tolerance.relative));
  if (detail == Detail::full) judging::add_detail(p, lambda.data(), law, R, work, r);
  return r;
}

Residual evaluate(const ContactProblem& problem, const VecRef& lambda, const Tolerance& tolerance) {
  if (lambda.size() != problem.rows())
    throw InvalidInput("evaluate: lambda has size " + std::to_string(lambda.size()) + ", expected " +
                       std::to_string(problem.rows()));
  JudgeWork work;
  return evaluate(problem, lambda, problem.law, true, tolerance, work);
}

}  // namespace stiction
