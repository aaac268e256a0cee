// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/finite.h>
#include <stiction/solver/interior/nipm_cone.h>
#include <stiction/solver/interior/nipm_core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kLeastFriction = 1e-8;  // smaller coefficients are not divided by
constexpr double kShort = 0.1;           // steps below this are tried again towards the middle of the cones
constexpr int kTinySteps = 6;            // in a row: the point has run into the boundary
constexpr double kTinyStep = 1e-6, kFar = 100.0, kFarthest = 1e8;
constexpr double kFreeRow = 1e-10;  // what bilateral rows get on their diagonal, in units of the mean one

}  // namespace

void NipmCore::add_scalar(int row, int entry, double lo, double hi) {
  fixed_[row] = !(lo < hi);
  Scalar s{};
  s.row = row, s.entry = entry, s.lo = lo, s.hi = hi;
  s.lower = lo < hi && std::isfinite(lo), s.upper = lo < hi && std::isfinite(hi);
  scalars_.push_back(s);
}

// Largest over smallest mean diagonal of the blocks of G + R; blocks that nothing can move do not count.
double NipmCore::spread(const ContactProblem& p) {
  double least = std::numeric_limits<double>::infinity(), largest = 0.0;
  for (int i = 0; i < p.G.blocks(); ++i) {
    const Block& b = p.blocks[i];
    double trace = 0.0;
    for (int k = 0; k < b.size; ++k) trace += p.G.diagonal_block(i)[k * (b.size + 1)] + p.R(b.row + k);
    if (!(trace > 0.0)) continue;
    least = std::min(least, trace / b.size), largest = std::max(largest, trace / b.size);
  }
  return largest > 0.0 ? largest / least : 1.0;
}

// Sets of the rows, D, w̄ and q̄.
void NipmCore::list_sets(const ContactProblem& p, bool equilibrate) {
  const double infinity = std::numeric_limits<double>::infinity();
  cones_.clear(), scalars_.clear();
  double sum = 0.0, mean = 0.0;
  for (int i = 0; i < p.G.blocks(); ++i)
    for (int k = 0; k < p.blocks[i].size; ++k)
      mean += std::abs(p.G.diagonal_block(i)[k * (p.blocks[i].size + 1)] + p.R(p.blocks[i].row + k));
  mean = mean > 0.0 ? mean / p.rows() : 1.0;
  unit_ = 0.0;
  for (int i = 0; i < p.G.blocks(); ++i) {
    const Block& b = p.blocks[i];
    const double* w = p.G.diagonal_block(i);
    const int first = p.G.diagonal_start[i];
    const bool contact = b.kind == BlockKind::coulomb, cone = (contact && b.mu > 0.0) || b.kind == BlockKind::patch;
    double trace = 0.0;
    for (int k = 0; k < b.size; ++k) trace += w[k * (b.size + 1)] + p.R(b.row + k);
    const double c = equilibrate ? 1.0 / std::sqrt(std::max(trace / b.size, 1e-12 * mean)) : 1.0;
    for (int k = 0; k < b.size; ++k) {
      const int row = b.row + k;
      fixed_[row] = 0;
      D_[row] = cone && k < b.size - 1 ? c * std::max(b.mu, kLeastFriction) : c;
      sum += D_[row] * D_[row] * (w[k * (b.size + 1)] + p.R(row));
      unit_ = std::max(unit_, std::abs(D_[row] * p.g[row]));
      if (cone) continue;
      const double free = b.kind == BlockKind::bilateral ? infinity : 0.0;
      const double lo = b.kind == BlockKind::box ? b.lo : -free;
      double hi = b.kind == BlockKind::box ? b.hi : infinity;
      if (contact && k < 2) hi = 0.0;  // no friction: λ_T = 0
      add_scalar(row, first + k * (b.size + 1), lo, hi);
    }
    if (cone) cones_.push_back({b.row, i, b.size});
  }
  mean_ = sum > 0.0 ? sum / p.rows() : 1.0;
  if (!(unit_ > 0.0)) unit_ = 1.0;
}

// Largest impulse of the regularised problem with bilateral rows only, in scaled units.
double NipmCore::estimate(const ContactProblem& p) {
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    for (int k = 0; k < p.blocks[i].size; ++k) B_[p.G.diagonal_start[i] + k * (p.blocks[i].size + 1)] = kFreeRow;
  for (int r = 0; r < p.rows(); ++r) rhs_[r] = -q_[r];
  if (!system_.factor(p, B_.data(), fixed_)) return 1.0;
  system_.solve(p, rhs_.data(), dx_.data());
  double largest = 0.0;
  for (int r = 0; r < p.rows(); ++r) largest = std::max(largest, std::abs(dx_[r]));
  std::fill_n(dx_.data(), p.rows(), 0.0);
  std::fill_n(B_.data(), B_.size(), 0.0);
  return std::isfinite(largest) ? largest : 1.0;
}

void NipmCore::start(double size, double dual) {
  for (const Cone& c : cones_)
    for (int k = 0; k < c.size; ++k) {
      x_[c.row + k] = size * (k + 1 < c.size ? 0.1 : 1.0);
      y_[c.row + k] = dual * (k + 1 < c.size ? 0.1 : 1.0);
    }
  for (const Cone& c : cones_) s_[c.row] = shifted_ ? dual * 0.1 * std::sqrt(c.size - 1.0) : 0.0;
  pairs_ = static_cast<int>(cones_.size());
  for (Scalar& s : scalars_) {
    const double impulse = D_[s.row] * unit_ / mean_;
    s.lo /= impulse, s.hi /= impulse;
    const double inside = s.lower && s.upper ? std::min(size, 0.5 * (s.hi - s.lo)) : size;
    double& x = x_[s.row];
    x = fixed_[s.row] ? s.lo : 0.0;
    if (s.lower) x = std::max(x, s.lo + inside);
    if (s.upper) x = std::min(x, s.hi - inside);
    s.p = s.lower ? x - s.lo : 1.0, s.t = s.upper ? s.hi - x : 1.0;
    s.zp = s.lower ? size * dual / s.p : 0.0, s.zt = s.upper ? size * dual / s.t : 0.0;
    pairs_ += s.lower + s.upper;
  }
  tau_ = complementarity(0.0);
  alpha_ = 1.0, gamma_ = 0.99;
}

void NipmCore::load(const ContactProblem& p, bool equilibrate, bool far) {
  const int n = p.rows();
  shifted_ = p.law.kind == FrictionLaw::coulomb;
  for (GrowingVec* v : {&D_, &q_, &rhs_}) v->resize(n);
  for (GrowingVec* v : {&x_, &y_, &dx_, &dy_, &rp_, &h_, &s_, &rs_, &ds_}) v->assign(n, 0.0);
  B_.assign(p.G.blocks() > 0 ? p.G.diagonal_start.back() : 0, 0.0);
  fixed_.resize(n);
  list_sets(p, equilibrate);
  for (int r = 0; r < n; ++r) q_[r] = D_[r] * p.g[r] / unit_;
  system_.load(p, D_.data(), mean_);
  if (!far) return start(1.0, 1.0);
  start(std::clamp(estimate(p), kFar, kFarthest), kFar);
}

// Σ x·y / pairs after a step of length a.
double NipmCore::complementarity(double a) const {
  if (pairs_ == 0) return 0.0;
  double sum = 0.0;
  for (const Cone& c : cones_)
    for (int r = c.row; r <= c.last(); ++r) sum += (x_[r] + a * dx_[r]) * (y_[r] + a * dy_[r]);
  for (const Scalar& s : scalars_) {
    if (s.lower) sum += (s.p + a * s.dp) * (s.zp + a * s.dzp);
    if (s.upper) sum += (s.t - a * s.dp) * (s.zt + a * s.dzt);
  }
  return sum / pairs_;
}

void NipmCore::residuals(const ContactProblem& p) {
  system_.multiply(p, x_.data(), rp_.data());
  for (int r = 0; r < p.rows(); ++r) rp_[r] += q_[r];
  for (const Cone& c : cones_) {
    for (int r = c.row; r <= c.last(); ++r) rp_[r] -= y_[r];
    rp_[c.last()] += s_[c.row];
    rs_[c.row] = shifted_ ? s_[c.row] - nipm::tangent_norm(y_.data() + c.row, c.size) : 0.0;
  }
  for (const Scalar& s : scalars_) rp_[s.row] -= s.zp - s.zt;
}

void NipmCore::fill_blocks(const ContactProblem& p) {
  for (const Cone& c : cones_) {
    double* B = B_.data() + p.G.diagonal_start[c.block];
    const double* y = y_.data() + c.row;
    const int n = c.size - 1;
    nipm::scaling_matrix(x_.data() + c.row, y, c.size, B);
    const double t = nipm::tangent_norm(y, c.size);
    if (!shifted_ || !(t > 0.0)) continue;
    for (int k = 0; k <= n; ++k) {
      double along = 0.0;
      for (int r = 0; r < n; ++r) along += y[r] * B[r * c.size + k];
      B[n * c.size + k] -= along / t;
    }
  }
  for (const Scalar& s : scalars_) B_[s.entry] = s.lower || s.upper ? s.zp / s.p + s.zt / s.t : kFreeRow;
}

// dx, dy, ds and those of the multipliers for x ∘ y → target e; `second_order` subtracts the last direction's dx ∘ dy.
void NipmCore::direction(const ContactProblem& p, double target, bool second_order) {
  for (int r = 0; r < p.rows(); ++r) rhs_[r] = -rp_[r];
  for (const Cone& c : cones_) {
    const double *x = x_.data() + c.row, *y = y_.data() + c.row;
    double *h = h_.data() + c.row, *out = rhs_.data() + c.row, both[nipm::kMostRows];
    const int n = c.size - 1;
    nipm::multiply_arrow(x, y, c.size, h);
    nipm::multiply_arrow(dx_.data() + c.row, dy_.data() + c.row, c.size, both);
    for (int k = 0; k <= n; ++k) h[k] = (k == n ? target : 0.0) - h[k] - (second_order ? both[k] : 0.0);
    nipm::invert_arrow(x, h, c.size, h);
    for (int k = 0; k <= n; ++k) out[k] += h[k];
    if (const double t = nipm::tangent_norm(y, c.size); shifted_ && t > 0.0) out[n] -= nipm::product(y, h, n) / t;
    out[n] += rs_[c.row];
  }
  for (Scalar& s : scalars_) {
    s.rp = s.lower ? (target - (second_order ? s.dp * s.dzp : 0.0)) / s.p - s.zp : 0.0;
    s.rt = s.upper ? (target + (second_order ? s.dp * s.dzt : 0.0)) / s.t - s.zt : 0.0;
    rhs_[s.row] += s.rp - s.rt;
  }
  system_.solve(p, rhs_.data(), dx_.data());
  double theta[nipm::kMostRows * nipm::kMostRows];
  for (const Cone& c : cones_) {
    const double *x = x_.data() + c.row, *y = y_.data() + c.row, *dx = dx_.data() + c.row;
    double* dy = dy_.data() + c.row;
    nipm::scaling_matrix(x, y, c.size, theta);
    for (int k = 0; k < c.size; ++k) {
      dy[k] = h_[c.row + k];
      for (int j = 0; j < c.size; ++j) dy[k] -= theta[c.size * k + j] * dx[j];
    }
    const double t = nipm::tangent_norm(y, c.size);
    ds_[c.row] = shifted_ ? (t > 0.0 ? nipm::product(y, dy, c.size - 1) / t : 0.0) - rs_[c.row] : 0.0;
  }
  for (Scalar& s : scalars_) {
    s.dp = dx_[s.row];
    s.dzp = s.lower ? s.rp - s.zp / s.p * s.dp : 0.0;
    s.dzt = s.upper ? s.rt + s.zt / s.t * s.dp : 0.0;
  }
}

double NipmCore::longest() const {
  double a = 1e300;
  for (const Cone& c : cones_) {
    a = std::min(a, nipm::longest_step(x_.data() + c.row, dx_.data() + c.row, c.size));
    a = std::min(a, nipm::longest_step(y_.data() + c.row, dy_.data() + c.row, c.size));
  }
  for (const Scalar& s : scalars_) {
    if (s.lower) a = std::min({a, nipm::longest_step(s.p, s.dp), nipm::longest_step(s.zp, s.dzp)});
    if (s.upper) a = std::min({a, nipm::longest_step(s.t, -s.dp), nipm::longest_step(s.zt, s.dzt)});
  }
  return a;
}

bool NipmCore::shift_dominates() const {
  double shift = 0.0, product = 0.0, both[nipm::kMostRows];
  for (const Cone& c : cones_) {
    nipm::multiply_arrow(x_.data() + c.row, y_.data() + c.row, c.size, both);
    shift += rs_[c.row] * rs_[c.row];
    product += nipm::product(both, both, c.size);
  }
  return shift > 0.0 && shift >= product;
}

void NipmCore::move(double a) {
  for (const Cone& c : cones_) {
    for (int r = c.row; r <= c.last(); ++r) x_[r] += a * dx_[r], y_[r] += a * dy_[r];
    s_[c.row] += a * ds_[c.row];
  }
  for (Scalar& s : scalars_) {
    x_[s.row] += a * s.dp;
    if (s.lower) s.p += a * s.dp, s.zp += a * s.dzp;
    if (s.upper) s.t -= a * s.dp, s.zt += a * s.dzt;
    if (s.lower && !(s.upper && s.t < s.p)) x_[s.row] = s.lo + s.p;  // the nearer bound is exact
    if (s.upper && !(s.lower && s.p <= s.t)) x_[s.row] = s.hi - s.t;
  }
  tau_ = complementarity(0.0);
}

bool NipmCore::step(const ContactProblem& p, bool damped) {
  residuals(p);
  for (GrowingVec* v : {&dx_, &dy_, &ds_}) std::fill_n(v->data(), v->size(), 0.0);
  fill_blocks(p);
  if (!system_.factor(p, B_.data(), fixed_)) return false;
  double sigma = 0.998;
  bool second_order = false;
  if (!(damped && shift_dominates())) {
    direction(p, 0.0, false);
    const double a = std::min(1.0, longest());
    const double beta = tau_ > 1e-8 ? std::max(1.0, 3.0 * a * a) : 1.0;
    const double reached = tau_ > 0.0 ? std::max(complementarity(a), 0.0) / tau_ : 0.0;
    sigma = std::clamp(std::pow(reached, beta), 1e-6, 0.998);
    second_order = !(sigma > 0.8);
  }
  direction(p, sigma * tau_, second_order);
  if (!(longest() > kShort) && sigma < 0.998) direction(p, 0.998 * tau_, false);  // back to the middle
  if (!all_finite(dx_.data(), p.rows()) || !all_finite(dy_.data(), p.rows())) return false;
  alpha_ = std::min(1.0, gamma_ * longest());
  gamma_ = 0.9 + 0.09 * alpha_;
  move(alpha_);
  return true;
}

void NipmCore::write(const ContactProblem& p, double* lambda) const {
  for (int r = 0; r < p.rows(); ++r) lambda[r] = D_[r] * x_[r] * (unit_ / mean_);
}

NipmCore::End NipmCore::run(const ContactProblem& p, Start start, int limit, int window, int counted, Progress& best) {
  load(p, start.equilibrate, start.far);
  lambda_.resize(p.rows());
  double halved = std::numeric_limits<double>::infinity();
  int since = 0, tiny = 0;
  for (iterations_ = 0; iterations_ < limit;) {
    if (iterations_ > 0) best.ask_again();
    if (best.out_of_time()) break;
    ++iterations_;
    if (!step(p, start.damped)) return End::failed;
    write(p, lambda_.data());
    best.observe(p, lambda_.data(), counted + iterations_);
    const double ratio = best.judge(p, lambda_.data()).ratio;
    if (ratio < best.ratio() && best.offer(p, lambda_.data())) return End::accepted;
    ++since;
    if (ratio <= 0.5 * halved) halved = ratio, since = 0;
    tiny = alpha_ < kTinyStep ? tiny + 1 : 0;
    if (tiny >= kTinySteps || (window > 0 && since >= window)) return End::stalled;
  }
  return End::spent;
}

}  // namespace stiction
