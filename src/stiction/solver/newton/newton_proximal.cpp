// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/block_sets.h>
#include <stiction/solver/newton/newton_proximal.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kFirst = 0.03, kLeast = 1e-10;  // s
constexpr double kInexact = 1e-3;                // θ
constexpr int kProximalSteps = 100,
              kProximalPatience = 4;  // Newton steps of one outer step, and those without progress
constexpr int kOuterPatience = 20;    // outer steps in which the best ratio must halve
constexpr double kProof = 1e-7;       // of (3)

// s̄: the mean over a contact, whose rows have one unit; each row of other blocks by itself.
void mean_diagonals(const ContactProblem& p, GrowingVec& unit) {
  double largest = 0.0;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    const double* w = p.G.diagonal_block(static_cast<int>(i));
    for (int k = 0; k < b.size; ++k) unit[b.row + k] = w[k * b.size + k];
    if (b.kind == BlockKind::coulomb) std::fill_n(unit.data() + b.row, 3, (w[0] + w[4] + w[8]) / 3.0);
    for (int k = 0; k < b.size; ++k) largest = std::max(largest, unit[b.row + k]);
  }
  const double least = largest > 0.0 ? 1e-12 * largest : 1.0;
  for (int r = 0; r < p.rows(); ++r) unit[r] = unit[r] > least ? unit[r] : least;
}

}  // namespace

void ProximalNewton::begin(const ContactProblem& p, const VecRef& lambda, PrimalNewton& primal) {
  for (GrowingVec* v : {&unit_, &S_, &centre_, &step_, &primal.R}) v->resize(p.rows());
  std::copy_n(lambda.data(), p.rows(), centre_.data());
  mean_diagonals(p, unit_);
  primal.load(p);
  scale_ = kFirst, floor_ = kLeast;
  last_ratio_ = std::numeric_limits<double>::infinity();
  steps_ = 0;
}

// (2)
void ProximalNewton::center(const ContactProblem& p, PrimalNewton& primal) {
  for (const Block& b : p.blocks) {
    double* R = primal.R.data() + b.row;
    for (int k = 0; k < b.size; ++k) R[k] = std::max(p.R(b.row + k), scale_ * unit_[b.row + k]);
    if (b.kind == BlockKind::coulomb) R[0] = R[1] = std::max(R[0], R[1]);
  }
  std::copy_n(centre_.data(), p.rows(), primal.origin.data());
  p.G.multiply(centre_.data(), primal.g.data(), scratch_);
  for (int r = 0; r < p.rows(); ++r) {
    S_[r] = primal.R[r] - p.R(r);
    primal.g[r] += p.g[r] - S_[r] * centre_[r];
  }
  std::fill_n(primal.w.data(), primal.w.size(), 0.0);
  primal.refresh(p);
}

bool ProximalNewton::close_enough(const PrimalNewton& primal) const {
  double moved = 0.0;
  for (int r = 0; r < S_.size(); ++r) {
    const double d = primal.lambda[r] - centre_[r];
    moved += S_[r] * d * d;
  }
  const double round_off = 1e-12 * (primal.w.vec().norm() + primal.force.vec().norm());
  return primal.gradient() <= std::max(kInexact * std::sqrt(moved), round_off);
}

ProximalNewton::End ProximalNewton::minimise(const ContactProblem& p, int max_steps, double armijo,
                                             PrimalNewton& primal, Progress& best) {
  double least_cost = primal.cost(), least_gradient = primal.gradient();
  for (int idle = 0, k = 0; idle < kProximalPatience && k < kProximalSteps; ++k) {
    if (steps_ == max_steps || (steps_ > 0 && best.time_is_up())) return End::spent;
    ++steps_;
    if (!primal.advance(p, armijo)) return End::failed;
    best.observe(p, primal.lambda.data(), steps_);
    if (best.offer(p, primal.lambda.data())) return End::accepted;
    if (close_enough(primal)) return End::solved;
    const bool progress =
        primal.cost() < least_cost - 1e-10 * std::abs(least_cost) || primal.gradient() < 0.9 * least_gradient;
    idle = progress ? 0 : idle + 1;
    least_cost = std::min(least_cost, primal.cost()), least_gradient = std::min(least_gradient, primal.gradient());
  }
  return End::stuck;
}

// (3), every row measured in the unit of its weight. A box has no direction to go for ever.
bool ProximalNewton::proves_jam(const ContactProblem& p, const PrimalNewton& primal) {
  double work = 0.0, work_scale = 0.0, size = 0.0, outside = 0.0, moved = primal.force.vec().squaredNorm();
  for (int r = 0; r < p.rows(); ++r) step_[r] = primal.lambda[r] - centre_[r];
  for (int r = 0; r < p.rows(); ++r) {
    work += p.g[r] * step_[r], work_scale += std::abs(p.g[r] * step_[r]);
    size += unit_[r] * step_[r] * step_[r], moved += p.R(r) * step_[r] * step_[r];
  }
  if (!(work < 0.0)) return false;
  for (const Block& b : p.blocks) {
    double d[3];
    if (b.kind == BlockKind::bilateral) continue;
    std::copy_n(step_.data() + b.row, b.size, d);
    if (b.kind == BlockKind::box)
      d[0] = 0.0;
    else
      project_block(b, p.law, d);
    for (int k = 0; k < b.size; ++k) {
      const double out = step_[b.row + k] - d[k];
      outside += unit_[b.row + k] * out * out;
    }
  }
  return std::sqrt((moved + outside) / size) <= -kProof * work / work_scale;
}

// A floor set by an inner loop that got stuck recedes: hard problems run out of inner steps without any round-off.
void ProximalNewton::choose_weight(bool solved, double ratio) {
  if (!solved) {
    floor_ = scale_ *= 10.0;
  } else if (!(ratio < 0.1 * last_ratio_)) {
    scale_ = std::max(0.1 * scale_, floor_);
    floor_ = std::max(0.3 * floor_, kLeast);
  }
  last_ratio_ = ratio;
}

Status ProximalNewton::run(const ContactProblem& p, int max_steps, double armijo, PrimalNewton& primal, Progress& best,
                           const VecRef& lambda) {
  begin(p, lambda, primal);
  double halved = std::numeric_limits<double>::infinity();
  for (int idle = 0; idle < kOuterPatience; ++idle) {
    center(p, primal);
    const End end = minimise(p, max_steps, armijo, primal, best);
    if (end == End::spent) return Status::max_iterations;
    if (end == End::failed) return Status::numerical_failure;
    if (end == End::accepted) return Status::converged;
    if (end == End::solved && proves_jam(p, primal)) return Status::stalled;
    std::copy_n(primal.lambda.data(), p.rows(), centre_.data());
    choose_weight(end == End::solved, best.last().ratio);
    if (best.ratio() < 0.5 * halved) halved = best.ratio(), idle = 0;
  }
  return Status::stalled;
}

}  // namespace stiction
