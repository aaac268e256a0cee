// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/pivot/lemke.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr int kRefinements = 2;

bool is_zero(const VecOut& lambda) {
  for (Eigen::Index i = 0; i < lambda.size(); ++i)
    if (lambda[i] != 0.0) return false;
  return true;
}

bool has_contact(const ContactProblem& p) {
  return std::any_of(p.blocks.begin(), p.blocks.end(), [](const Block& b) { return b.kind == BlockKind::coulomb; });
}

}  // namespace

// z ≥ 0 to λ, and to the judge.
bool Lemke::accept(const ContactProblem& p, VecOut lambda) {
  for (int i = 0; i < z_.size(); ++i) z_[i] = std::max(z_[i], 0.0);
  lcp_.to_lambda(z_.data(), lambda.data());
  return best_.offer(p, lambda.data());
}

// Solves the complementary basis again with the original matrix, from z.
bool Lemke::accept_basis(const ContactProblem& p, VecOut lambda) {
  ++factorisations_;
  basis_.factor(lcp_.M(), lcp_.size());
  basis_.refine(lcp_.M(), lcp_.q(), lcp_.size(), z_.data(), kRefinements);
  return accept(p, lambda);
}

bool Lemke::try_guess(const ContactProblem& p, VecOut lambda) {
  ++iterations_;
  lcp_.from_lambda(p, lambda.data(), z_.data());
  basis_.clear();
  for (int i = 0; i < z_.size(); ++i)
    if (z_[i] > 0.0) basis_.add(i);
  const bool accepted = accept_basis(p, lambda);
  best_.observe(p, lambda.data(), iterations_);
  return accepted;
}

LemkeTableau::State Lemke::pivot(const ContactProblem& p, double tilt, VecOut lambda) {
  LemkeTableau::State state = tableau_.start(lcp_.M(), lcp_.q(), lcp_.size(), tilt);
  const int before = iterations_;
  while (state == LemkeTableau::State::running && iterations_ < options_.max_iterations && !best_.time_is_up()) {
    state = tableau_.pivot();
    iterations_ = before + tableau_.pivots();
    if (!history_) continue;
    tableau_.read_solution(z_.data());
    lcp_.to_lambda(z_.data(), lambda.data());
    best_.observe(p, lambda.data(), iterations_);
  }
  return state;
}

bool Lemke::accept_tableau(const ContactProblem& p, VecOut lambda, bool refined) {
  tableau_.read_solution(z_.data());
  if (!refined) return accept(p, lambda);
  basis_.clear();
  for (int i = 0; i < z_.size(); ++i)
    if (tableau_.is_basic(i)) basis_.add(i);
  return accept_basis(p, lambda);
}

// One path to a solution or a ray, and what the judge says of its end.
LemkeTableau::State Lemke::attempt(const ContactProblem& p, double tilt, VecOut lambda, bool& accepted) {
  const LemkeTableau::State end = pivot(p, tilt, lambda);
  // On a ray where z₀ is round-off the other basic variables may already solve the problem.
  accepted =
      (end != LemkeTableau::State::running && accept_tableau(p, lambda, true)) || accept_tableau(p, lambda, false);
  return end;
}

Report Lemke::solve(const ContactProblem& p, VecOut lambda) {
  if (!solves<Lemke>(p) || !lcp_.load(p, options_.equilibrate && has_contact(p))) return refuse(kName);
  iterations_ = factorisations_ = 0;
  start(p, lambda);
  z_.resize(lcp_.size());
  Status status = Status::stalled;
  const char* path = kName;
  if (data_finite(p) && !(!is_zero(lambda) && try_guess(p, lambda))) {
    bool accepted = false;
    LemkeTableau::State end = attempt(p, 0.0, lambda, accepted);
    for (const double tilt : {1.0, 7.0})
      if (!accepted && !p.general && end != LemkeTableau::State::running) end = attempt(p, tilt, lambda, accepted);
    if (end == LemkeTableau::State::running) status = Status::max_iterations;
    if (end == LemkeTableau::State::ray && !accepted) status = Status::numerical_failure, path = "lemke:ray";
  }
  Report report = best_.finish(p, status, path, lambda, factorisations_);
  report.iterations = p.general ? iterations_ : std::max(iterations_, 1);
  return report;
}

}  // namespace stiction
