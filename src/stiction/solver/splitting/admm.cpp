// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/solver/core/entry.h>
#include <stiction/solver/splitting/admm.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace stiction {
namespace {

constexpr double kLikely = 30.0;  // relative change, in tolerances, from which acceptance is worth asking for
constexpr int kNewtonRows = 96;   // rows up to which its system fits the cache
constexpr int kGrowths = 1;       // steps of it that may raise the judge's ratio: regions change before they settle
constexpr int kPatience = 100;    // iterations of ADMM before Newton's method is tried on a cold start
constexpr int kPause = 40;        // and between the first two trials, doubled each time

void require_word(const char* field, const std::string& value, std::initializer_list<const char*> known) {
  std::string list;
  for (const char* word : known) {
    if (value == word) return;
    list += (list.empty() ? "'" : ", '") + std::string(word) + "'";
  }
  throw InvalidInput(std::string("admm.") + field + " is '" + value + "', expected one of " + list);
}

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
  const bool dual = variant != "primal";
  require_word("variant", variant, {"dual", "primal"});
  require_word("preset", preset, {"pinocchio", "contactbench"});
  require_word("rho_start", rho_start, {"preset", "spectrum"});
  if (rho_start == "spectrum" && (rho > 0.0 || !dual))
    throw InvalidInput("admm.rho_start is 'spectrum', expected it only with variant 'dual' and rho = 0");
  require_word("rho_rule", rho_rule, {"spectral", "osqp", "linear", "constant"});
  require_option(std::isfinite(tau) && tau >= 0.0, "admm", "tau", tau, "a finite value > 0, or 0 for the preset's");
  require_option(std::isfinite(rho) && rho >= 0.0, "admm", "rho", rho, "a finite value > 0, or 0 for the rule");
  require_option(std::isfinite(rho_factor) && rho_factor > 1.0, "admm", "rho_factor", rho_factor, "a finite value > 1");
  require_option(rho_rule == "linear" || rho_factor == 2.0, "admm", "rho_factor", rho_factor,
                 "it only with rho_rule 'linear'");
  require_option(std::isfinite(prox) && prox > 0.0, "admm", "prox", prox, "a finite value > 0");
  require_option(over_relaxation > 0.0 && over_relaxation < 2.0, "admm", "over_relaxation", over_relaxation,
                 "a value in ]0, 2[");
  require_option(dual_momentum >= 0.0 && dual_momentum < 1.0, "admm", "dual_momentum", dual_momentum,
                 "a value in [0, 1[");
  require_option(dual || dual_momentum == 0.0, "admm", "dual_momentum", dual_momentum, "0 with variant 'primal'");
  require_option(anderson >= 0, "admm", "anderson", anderson, "an integer >= 0, 0 for none");
  require_option(dual || anderson == 0 || anderson == AdmmOptions{}.anderson, "admm", "anderson", anderson,
                 "it only with variant 'dual'");
  require_option(newton >= 0, "admm", "newton", newton, "an integer >= 0, 0 for none");
  require_option(dual || newton == 0 || newton == AdmmOptions{}.newton, "admm", "newton", newton,
                 "it only with variant 'dual'");
  require_option(refactorisations >= 0, "admm", "refactorisations", refactorisations, "an integer >= 0");
  require_option(test_interval >= 1, "admm", "test_interval", test_interval, "an integer >= 1");
  require_option(stall_window >= 0, "admm", "stall_window", stall_window, "an integer >= 0, 0 for no detection");
}

Admm::Admm(const Options& options) : options_(options), spectral_start_(options.rho_start == "spectrum") {
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

bool Admm::judge_is_due(const ContactProblem& p, int iteration, double relative, const AdmmStep& s) const {
  if (iteration % options_.test_interval == 0 || iteration >= options_.max_iterations) return true;
  const bool tiny = p.dt && s.impulse <= options_.force_tolerance * *p.dt && s.velocity <= options_.velocity_tolerance;
  return relative <= trigger_ || tiny;
}

bool Admm::stalled(int iteration) {
  if (best_.best_ratio() <= 0.5 * halved_ratio_) {
    halved_ratio_ = best_.best_ratio();
    halved_iteration_ = iteration;
    return false;
  }
  return options_.stall_window > 0 && iteration - halved_iteration_ >= options_.stall_window;
}

// Newton's method is worth a try where G is written out and its system small.
bool Admm::begin_newton(const ContactProblem& p) {
  if (options_.newton == 0 || p.rows() == 0 || p.rows() > kNewtonRows || !dual_.matrix(p)) return false;
  return newton_.begin(p, dual_.matrix(p));
}

// Steps from where newton_ is, each judged; true if one is accepted, which is then in λ. Given up when the
// judge's ratio grows again. The state of ADMM is not touched.
bool Admm::try_newton(const ContactProblem& p, VecOut lambda) {
  double last = std::numeric_limits<double>::infinity();
  int grown = 0;
  for (int step = 0; step < options_.newton && iterations_ < options_.max_iterations; ++step) {
    ++iterations_, ++factorisations_;
    if (!newton_.step(p)) return false;
    best_.observe(p, newton_.lambda().vec(), iterations_);
    if (best_.accepts(p, newton_.lambda().vec())) {
      std::copy_n(newton_.lambda().data(), p.rows(), lambda.data());
      return true;
    }
    grown += best_.last().ratio < last ? 0 : 1;
    if (grown > kGrowths || best_.out_of_time()) return false;
    last = best_.last().ratio;
  }
  return false;
}

template <class Variant>
Report Admm::run(Variant& variant, const ContactProblem& p, VecOut lambda) {
  constexpr bool kDual = std::is_same_v<Variant, AdmmDual>;
  best_.begin(p, options_, lambda, history_);
  trigger_ = kLikely * options_.tolerance;
  halved_ratio_ = std::numeric_limits<double>::infinity();
  halved_iteration_ = iterations_ = factorisations_ = 0;
  Status status = Status::max_iterations;
  bool newton = false;
  int retry = kPatience, pause = kPause;  // the iteration after which Newton's method is tried, and from then on
  if constexpr (kDual) {
    variant.prepare(p);
    newton = begin_newton(p);
    if (newton && any_nonzero(lambda.data(), p.rows())) {
      newton_.start_from_impulse(p, lambda.data());
      if (try_newton(p, lambda)) return finish(p, Status::converged, lambda);
      retry = iterations_ + kPause;
    }
  }
  variant.begin(p, weights_, lambda);
  double rho = first_rho(p, variant.largest_eigenvalue());
  bool factored = variant.use_rho(p, rho);
  int& k = iterations_;
  int changes = 0;
  ++factorisations_;
  while (factored && k < options_.max_iterations) {
    ++k;
    const AdmmStep step = variant.iterate(p);
    if (!step.finite) {
      status = Status::numerical_failure;
      break;
    }
    best_.observe(p, variant.lambda().vec(), k);
    const double relative = relative_change(step);
    if (judge_is_due(p, k, relative, step)) {
      if (best_.accepts(p, variant.lambda().vec())) {
        std::copy_n(variant.lambda().data(), p.rows(), lambda.data());
        status = Status::converged;
        break;
      }
      if (best_.last().ratio > 1.0) trigger_ = std::min(trigger_, 2.0 * relative / best_.last().ratio);
      if (stalled(k)) status = Status::stalled;
    }
    if (status == Status::stalled || best_.out_of_time()) break;
    if constexpr (kDual)
      if (newton && k >= retry) {
        newton_.start_from_pair(p, variant.lambda().data(), variant.dual().data());
        if (try_newton(p, lambda)) return finish(p, Status::converged, lambda);
        retry = k + pause;
        pause *= 2;
      }
    variant.accelerate(p);
    const double next = changes < options_.refactorisations ? rule_.next(rho, step) : rho;
    if (next == rho) continue;
    rho = next;
    ++changes, ++factorisations_;
    factored = variant.use_rho(p, rho);
  }
  return finish(p, factored ? status : Status::numerical_failure, lambda);
}

Report Admm::finish(const ContactProblem& p, Status status, VecOut lambda) {
  Report report = best_.finish(p, status, iterations_, kName, lambda);
  report.factorisations = factorisations_;
  return report;
}

Report Admm::solve(const ContactProblem& p, VecOut lambda) {
  if (p.law.kind != FrictionLaw::coulomb && p.law.kind != FrictionLaw::convex) return refuse(kName);
  if (options_.variant != "primal") return run(dual_, p, lambda);
  return AdmmPrimal::applies(p) ? run(primal_, p, lambda) : refuse(kName);
}

SolverInfo admm_info() {
  return describe_solver<Admm>("proximal ADMM with a spectral penalty rule",
                               "Carpentier, Le Lidec, Montaut 2024; Le Lidec et al. 2024, Alg. 3",
                               "no guarantee for coulomb; slow when the right penalty differs much between contacts",
                               {FrictionLaw::coulomb, FrictionLaw::convex});
}

}  // namespace stiction
