// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/random.h>
#include <stiction/solver/core/block_sets.h>
#include <stiction/solver/newton/ppa_core.h>

#include <algorithm>
#include <limits>

namespace stiction {

namespace {

constexpr double kShrink = 5.0, kGrow = 8.0, kFloor = 1e-10, kCeiling = 1e3;
constexpr int kInnerSteps = 25, kFreeSteps = 20, kTrials = 8, kRescueSweeps = 20;

}  // namespace

void PpaCore::load(const ContactProblem& problem) {
  steps_ = sweeps_ = 0;
  local_ready_ = false;
  system_.load(problem);
  slope_.resize(problem.blocks.size());
  for (GrowingVec* v : {&rho_, &lambda_, &centre_, &u_, &F_, &step_, &image_, &trial_lambda_, &trial_u_, &trial_F_})
    v->resize(problem.rows());
}

double PpaCore::largest(const ContactProblem& problem, const double* lambda) const {
  double top = 0.0;
  for (const Block& b : problem.blocks) {
    double sum = 0.0;
    for (int k = b.row; k < b.row + b.size; ++k) sum += lambda[k] * lambda[k];
    top = std::max(top, sum);
  }
  return std::sqrt(top);
}

// F = λ − P(λ − ρu) and the slopes at λ; returns ‖F‖.
double PpaCore::map_norm(const ContactProblem& problem, const double* lambda, const double* u, double* F) {
  double sum = 0.0;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& b = problem.blocks[i];
    for (int k = b.row; k < b.row + b.size; ++k) F[k] = lambda[k] - rho_[k] * u[k];
    slope_[i] = alart_curnier_block(b, F + b.row, F + b.row);
    for (int k = b.row; k < b.row + b.size; ++k) {
      F[k] = lambda[k] - F[k];
      sum += F[k] * F[k];
    }
  }
  return std::sqrt(sum);
}

// u = (W + αI) λ + g − α centre
void PpaCore::velocity(const ContactProblem& problem, double alpha) {
  system_.multiply(lambda_.data(), u_.data());
  for (int i = 0; i < problem.rows(); ++i) u_[i] += alpha * (lambda_[i] - centre_[i]) + problem.g[i];
}

// Newton on λ_ from where it is; true once ‖F‖ ≤ max(1e-14 √rows, relative) max‖λ‖.
bool PpaCore::inner(const ContactProblem& problem, const PpaSchedule& schedule, double alpha, double relative,
                    int budget, Progress& clock) {
  const int n = problem.rows();
  alart_curnier_steps(problem, schedule.factor, alpha, 1e-14 * system_.scale(), rho_.data());
  const double target = std::max(1e-14 * std::sqrt(static_cast<double>(n)), relative);
  velocity(problem, alpha);
  norm_ = map_norm(problem, lambda_.data(), u_.data(), F_.data());
  for (int it = 0; it < std::min(budget, kInnerSteps); ++it) {
    if (norm_ <= target * largest(problem, lambda_.data())) return true;
    if (it > 0) clock.ask_again();
    if (clock.out_of_time()) return false;
    ++steps_;
    if (!system_.solve(problem, slope_, rho_.data(), alpha, F_.data(), step_.data())) return false;
    system_.multiply(step_.data(), image_.data());
    const auto try_step = [&](double a) {
      for (int i = 0; i < n; ++i) {
        trial_lambda_[i] = lambda_[i] + a * step_[i];
        trial_u_[i] = u_[i] + a * (image_[i] + alpha * step_[i]);
      }
      return map_norm(problem, trial_lambda_.data(), trial_u_.data(), trial_F_.data());
    };
    double a = 1.0, best_a = 0.0, best_norm = std::numeric_limits<double>::infinity();
    bool accepted = false;
    for (int trial = 0; trial < kTrials && !accepted; ++trial, a *= 0.5) {
      const double norm = try_step(a);
      if (norm < best_norm) best_norm = norm, best_a = a;
      accepted = norm < (1.0 - 1e-4 * a) * norm_ || (!schedule.monotone && it < kFreeSteps && norm < 3.0 * norm_);
      if (accepted) best_a = a;
    }
    if (best_a == 0.0) return false;
    for (int i = 0; i < n; ++i) lambda_[i] += best_a * step_[i];
    const bool progress = accepted || best_norm < (1.0 - 1e-12) * norm_;
    velocity(problem, alpha);  // from scratch: sums of steps would lose digits on singular W
    norm_ = map_norm(problem, lambda_.data(), u_.data(), F_.data());
    if (!progress) return norm_ <= target * largest(problem, lambda_.data());
  }
  return norm_ <= target * largest(problem, lambda_.data());
}

bool PpaCore::run(const ContactProblem& problem, const double* start, const PpaSchedule& schedule, Progress& best) {
  const int n = problem.rows(), limit = steps_ + schedule.total;
  const double scale = system_.scale();
  double alpha = schedule.alpha * scale;
  std::copy(start, start + n, lambda_.data());
  for (int outer = 0; steps_ < limit && outer < 2 * schedule.total && !best.out_of_time(); ++outer) {
    std::copy(lambda_.data(), lambda_.data() + n, centre_.data());
    const bool ok = inner(problem, schedule, alpha, 1e-3 * best.b3(), limit - steps_, best);
    const bool usable = ok || (std::isfinite(norm_) && norm_ < 1e-2 * largest(problem, lambda_.data()));
    if (usable) {
      project_blocks(problem, lambda_.data());
      best.observe(problem, lambda_.data(), steps_ + sweeps_);
      if (best.offer(problem, lambda_.data())) return true;
    } else {
      std::copy(centre_.data(), centre_.data() + n, lambda_.data());
      sweep(problem, kRescueSweeps, 0);
      best.observe(problem, lambda_.data(), steps_ + sweeps_);
      if (best.offer(problem, lambda_.data())) return true;
    }
    alpha = ok ? std::max(alpha / kShrink, kFloor * scale) : std::min(alpha * kGrow, kCeiling * scale);
  }
  return false;
}

// Plain Gauss-Seidel on λ_: exact one-block solves in natural order (seed 0) or in a fixed shuffled one.
void PpaCore::sweep(const ContactProblem& problem, int sweeps, std::uint64_t seed) {
  if (!local_ready_) local_.prepare(problem, true);
  local_ready_ = true;
  const int blocks = static_cast<int>(problem.blocks.size());
  order_.resize(problem.blocks.size());
  for (int i = 0; i < blocks; ++i) order_[i] = i;
  for (int i = blocks - 1; seed != 0 && i > 0; --i)
    std::swap(order_[i], order_[Random::splitmix(seed) % static_cast<std::uint64_t>(i + 1)]);
  for (int s = 0; s < sweeps; ++s, ++sweeps_)
    for (const int i : order_) {
      const Block& b = problem.blocks[i];
      double *x = lambda_.data() + b.row, *u = u_.data() + b.row;
      system_.multiply_block(b, i, lambda_.data(), u);
      for (int k = 0; k < b.size; ++k) u[k] += problem.g[b.row + k];
      local_.solve(problem, i, 1.0, u, x);
    }
}

bool PpaCore::run_order(const ContactProblem& problem, std::uint64_t seed, const PpaSchedule& schedule,
                        Progress& best) {
  std::fill(lambda_.data(), lambda_.data() + problem.rows(), 0.0);
  sweep(problem, 100, seed);
  std::copy(lambda_.data(), lambda_.data() + problem.rows(), trial_lambda_.data());
  return best.offer(problem, lambda_.data()) || run(problem, trial_lambda_.data(), schedule, best);
}

bool PpaCore::run_random(const ContactProblem& problem, std::uint64_t seed, const PpaSchedule& schedule,
                         Progress& best) {
  const double size = std::max(largest(problem, best.lambda()), 1e-3 * problem.g.vec().norm() / system_.scale());
  for (int i = 0; i < problem.rows(); ++i)
    trial_lambda_[i] = size * (static_cast<double>(Random::splitmix(seed) >> 11) * 0x1p-52 - 1.0);
  project_blocks(problem, trial_lambda_.data());
  return run(problem, trial_lambda_.data(), schedule, best);
}

bool PpaCore::run_homotopy(const ContactProblem& problem, const PpaSchedule& schedule, Progress& best) {
  const int n = problem.rows(), limit = steps_ + schedule.total;
  std::fill(centre_.data(), centre_.data() + n, 0.0);
  std::fill(lambda_.data(), lambda_.data() + n, 0.0);
  for (double eps = 1.0; eps > 5e-15 && steps_ < limit && !best.out_of_time(); eps *= 0.1) {
    inner(problem, schedule, eps * system_.scale(), 1e-10, limit - steps_, best);
    if (!std::isfinite(norm_)) return false;
    std::copy(lambda_.data(), lambda_.data() + n, trial_lambda_.data());
    project_blocks(problem, trial_lambda_.data());
    if (best.offer(problem, trial_lambda_.data())) return true;
  }
  return false;
}

}  // namespace stiction
