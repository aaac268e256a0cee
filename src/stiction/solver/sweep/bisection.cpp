// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/solver/core/entry.h>
#include <stiction/solver/sweep/bisection.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr int kRefreshSweeps = 100;  // sweeps after which the velocity is recomputed

void require_walk(const BisectionOptions& o) {
  const BisectionOptions defaults;
  struct Entry {
    const char* field;
    double value, usual;
  };
  for (const Entry& e :
       {Entry{"first_angle", o.first_angle, defaults.first_angle}, Entry{"backtrack", o.backtrack, defaults.backtrack},
        Entry{"growth", o.growth, defaults.growth},
        Entry{"local_tolerance", o.local_tolerance, defaults.local_tolerance}})
    require_option(e.value == e.usual, Bisection::kName, e.field, e.value, "none beside variant = '" + o.variant + "'");
}

}  // namespace

void BisectionOptions::check() const {
  const char* owner = Bisection::kName;
  const bool known = variant == "auto" || variant == "exact" || variant == "faithful" || variant == "corrected";
  if (!known)
    throw InvalidInput("bisection.variant is '" + variant + "', expected 'auto', 'exact', 'faithful' or 'corrected'");
  require_option(alpha_min > 0.0 && alpha_min <= 1.0, owner, "alpha_min", alpha_min, "a value in ]0, 1]");
  require_option(gamma >= 0.0 && gamma <= 1.0, owner, "gamma", gamma, "a value in [0, 1]");
  require_option(test_interval >= 1, owner, "test_interval", test_interval, "an integer >= 1");
  if (!eliminate_bilateral)
    throw InvalidInput("bisection.eliminate_bilateral is False, expected True: the method has no bilateral rows");
  if (variant != "faithful") return require_walk(*this);
  require_option(first_angle > 0.0 && first_angle <= 1.0, owner, "first_angle", first_angle, "an angle in ]0, 1] rad");
  require_option(backtrack > 0.0 && backtrack < 1.0, owner, "backtrack", backtrack, "a value in ]0, 1[");
  require_option(growth >= 1.0 && growth <= 1e3, owner, "growth", growth, "a value in [1, 1000]");
  require_option(local_tolerance > 0.0 && std::isfinite(local_tolerance), owner, "local_tolerance", local_tolerance,
                 "a force > 0 N");
}

// False if the variant solves another law.
bool Bisection::choose_variant(const FrictionLaw& law) {
  const bool raisim = law.kind == FrictionLaw::raisim;
  if (!raisim && law.kind != FrictionLaw::coulomb) return false;
  const std::string& v = options_.variant;
  variant_ = v == "faithful"                                ? RaisimVariant::faithful
             : v == "corrected" || (v == "auto" && !raisim) ? RaisimVariant::corrected
                                                            : RaisimVariant::exact;
  return raisim == (variant_ != RaisimVariant::corrected);
}

Report Bisection::solve(const ContactProblem& p, VecOut lambda) {
  if (!choose_variant(p.law)) return refuse(kName);
  best_.begin(p, options_, lambda, history_);
  const bool ready = load(p, lambda);
  Status status = ready ? Status::max_iterations : Status::numerical_failure;
  double alpha = 1.0;
  int k = 0;
  while (ready && k < options_.max_iterations) {
    const SweepChange c = sweep(alpha);
    ++k;
    if (!SweepWatch::finite(c)) {
      status = Status::numerical_failure;
      break;
    }
    const bool lost = watch_.hopeless(k, c, x_), spent = k == options_.max_iterations || best_.out_of_time();
    const bool asks = lost || spent || watch_.judge_is_due(k, c);
    if (reduced_used_ && (asks || history_)) elimination_.expand(p, reduced_.vec(), lambda);
    best_.observe(p, lambda, k);
    if (asks && best_.accepts(p, lambda)) break;
    if (lost) status = Status::stalled;
    if (lost || spent) break;
    if (asks) watch_.learn(best_.last().ratio, c);
    if (k % kRefreshSweeps == 0) sweep_.refresh(problem_->G, x_);
    alpha = options_.gamma * alpha + (1.0 - options_.gamma) * options_.alpha_min;  // (1)
  }
  Report report = best_.finish(p, status, k, kName, lambda);
  report.factorisations = reduced_used_ ? 1 : 0;
  return report;
}

bool Bisection::load(const ContactProblem& p, VecOut lambda) {
  reduced_used_ = BilateralElimination::needed(p);
  if (reduced_used_ && !elimination_.load(p)) return false;
  problem_ = reduced_used_ ? &elimination_.reduced() : &p;
  if (reduced_used_) {
    reduced_.resize(problem_->rows());
    elimination_.restrict_to_reduced(lambda, reduced_.vec());
  }
  x_ = reduced_used_ ? reduced_.data() : lambda.data();
  walk_ = {options_.first_angle, options_.backtrack, options_.growth, options_.local_tolerance * p.dt.value_or(1.0)};
  prepare_contacts(*problem_);
  sweep_.begin(*problem_, problem_->G, x_);
  watch_.begin(p, options_, problem_->rows(), options_.test_interval);
  return true;
}

void Bisection::prepare_contacts(const ContactProblem& q) {
  local_.prepare(q, false);
  contacts_.resize(q.blocks.size());
  order_.resize(q.blocks.size());
  for (std::size_t k = 0; k < q.blocks.size(); ++k) {
    const int i = order_[k] = static_cast<int>(k);
    if (q.blocks[k].kind != BlockKind::coulomb) continue;
    double law[9];
    std::copy_n(reduced_used_ ? elimination_.original_diagonal(i) : q.G.diagonal_block(i), 9, law);
    law[8] += q.R(q.blocks[k].row + 2);
    const double* w = local_.diagonal(i);
    contacts_[k].prepare(w, q.blocks[k].mu, variant_ == RaisimVariant::corrected ? w : law);
  }
}

SweepChange Bisection::sweep(double alpha) {
  return sweep_.run(*problem_, problem_->G, order_, x_, [&](const Block& block, int i, const double* u, double* x) {
    if (block.kind != BlockKind::coulomb) return local_.solve_other(block, i, alpha, u, x);
    const double* w = local_.diagonal(i);
    double c[3], r[3] = {x[0], x[1], x[2]};
    for (int k = 0; k < 3; ++k) c[k] = u[k] - (w[3 * k] * x[0] + w[3 * k + 1] * x[1] + w[3 * k + 2] * x[2]);
    const double shift = variant_ == RaisimVariant::corrected ? block.mu * std::sqrt(u[0] * u[0] + u[1] * u[1]) : 0.0;
    contacts_[i].solve(variant_, walk_, c, shift, r);
    for (int k = 0; k < 3; ++k) x[k] = alpha == 1.0 ? r[k] : (1.0 - alpha) * x[k] + alpha * r[k];
  });
}

SolverInfo bisection_info() {
  return describe_solver<Bisection>("RaiSim's per-contact iteration",
                                    "Hwangbo, Lee, Hutter 2018; Le Lidec et al. 2024, Alg. 5",
                                    "no guarantee; damped to alpha_min it is slow, and creeps on large mass ratios",
                                    {FrictionLaw::coulomb, FrictionLaw::raisim});
}

}  // namespace stiction
