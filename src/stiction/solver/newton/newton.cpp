// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/block_sets.h>
#include <stiction/solver/newton/newton.h>
#include <stiction/solver/newton/newton_blocks.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr int kPatience = 4;         // iterations without progress
constexpr double kRoundOff = 1e-12;  // what H may lose of G without being put back

// An option of one rule given beside another rule would be silent.
void require_default(bool used, const char* field, double value, double standard, const std::string& where) {
  require_option(used || value == standard, "newton", field, value, "it only with " + where);
}

}  // namespace

void NewtonOptions::check() const {
  const bool drake = regularisation == "drake", bench = regularisation == "contactbench",
             mujoco = regularisation == "mujoco", armijo = line_search == "armijo";
  if (proximal && (bench || mujoco))
    throw InvalidInput("newton.regularisation is '" + regularisation + "', expected no rule beside proximal");
  const NewtonOptions standard;
  const std::string without = proximal ? " and without proximal" : "";
  require_default(drake && !proximal, "beta", beta, standard.beta, "regularisation 'drake'" + without);
  require_default((drake || bench) && !proximal, "sigma", sigma, standard.sigma,
                  "regularisation 'drake' or 'contactbench'" + without);
  require_default(mujoco, "d", d, standard.d, "regularisation 'mujoco'");
  require_default(mujoco, "impratio", impratio, standard.impratio, "regularisation 'mujoco'");
  require_default(armijo, "first_step", first_step, standard.first_step, "line_search 'armijo'");
}

Regularisation NewtonOptions::how() const {
  using Rule = Regularisation::Rule;
  const Rule rule = regularisation == "drake"          ? Rule::drake
                    : regularisation == "contactbench" ? Rule::contactbench
                    : regularisation == "mujoco"       ? Rule::mujoco
                                                       : Rule::none;
  return {rule, beta, sigma, d, impratio};
}

Newton::Newton(const Options& options)
    : Method(options), how_(options.how()), armijo_(options.line_search == "armijo" ? options.first_step : 0.0) {}

void Newton::begin(const ContactProblem& p, const VecRef& lambda) {
  primal_.load(p);
  for (GrowingVec* v : {&product_, &step_, &du_}) v->resize(p.rows());
  step_.resize(primal_.w.size());
  primal_.rows().multiply_transposed(p, lambda.data(), primal_.w.data());
  least_cost_ = least_gradient_ = std::numeric_limits<double>::infinity();
  idle_ = 0;
  primal_.refresh(p);
}

bool Newton::progresses() {
  const double cost = primal_.cost(), gradient = primal_.gradient();
  const bool cheaper = cost < least_cost_ - 1e-14 * std::abs(least_cost_), flatter = gradient < 0.9 * least_gradient_;
  least_cost_ = std::min(least_cost_, cost), least_gradient_ = std::min(least_gradient_, gradient);
  idle_ = cheaper || flatter ? 0 : idle_ + 1;
  return idle_ < kPatience;
}

// g ← g + (G − HHᵀ)λ. False if that changes nothing beyond round-off.
bool Newton::put_back_lost(const ContactProblem& p) {
  const int n = p.rows();
  p.G.multiply(primal_.lambda.data(), product_.data(), scratch_);
  primal_.rows().multiply(p, primal_.force.data(), du_.data());
  double change = 0.0, scale = 0.0;
  for (int r = 0; r < n; ++r) {
    const double next = p.g[r] + (product_[r] - du_[r]);
    change = std::max(change, std::abs(next - primal_.g[r]));
    scale = std::max(scale, std::abs(next) + std::abs(product_[r]));
    primal_.g[r] = next;
  }
  if (!(change > kRoundOff * scale)) return false;
  least_cost_ = least_gradient_ = std::numeric_limits<double>::infinity();
  idle_ = 0;
  primal_.refresh(p);
  return true;
}

// At the minimum λ = −R⁻¹(Hw + g) carries the round-off of w times G/R. One step of Newton on the natural map with the
// last factor takes it away, because its right side is a difference of impulses:
//   F = λ − P^R(−R⁻¹(Gλ + g)),   λ ← λ − (I + BHHᵀ)⁻¹F = λ − F + BHA⁻¹HᵀF
bool Newton::refine(const ContactProblem& p) {
  for (int k = 0; k < 3; ++k) {
    p.G.multiply(primal_.lambda.data(), product_.data(), scratch_);
    for (int r = 0; r < p.rows(); ++r) product_[r] += p.g[r];
    for (const Block& b : p.blocks)
      metric_project(b, product_.data() + b.row, primal_.R.data() + b.row, du_.data() + b.row);
    for (int r = 0; r < p.rows(); ++r) product_[r] = primal_.lambda[r] - du_[r], primal_.lambda[r] = du_[r];
    primal_.rows().multiply_transposed(p, product_.data(), step_.data());
    primal_.matrix().solve(step_.data());
    primal_.rows().multiply(p, step_.data(), du_.data());
    for (std::size_t i = 0; i < p.blocks.size(); ++i) {
      const Block& b = p.blocks[i];
      const double* B = primal_.slopes().data() + p.G.diagonal_start[i];
      for (int r = 0; r < b.size; ++r)
        for (int c = 0; c < b.size; ++c) primal_.lambda[b.row + r] += B[r * b.size + c] * du_[b.row + c];
    }
    project_blocks(p, primal_.lambda.data());
    if (!all_finite(primal_.lambda.data(), primal_.lambda.size())) return false;
    if (best_.offer(p, primal_.lambda.data())) return true;
  }
  return false;
}

Report Newton::iterate(const ContactProblem& given, const ContactProblem& p, VecOut lambda) {
  best_.begin(p, options_, lambda, history_);
  begin(p, lambda);
  while (best_.next()) {
    if (!primal_.advance(p, armijo_)) {
      best_.end(Status::numerical_failure);
      break;
    }
    best_.observe(given, primal_.lambda.data(), best_.iteration());
    if (best_.offer(p, primal_.lambda.data()) || best_.time_is_up()) break;
    const bool progress = progresses();
    const bool flat = primal_.gradient() <= 1e-9 * std::max(primal_.w.vec().norm(), primal_.force.vec().norm());
    if ((flat || !progress) && put_back_lost(p)) continue;
    if ((flat || !progress) && refine(p)) break;
    if (!progress) best_.end(Status::stalled);
    if (flat) primal_.refresh(p);
  }
  return best_.finish(p, kName, lambda, primal_.factorisations());
}

Report Newton::iterate_proximal(const ContactProblem& p, VecOut lambda) {
  start(p, lambda);
  const Status status = proximal_.run(p, options_.max_iterations, armijo_, primal_, best_, lambda);
  Report report = best_.finish(p, status, kName, lambda, primal_.factorisations());
  report.iterations = proximal_.steps();
  return report;
}

Report Newton::solve(const ContactProblem& given, VecOut lambda) {
  if (!solves<Newton>(given)) return refuse(kName);
  if (options_.proximal) return iterate_proximal(given, lambda);
  const Compliance compliance = choose_compliance(given, how_, primal_.R);
  if (compliance == Compliance::missing) return refuse(kName);
  if (compliance == Compliance::as_given) return iterate(given, given, lambda);
  regularised_ = given;
  regularised_.compliance = primal_.R;
  Report report = iterate(given, regularised_, lambda);
  report.regularised = report.own;
  judge_into(given, lambda, options_.judge_tolerance(), work_, report);
  return report;
}

}  // namespace stiction
