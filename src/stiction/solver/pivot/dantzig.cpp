// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/pivot/dantzig.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kShift = 1e-10;       // ε of (2)
constexpr int kProximal = 2;           // repetitions of (2) with the bounds and sets of a pass
constexpr int kSettled = 3;            // passes with the same sets before (3) is tried, and between trials
constexpr int kPatience = 20;          // passes without a better residual before the bounds are damped more
constexpr double kLeastShare = 0.05;   // of the new λ_N in the bounds
constexpr double kStandstill = 1e-16;  // change of x, relative: nothing will happen any more

// (a, b) on axes turned by the angle with cosine c and sine s.
void turn(double c, double s, double& a, double& b) {
  const double x = c * a + s * b, y = c * b - s * a;
  a = x, b = y;
}

}  // namespace

void Dantzig::to_axes(const ContactProblem& p, const double* lambda, double* x) const {
  const double c = std::cos(p.law.angle), s = std::sin(p.law.angle);
  std::copy_n(lambda, p.rows(), x);
  for (const Block& b : p.blocks)
    if (b.kind == BlockKind::coulomb) turn(c, s, x[b.row], x[b.row + 1]);
  for (int i = 0; i < p.rows(); ++i) x[i] /= scale_[i];
}

void Dantzig::from_axes(const ContactProblem& p, const double* x, double* lambda) const {
  const double c = std::cos(p.law.angle), s = std::sin(p.law.angle);
  for (int i = 0; i < p.rows(); ++i) lambda[i] = scale_[i] * x[i];
  for (const Block& b : p.blocks)
    if (b.kind == BlockKind::coulomb) turn(c, -s, lambda[b.row], lambda[b.row + 1]);
}

// Rows and columns of the tangents on the pyramid's axes.
void Dantzig::turn_axes(const ContactProblem& p) {
  if (p.law.angle == 0.0) return;
  const int n = p.rows();
  const double c = std::cos(p.law.angle), s = std::sin(p.law.angle);
  for (const Block& b : p.blocks) {
    if (b.kind != BlockKind::coulomb) continue;
    double *first = matrix_.data() + b.row * n, *second = first + n;
    for (int j = 0; j < n; ++j) turn(c, s, first[j], second[j]);
    for (int i = 0; i < n; ++i) turn(c, s, matrix_[i * n + b.row], matrix_[i * n + (b.row + 1)]);
    turn(c, s, g_[b.row], g_[b.row + 1]);
  }
}

void Dantzig::scale_rows(int n) {
  scale_.resize(n), A_.resize(n * n);
  for (int i = 0; i < n; ++i) {
    const double d = matrix_[i * (n + 1)];
    scale_[i] = d > std::numeric_limits<double>::min() ? 1.0 / std::sqrt(d) : 1.0;
  }
  for (int i = 0; i < n; ++i) {
    g_[i] *= scale_[i];
    for (int j = 0; j < n; ++j) matrix_[i * n + j] *= scale_[i] * scale_[j];
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) A_[i * n + j] = 0.5 * (matrix_[i * n + j] + matrix_[j * n + i]);
    A_[i * (n + 1)] += kShift;
  }
}

void Dantzig::load(const ContactProblem& p) {
  const int n = p.rows();
  p.G.densify(matrix_, unit_, scratch_);
  g_.resize(n), b_.resize(n), lo_.resize(n), hi_.resize(n), x_.resize(n), previous_.resize(n);
  radius_.resize(static_cast<int>(p.blocks.size()));
  std::copy_n(p.g.data(), n, g_.data());
  for (int i = 0; i < n; ++i) matrix_[i * (n + 1)] += p.R(i);
  turn_axes(p);
  scale_rows(n);
  order_.clear(), owner_.assign(n, -1), inner_row_.resize(n), friction_.resize(n);
  for (const Block& b : p.blocks)
    for (int r = 0; r + 1 < b.size; ++r) owner_[b.row + r] = b.row + 2, friction_[b.row + r] = b.mu;
  for (const Block& b : p.blocks) order_.push_back(b.row + b.size - 1);
  for (const Block& b : p.blocks)
    for (int r = 0; r + 1 < b.size; ++r) order_.push_back(b.row + r);
}

// A row that no impulse moves: pushing there would only make λ grow.
bool Dantzig::dead_row(int i, int n) const { return !(matrix_[i * (n + 1)] > std::numeric_limits<double>::min()); }

// (1) with λ_N of x_.
void Dantzig::set_bounds(const ContactProblem& p) {
  for (std::size_t k = 0; k < p.blocks.size(); ++k) {
    const Block& b = p.blocks[k];
    const int last = b.row + b.size - 1;
    const bool box = b.kind == BlockKind::box;
    lo_[last] = box ? b.lo / scale_[last] : 0.0;
    hi_[last] = box ? b.hi / scale_[last] : std::numeric_limits<double>::infinity();
    if (dead_row(last, p.rows())) lo_[last] = hi_[last] = std::clamp(0.0, lo_[last], hi_[last]);
    double& radius = radius_[static_cast<int>(k)];
    radius += share_ * (b.mu * std::max(scale_[last] * x_[last], 0.0) - radius);
    for (int r = b.row; r < last; ++r) hi_[r] = radius / scale_[r], lo_[r] = -hi_[r];
  }
}

// (2).
void Dantzig::set_right_side(const ContactProblem& p) {
  const int n = p.rows();
  for (int i = 0; i < n; ++i) {
    double s = g_[i] - kShift * x_[i];
    if (!p.G.symmetric)
      for (int j = 0; j < n; ++j) s += 0.5 * (matrix_[i * n + j] - matrix_[j * n + i]) * x_[j];
    b_[i] = s;
  }
}

bool Dantzig::make_pass(const ContactProblem& p, bool repeat) {
  set_bounds(p);
  set_right_side(p);
  std::copy_n(x_.data(), p.rows(), previous_.data());
  const BoxLcp lcp{p.rows(), A_.data(), b_.data(), lo_.data(), hi_.data()};
  const bool same = repeat && pivoting_.resolve(lcp);
  repeats_ = same ? repeats_ + 1 : 0;
  const bool solved = same || pivoting_.solve(lcp, order_.data());
  std::copy_n(pivoting_.x().data(), p.rows(), x_.data());
  for (int step = 0; solved && step < kProximal; ++step) {
    set_right_side(p);
    if (!pivoting_.resolve(lcp)) break;
    std::copy_n(pivoting_.x().data(), p.rows(), x_.data());
  }
  return solved;
}

// x of a tangent that slides, per x of its normal.
double Dantzig::slope(int j) const {
  const double ratio = friction_[j] * scale_[owner_[j]] / scale_[j];
  return pivoting_.is_upper(j) ? ratio : -ratio;
}

// (3) as K y + r = 0.
void Dantzig::form_coupled(const ContactProblem& p) {
  const int n = p.rows(), m = static_cast<int>(pivoting_.inside().size());
  coupled_matrix_.resize(m * m), right_.resize(m), inner_.resize(m);
  for (int k = 0; k < m; ++k) {
    const double* row = matrix_.data() + pivoting_.inside()[k] * n;
    double r = g_[pivoting_.inside()[k]];
    for (int j = 0; j < n; ++j) {
      inner_row_[j] = pivoting_.is_inside(j) ? row[j] : 0.0;
      if (!pivoting_.is_inside(j) && owner_[j] < 0) r += row[j] * x_[j];
    }
    for (int j = 0; j < n; ++j)
      if (owner_[j] >= 0 && pivoting_.is_inside(owner_[j]) && !pivoting_.is_inside(j))
        inner_row_[owner_[j]] += row[j] * slope(j);
    for (int l = 0; l < m; ++l) coupled_matrix_[k * m + l] = inner_row_[pivoting_.inside()[l]];
    right_[k] = r;
    inner_[k] = x_[pivoting_.inside()[k]];
  }
}

bool Dantzig::accept_coupled(const ContactProblem& p, VecOut lambda) {
  ++systems_;
  form_coupled(p);
  const int n = p.rows(), m = static_cast<int>(pivoting_.inside().size());
  basis_.clear();
  for (int k = 0; k < m; ++k) basis_.add(k);
  basis_.factor(coupled_matrix_.data(), m);
  basis_.refine(coupled_matrix_.data(), right_.data(), m, inner_.data(), kProximal);
  std::copy_n(x_.data(), n, previous_.data());
  for (int k = 0; k < m; ++k) previous_[pivoting_.inside()[k]] = inner_[k];
  for (int j = 0; j < n; ++j)
    if (owner_[j] >= 0 && !pivoting_.is_inside(j)) previous_[j] = slope(j) * previous_[owner_[j]];
  from_axes(p, previous_.data(), lambda.data());
  return best_.offer(p, lambda.data());
}

void Dantzig::iterate(const ContactProblem& p, VecOut lambda) {
  const int n = p.rows();
  int since_best = 0;
  while (best_.next()) {
    const int pass = best_.iteration();
    const bool solved = make_pass(p, pass > 1);
    double change = 0.0, size = 0.0;
    for (int i = 0; i < n; ++i) {
      change = std::max(change, std::abs(x_[i] - previous_[i]));
      size = std::max(size, std::abs(x_[i]));
    }
    from_axes(p, x_.data(), lambda.data());
    const double before = best_.ratio();
    const bool accepted = best_.offer(p, lambda.data());
    best_.observe(p, lambda.data(), pass);
    if (accepted) return;
    if (!solved || !all_finite(x_.data(), n)) return best_.end(Status::numerical_failure);
    if (best_.time_is_up()) return;
    if (options_.coupled && repeats_ % kSettled == kSettled - 1 && accept_coupled(p, lambda))
      return best_.observe(p, lambda.data(), pass);
    since_best = best_.ratio() < before ? 0 : since_best + 1;
    if (since_best >= kPatience && share_ > kLeastShare) share_ *= 0.5, since_best = 0;
    if (change <= kStandstill * size || since_best >= kPatience) return best_.end(Status::stalled);
  }
}

Report Dantzig::solve(const ContactProblem& p, VecOut lambda) {
  if (p.general || !solves<Dantzig>(p) || BilateralElimination::needed(p)) return refuse(kName);
  start(p, lambda);
  pivoting_.forget_changes();
  share_ = 1.0, repeats_ = systems_ = 0;
  if (data_finite(p)) {
    load(p);
    to_axes(p, lambda.data(), x_.data());
    iterate(p, lambda);
  }
  return best_.finish(p, kName, lambda, pivoting_.factor_changes() + systems_);
}

}  // namespace stiction
