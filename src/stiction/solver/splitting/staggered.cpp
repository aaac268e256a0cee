// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/splitting/staggered.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kNearGoal = 100.0;      // ratio of the judge from which the accuracy of the stages is looked at
constexpr double kInnerWork = 5e8;       // multiply-adds of all stages together, some tenths of a second, and
constexpr int kInnerIterations = 20000;  // iterations: what has used up both is given up
constexpr double kSmallestShare = 1e-4;  // of inner_tolerance

double largest(const GrowingVec& x) { return x.size() > 0 ? x.vec().lpNorm<Eigen::Infinity>() : 0.0; }

}  // namespace

// Which rows belong to which stage, and the sets of both.
void Staggered::sort_rows(const ContactProblem& p) {
  const auto kind = p.law.kind == FrictionLaw::coulomb ? SimpleSet::disc : SimpleSet::square;
  const double infinity = std::numeric_limits<double>::infinity();
  normal_rows_.clear(), tangent_rows_.clear(), normal_of_.clear(), mu_.clear();
  normal_.sets().clear(), tangent_.sets().clear();
  for (const Block& b : p.blocks) {
    const bool contact = b.kind == BlockKind::coulomb;
    for (int r = contact ? b.row + 2 : b.row; r < b.row + b.size; ++r) {
      SimpleSet set{SimpleSet::interval, static_cast<int>(normal_rows_.size()), 0.0, infinity, 0.0, 0.0};
      if (b.kind == BlockKind::box) set.lo = b.lo, set.hi = b.hi;
      if (b.kind == BlockKind::bilateral) set.lo = -infinity;
      normal_rows_.push_back(r);
      normal_.sets().push_back(set);
    }
    if (!contact) continue;
    tangent_.sets().push_back({kind, static_cast<int>(tangent_rows_.size()), 0.0, 0.0, 0.0, p.law.angle});
    tangent_rows_.push_back(b.row), tangent_rows_.push_back(b.row + 1);
    normal_of_.push_back(b.row + 2);
    mu_.push_back(b.mu);
  }
}

void Staggered::load_stage(const ContactProblem& p, const std::vector<int>& rows, SetQp& stage) {
  const int m = static_cast<int>(rows.size());
  stage.resize(m);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) stage.matrix()[i * m + j] = matrix_[rows[i] * p.rows() + rows[j]];
}

bool Staggered::begin(const ContactProblem& p, VecOut lambda) {
  const int n = p.rows();
  start(p, lambda, {1, options_.stall_window});
  share_ = options_.inner_tolerance;
  last_ratio_ = std::numeric_limits<double>::infinity();
  largest_g_ = largest(p.g);
  lambda_.resize(n), u_.resize(n), b_.resize(n), other_.resize(n);
  std::copy_n(lambda.data(), n, lambda_.data());
  p.G.densify(matrix_, unit_, scratch_);
  for (int r = 0; r < n; ++r) matrix_[r * (n + 1)] += p.R(r);
  sort_rows(p);
  load_stage(p, normal_rows_, normal_);
  load_stage(p, tangent_rows_, tangent_);
  const int m = static_cast<int>(tangent_rows_.size());
  entered_.resize(m), left_.resize(m);
  for (int i = 0; i < m; ++i) entered_[i] = lambda_[tangent_rows_[i]];
  if (options_.anderson > 0) anderson_.begin(m, options_.anderson);
  return normal_.prepare(options_.prox, p.G.symmetric) && tangent_.prepare(options_.prox, p.G.symmetric);
}

// What a stage must reach: a share of what the judge allows, on the scale of the whole λ and of all velocities.
SetQp::Limits Staggered::limits(const ContactProblem& p) const {
  const double share = share_, relative = share * options_.tolerance;
  SetQp::Limits l{relative * largest(lambda_), relative * std::max(largest_g_, largest(b_)), options_.inner_iterations};
  if (p.dt) {
    l.primal += share * options_.force_tolerance * *p.dt;
    l.dual += share * options_.velocity_tolerance;
  }
  return l;
}

// Minimises over the rows of one stage, the others frozen; false if its numbers are no longer finite.
bool Staggered::solve_stage(const ContactProblem& p, const std::vector<int>& rows, SetQp& stage, bool first) {
  const int n = p.rows(), m = stage.rows();
  before_.resize(m);
  std::copy_n(lambda_.data(), n, other_.data());
  for (int i = 0; i < m; ++i) before_[i] = lambda_[rows[i]], other_[rows[i]] = 0.0;
  b_.resize(m), u_.resize(m);
  for (int i = 0; i < m; ++i) {
    const Eigen::Map<const Vec> row(matrix_.data() + rows[i] * n, n);
    b_[i] = p.g[rows[i]] + row.dot(other_.vec());
    if (first) u_[i] = p.g[rows[i]] + row.dot(lambda_.vec());
  }
  if (first) stage.start(before_.data(), u_.data());
  const SetQp::Outcome outcome = stage.solve(b_.data(), limits(p));
  for (int i = 0; i < m; ++i) lambda_[rows[i]] = stage.z()[i];
  return outcome != SetQp::Outcome::failed;
}

// (1) and (2).
bool Staggered::pass(const ContactProblem& p, bool first) {
  if (!solve_stage(p, normal_rows_, normal_, first)) return false;
  for (std::size_t i = 0; i < mu_.size(); ++i)
    tangent_.sets()[i].radius = mu_[i] * std::max(0.0, lambda_[normal_of_[i]]);
  return solve_stage(p, tangent_rows_, tangent_, first);
}

// Replaces the λ_T that the next pass starts from. It only enters g_N + G_NT λ_T, so it need not lie in the discs.
void Staggered::extrapolate() {
  const int m = static_cast<int>(tangent_rows_.size());
  for (int i = 0; i < m; ++i) left_[i] = lambda_[tangent_rows_[i]];
  anderson_.advance(entered_.data(), left_.data());
  for (int i = 0; i < m; ++i) entered_[i] = lambda_[tangent_rows_[i]] = left_[i];
}

// A stage ends on its own increment, which is smaller than its error where ADMM is slow. Near the goal that error is what
// keeps the passes from it: stages then have to do more.
void Staggered::tighten() {
  const double ratio = best_.last().ratio;
  if (ratio <= kNearGoal && !(ratio <= 0.5 * last_ratio_))
    share_ = std::max(0.2 * share_, kSmallestShare * options_.inner_tolerance);
  last_ratio_ = ratio;
}

double Staggered::inner_work() const {
  const double normals = normal_.rows(), tangents = tangent_.rows();
  return normal_.iterations() * normals * normals + tangent_.iterations() * tangents * tangents;
}

Report Staggered::solve(const ContactProblem& p, VecOut lambda) {
  if (!solves<Staggered>(p)) return refuse(kName);
  bool sound = begin(p, lambda);
  while (sound && best_.next()) {
    sound = pass(p, best_.iteration() == 1);
    if (!sound || !best_.take(p, lambda_.data())) break;
    if (inner_work() > kInnerWork && normal_.iterations() + tangent_.iterations() > kInnerIterations) {
      best_.end(Status::max_iterations);
      break;
    }
    tighten();
    if (options_.anderson > 0) extrapolate();
  }
  if (!sound) best_.end(Status::numerical_failure);
  return best_.finish(p, kName, lambda, normal_.factorisations() + tangent_.factorisations());
}

}  // namespace stiction
