// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/sweep/bisection.h>

#include <algorithm>
#include <cmath>

namespace stiction {

// The walk belongs to one variant.
void BisectionOptions::check() const {
  if (variant == "faithful") return;
  const auto require_default = [&](const char* field, double BisectionOptions::* member) {
    require_option(this->*member == BisectionOptions{}.*member, Bisection::kName, field, this->*member,
                   "none beside variant = '" + variant + "'");
  };
  require_default("first_angle", &BisectionOptions::first_angle);
  require_default("backtrack", &BisectionOptions::backtrack);
  require_default("growth", &BisectionOptions::growth);
  require_default("local_tolerance", &BisectionOptions::local_tolerance);
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
  if (!choose_variant(p.law) || has_patches(p)) return refuse(kName);
  start(p, lambda, options_.pace());
  if (!relaxation_.load(p, true, lambda)) return best_.finish(p, Status::numerical_failure, kName, lambda, 1);
  const ContactProblem& q = relaxation_.problem();
  walk_ = {options_.first_angle, options_.backtrack, options_.growth, options_.local_tolerance * p.dt.value_or(1.0)};
  prepare_contacts(q);
  sweep_.begin(q, q.G, relaxation_.lambda());
  double alpha = 1.0;
  const auto iterate = [&] {
    const Change c = sweep(alpha);
    alpha = options_.gamma * alpha + (1.0 - options_.gamma) * options_.alpha_min;  // (1)
    return c;
  };
  relaxation_.run(p, true, lambda, best_, sweep_, iterate, [] { return false; });
  return best_.finish(p, kName, lambda, relaxation_.factorisations());
}

void Bisection::prepare_contacts(const ContactProblem& q) {
  local_.prepare(q, false);
  contacts_.resize(q.blocks.size());
  for (std::size_t k = 0; k < q.blocks.size(); ++k) {
    const int i = static_cast<int>(k);
    if (q.blocks[k].kind != BlockKind::coulomb) continue;
    double law[9];
    std::copy_n(relaxation_.diagonal(i), 9, law);
    law[8] += q.R(q.blocks[k].row + 2);
    const double* w = local_.diagonal(i);
    contacts_[k].prepare(w, q.blocks[k].mu, variant_ == RaisimVariant::corrected ? w : law);
  }
}

Change Bisection::sweep(double alpha) {
  const auto update = [&](const Block& block, int i, double* u, double* x) {
    if (block.kind != BlockKind::coulomb) return local_.solve_other(block, i, alpha, u, x);
    const double* w = local_.diagonal(i);
    double c[3], r[3] = {x[0], x[1], x[2]};
    for (int k = 0; k < 3; ++k) c[k] = u[k] - (w[3 * k] * x[0] + w[3 * k + 1] * x[1] + w[3 * k + 2] * x[2]);
    const double shift = variant_ == RaisimVariant::corrected ? block.mu * std::sqrt(u[0] * u[0] + u[1] * u[1]) : 0.0;
    contacts_[i].solve(variant_, walk_, c, shift, r);
    for (int k = 0; k < 3; ++k) x[k] = alpha == 1.0 ? r[k] : (1.0 - alpha) * x[k] + alpha * r[k];
  };
  return sweep_.run(relaxation_.lambda(), update);
}

}  // namespace stiction
