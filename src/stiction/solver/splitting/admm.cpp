// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/splitting/admm.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace stiction {
namespace {

constexpr int kNewtonRows = 96;        // rows up to which its system fits the cache
constexpr int kNewtonPatchRows = 360;  // with patches, whose rows differ too much in scale for the method alone
constexpr int kGrowths = 1;     // steps of it that may raise the judge's ratio: regions change before they settle
constexpr int kPatience = 100;  // iterations of ADMM before Newton's method is tried on a cold start
constexpr int kPause = 40;      // and between the first two trials, doubled each time

// The larger of the two relative residuals.
double relative_change(const AdmmStep& s) {
  const double impulse = s.largest_impulse > 0.0 ? s.impulse / s.largest_impulse : 0.0;
  return std::max(impulse, s.largest_velocity > 0.0 ? s.velocity / s.largest_velocity : 0.0);
}

bool any_nonzero(const double* x, int n) {
  return std::any_of(x, x + n, [](double value) { return value != 0.0; });
}

}  // namespace

void AdmmOptions::check() const {
  const AdmmOptions defaults;
  const bool dual = variant == "dual";
  if (rho_start == "spectrum" && (rho > 0.0 || !dual))
    throw InvalidInput("admm.rho_start is 'spectrum', expected it only with variant 'dual' and rho = 0");
  require_option(rho_rule == "linear" || rho_factor == defaults.rho_factor, "admm", "rho_factor", rho_factor,
                 "it only with rho_rule 'linear'");
  require_option(dual || dual_momentum == 0.0, "admm", "dual_momentum", dual_momentum, "0 with variant 'primal'");
  require_option(dual || anderson == 0 || anderson == defaults.anderson, "admm", "anderson", anderson,
                 "it only with variant 'dual'");
  require_option(dual || newton == 0 || newton == defaults.newton, "admm", "newton", newton,
                 "it only with variant 'dual'");
}

Admm::Admm(const Options& options) : Method(options), spectral_start_(options.rho_start == "spectrum") {
  const bool bench = options.preset == "contactbench";
  const double tau = options.tau > 0.0 ? options.tau : (bench ? 1.0 : 0.5);
  weights_ = {tau, options.prox, options.over_relaxation, options.dual_momentum, options.anderson};
  rule_ = RhoRule(options.rho_rule, bench ? 0.4 : 0.2, bench ? 0.1 : 0.05, options.rho_factor);
}

double Admm::first_rho(const ContactProblem& p, double largest_eigenvalue) {
  constexpr double kWidest = 1e8;  // L/m: a smaller m would be round-off of G
  const double least = p.rows() > 0 && p.compliant() ? p.compliance.vec().minCoeff() : 0.0;
  double given = options_.rho;
  if (spectral_start_) {
    const SpectrumEnds e = spectrum_.ends(p);
    given = std::sqrt(e.largest * std::max(e.smallest, e.largest / kWidest)) / weights_.tau;
  }
  return rule_.start(largest_eigenvalue, options_.prox + least, given);
}

bool Admm::due(const ContactProblem& p, double relative, const AdmmStep& s) const {
  const bool tiny = p.dt && s.impulse <= options_.force_tolerance * *p.dt && s.velocity <= options_.velocity_tolerance;
  return best_.due() || best_.likely(relative) || tiny;
}

// Newton's method is worth a try where G is dense and its system small.
bool Admm::begin_newton(const ContactProblem& p) {
  if (options_.newton == 0 || p.rows() == 0 || p.rows() > (has_patches(p) ? kNewtonPatchRows : kNewtonRows) ||
      !dual_.matrix(p))
    return false;
  return newton_.begin(p, dual_.matrix(p));
}

// Steps from where newton_ is, each judged; true if one is accepted. Given up when the judge's ratio grows again. The state of
// ADMM is not touched.
bool Admm::try_newton(const ContactProblem& p) {
  double last = std::numeric_limits<double>::infinity();
  int grown = 0;
  for (int step = 0; step < options_.newton && best_.next(); ++step) {
    ++factorisations_;
    if (!newton_.step(p)) return false;
    best_.observe(p, newton_.lambda().data(), best_.iteration());
    if (best_.offer(p, newton_.lambda().data())) return true;
    grown += best_.last().ratio < last ? 0 : 1;
    if (grown > kGrowths || best_.time_is_up()) return false;
    last = best_.last().ratio;
  }
  return false;
}

template <class Variant>
Report Admm::run(Variant& variant, const ContactProblem& p, VecOut lambda) {
  constexpr bool kDual = std::is_same_v<Variant, AdmmDual>;
  const auto finish = [&] { return best_.finish(p, kName, lambda, factorisations_); };
  start(p, lambda, {options_.test_interval, options_.stall_window});
  factorisations_ = 0;
  bool newton = false;
  int retry = kPatience, pause = kPause;  // the iteration after which Newton's method is tried, and from then on
  if constexpr (kDual) {
    variant.prepare(p);
    newton = begin_newton(p);
    if (newton && any_nonzero(lambda.data(), p.rows())) {
      newton_.start_from_impulse(p, lambda.data());
      if (try_newton(p)) return finish();
      retry = best_.iteration() + kPause;
    }
  }
  variant.begin(p, weights_, lambda);
  double rho = first_rho(p, variant.largest_eigenvalue());
  bool factored = variant.use_rho(p, rho);
  int changes = 0;
  ++factorisations_;
  while (factored && best_.next()) {
    const AdmmStep step = variant.iterate(p);
    if (!step.finite) {
      best_.end(Status::numerical_failure);
      break;
    }
    const double relative = relative_change(step);
    if (!best_.take(p, variant.lambda().data(), due(p, relative, step), relative)) break;
    if constexpr (kDual)
      if (newton && best_.iteration() >= retry) {
        newton_.start_from_pair(p, variant.lambda().data(), variant.dual().data());
        if (try_newton(p)) return finish();
        retry = best_.iteration() + pause;
        pause *= 2;
      }
    variant.accelerate(p);
    const double next = changes < options_.refactorisations ? rule_.next(rho, step) : rho;
    if (next == rho) continue;
    rho = next;
    ++changes, ++factorisations_;
    factored = variant.use_rho(p, rho);
  }
  if (!factored) best_.end(Status::numerical_failure);
  return finish();
}

Report Admm::solve(const ContactProblem& p, VecOut lambda) {
  if (!solves<Admm>(p)) return refuse(kName);
  if (options_.variant != "primal") return run(dual_, p, lambda);
  return AdmmPrimal::applies(p) ? run(primal_, p, lambda) : refuse(kName);
}

}  // namespace stiction
