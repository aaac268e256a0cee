// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/local/local_blocks.h>
#include <stiction/solver/sweep/prox_sweep.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kSmallest = 1e-14;  // of a diagonal entry, beside the largest one
constexpr int kPowerSteps = 15;      // half of the bound is wanted: a factor of two may be lost

}  // namespace

void ProxOptions::check_stop(const char* owner) const {
  const ProxOptions defaults;
  if (stop != "judge")
    return require_option(test_interval == defaults.test_interval, owner, "test_interval", test_interval,
                          "none beside stop = '" + stop + "': the judge is asked once, at the end");
  const char* wanted = "none beside stop = 'judge': only 'change' and 'energy' look at changes";
  require_option(relative_change == defaults.relative_change, owner, "relative_change", relative_change, wanted);
  require_option(absolute_change == defaults.absolute_change, owner, "absolute_change", absolute_change, wanted);
}

Report ProxSweep::run(const ContactProblem& p, const ProxOptions& o, Order order, const char* path, VecOut lambda,
                      Progress& best) {
  const bool judged = o.stop == "judge";
  if (!load(p, o, lambda)) return best.finish(p, Status::numerical_failure, path, lambda, 1);
  relaxation_.run(
      p, judged, lambda, best, sweep_, [&] { return iterate(order); }, [&] { return !judged && settled(o); });
  return best.finish(p, path, lambda, relaxation_.factorisations());
}

bool ProxSweep::load(const ContactProblem& p, const ProxOptions& o, VecOut lambda) {
  if (!relaxation_.load(p, o.eliminate_bilateral, lambda)) return false;
  problem_ = &relaxation_.problem(), x_ = relaxation_.lambda();
  const int rows = problem_->rows();
  G_ = &problem_->G;
  u_.resize(rows), previous_.resize(rows), steps_.resize(rows);
  if (o.stored && G_->storage == Delassus::Storage::body_space) {
    problem_->G.densify(dense_, previous_, scratch_);
    G_ = &dense_;
  }
  prepare_steps();
  const double alpha = o.alpha > 0.0 ? o.alpha : 1.0 / largest_eigenvalue();
  for (int r = 0; r < rows; ++r) steps_[r] *= alpha;
  order_.clear();
  for (const bool bilateral : {false, true})
    for (std::size_t i = 0; i < problem_->blocks.size(); ++i)
      if ((problem_->blocks[i].kind == BlockKind::bilateral) == bilateral) order_.push_back(static_cast<int>(i));
  sweep_.begin(*problem_, *G_, x_);
  std::copy_n(x_, rows, previous_.data());
  if (o.stop == "energy") last_energy_ = energy();
  int largest = 0;
  for (const Block& b : problem_->blocks) largest = std::max(largest, b.size);
  old_.resize(largest);
  return true;
}

// D⁻¹. A row that nothing moves (D = 0) gets a long step, which its set ends; bilateral rows have no set, and none.
void ProxSweep::prepare_steps() {
  const ContactProblem& q = *problem_;
  double largest = 0.0;
  for (std::size_t i = 0; i < q.blocks.size(); ++i) {
    const Block& b = q.blocks[i];
    const double* w = relaxation_.diagonal(static_cast<int>(i));
    double* d = steps_.data() + b.row;
    for (int r = 0; r < b.size; ++r) d[r] = w[r * (b.size + 1)];
    if (b.kind == BlockKind::coulomb) d[0] = d[1] = tangential_axes(w, q.law).larger;
    for (int r = 0; r < b.size; ++r) d[r] += q.R(b.row + r);
    if (b.kind == BlockKind::coulomb) d[0] = d[1] = std::max(d[0], d[1]);
    if (b.kind == BlockKind::coulomb && q.law.kind == FrictionLaw::convex) d[0] = d[1] = d[2] = std::max(d[0], d[2]);
    for (int r = 0; r < b.size; ++r) largest = std::max(largest, d[r]);
  }
  const double smallest = largest > 0.0 ? kSmallest * largest : 1.0;
  for (const Block& b : q.blocks)
    for (int r = b.row; r < b.row + b.size; ++r)
      steps_[r] = b.kind == BlockKind::bilateral && !(steps_[r] > smallest) ? 0.0 : 1.0 / std::max(steps_[r], smallest);
}

void ProxSweep::velocity(const double* x, double* u) {
  G_->multiply(x, u, scratch_);
  if (!problem_->compliant()) return;
  for (int r = 0; r < problem_->rows(); ++r) u[r] += problem_->compliance[r] * x[r];
}

// Power iteration from a vector without symmetries; lengths are measured with D, in which D⁻¹(G + R) is symmetric.
double ProxSweep::largest_eigenvalue() {
  const int n = problem_->rows();
  const auto length = [&](const double* v) {
    double s = 0.0;
    for (int r = 0; r < n; ++r) s += steps_[r] > 0.0 ? v[r] * v[r] / steps_[r] : 0.0;
    return std::sqrt(s);
  };
  double* v = previous_.data();
  double value = 0.0;
  for (int r = 0; r < n; ++r) v[r] = std::sqrt(steps_[r]) * (1.0 + std::fmod(0.618033988749895 * (r + 1), 1.0));
  for (int k = 0; k < kPowerSteps; ++k) {
    const double norm = length(v);
    if (!(norm > 0.0)) break;
    for (int r = 0; r < n; ++r) v[r] /= norm;
    velocity(v, u_.data());
    for (int r = 0; r < n; ++r) v[r] = steps_[r] * u_[r];
    value = std::max(value, length(v));
  }
  return value > 0.0 && std::isfinite(value) ? value : 1.0;
}

Change ProxSweep::iterate(Order order) {
  if (order == Order::jacobi) return iterate_jacobi();
  const bool split = order == Order::split;
  const auto update = [&](const Block& b, int i, double* u, double* x) {
    project(b, i, u, x, split || b.kind == BlockKind::bilateral);  // those row by row
  };
  return sweep_.run(order_, x_, update);
}

Change ProxSweep::iterate_jacobi() {
  const ContactProblem& q = *problem_;
  velocity(x_, u_.data());
  for (int r = 0; r < q.rows(); ++r) u_[r] += q.g[r];
  Change all;
  for (std::size_t i = 0; i < q.blocks.size(); ++i) {
    const Block& b = q.blocks[i];
    double* x = x_ + b.row;
    std::copy_n(x, b.size, old_.data());
    project(b, static_cast<int>(i), u_.data() + b.row, x, false);
    Change c;
    for (int r = 0; r < b.size; ++r) c.change += (x[r] - old_[r]) * (x[r] - old_[r]), c.size += x[r] * x[r];
    all.include(c);
  }
  return all;
}

// (1) to (4) on one block.
void ProxSweep::project(const Block& block, int i, double* u, double* x, bool split) const {
  const double* r = steps_.data() + block.row;
  if (block.kind == BlockKind::bilateral) return project_bilateral(block, i, u, x, split);
  const FrictionLaw& law = problem_->law;
  if (block.kind != BlockKind::coulomb || law.kind == FrictionLaw::convex) {
    for (int k = 0; k < block.size; ++k) x[k] -= r[k] * u[k];
    return project_block(block, law, x);
  }
  const double target = x[2] - r[2] * u[2], normal = target > 0.0 ? target : 0.0 * target;  // keeps NaN
  if (split) {
    const double* w = problem_->G.diagonal_block(i);
    u[0] += w[2] * (normal - x[2]), u[1] += w[5] * (normal - x[2]);
  }
  x[2] = normal;
  x[0] -= r[0] * u[0], x[1] -= r[1] * u[1];
  project_tangent(block, law, x);
}

void ProxSweep::project_bilateral(const Block& block, int i, double* u, double* x, bool split) const {
  const double* w = problem_->G.diagonal_block(i);
  for (int k = 0; k < block.size; ++k) {
    const double step = -steps_[block.row + k] * u[k];
    x[k] += step;
    if (!split) continue;
    for (int l = k + 1; l < block.size; ++l) u[l] += w[l * block.size + k] * step;
  }
}

// The published tests on changes since the last iterate.
bool ProxSweep::settled(const ProxOptions& o) {
  if (o.stop == "energy") {
    const double before = last_energy_;
    last_energy_ = energy();
    return std::abs(last_energy_ - before) <= o.relative_change * std::abs(before) + o.absolute_change;
  }
  bool all = true;
  for (int r = 0; r < problem_->rows(); ++r) {
    all = all && std::abs(x_[r] - previous_[r]) <= o.relative_change * std::abs(previous_[r]) + o.absolute_change;
    previous_[r] = x_[r];
  }
  return all;
}

double ProxSweep::energy() {
  velocity(x_, u_.data());
  double e = 0.0;
  for (int r = 0; r < problem_->rows(); ++r) e += x_[r] * (0.5 * u_[r] + problem_->g[r]);
  return e;
}

}  // namespace stiction
