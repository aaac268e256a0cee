// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/deadline.h>
#include <stiction/solver/core/finite.h>
#include <stiction/solver/sweep/frictionless_sor.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kOmega = 1.5, kLargestOmega = 1.8;
constexpr double kLargeRows = 2000.0, kOmegaPerDecade = 0.2;  // more rows: ω grows with their logarithm
constexpr double kRoundOff = 1e-13;                           // of the largest entry of a row
constexpr int kActiveSweeps = 3;                              // between two full ones
constexpr double kLook = 3.0;  // change, in tolerances, from which acceptance is worth looking at
// The packed residual and the judge's differ by round-off. Sweeps go on to half of the tolerance, so that a start at the
// solution is still one after the sweep that is owed.
constexpr double kFirstMargin = 0.98, kMargin = 0.5;

// The entries of one term that matter go to h; false if they do not fit.
template <int W>
bool pack_term(const BodySpace& body, const BodySpace::Term& term, double* h, int& first) {
  const double* value = body.values.data() + term.offset;
  const int* column = body.column.data() + term.columns;
  double largest = 0.0;
  for (int c = 0; c < term.width; ++c) largest = std::max(largest, std::abs(value[c]));
  const double smallest = kRoundOff * largest;
  int begin = 0, end = term.width;
  while (end > 0 && !(std::abs(value[end - 1]) > smallest)) --end;
  while (begin < end && !(std::abs(value[begin]) > smallest)) ++begin;
  if (begin == end) return true;
  first = column[begin];
  if (column[end - 1] - first >= W) return false;
  for (int c = begin; c < end; ++c) h[column[c] - first] = value[c];
  return true;
}

template <int W, class Row>
inline double velocity_of(const Row& row, const double* wa, const double* wb) {
  double a = row.g, b = 0.0;
  for (int k = 0; k < W; ++k) a += row.a[k] * wa[k], b += row.b[k] * wb[k];
  return a + b;
}

template <int W, class Row>
inline void push(const Row& row, double d, double* wa, double* wb) {
  for (int k = 0; k < W; ++k) wa[k] += d * row.a[k];
  for (int k = 0; k < W; ++k) wb[k] += d * row.b[k];  // after a: the two stretches may be the same
}

inline double positive(double x) { return x > 0.0 ? x : 0.0; }
inline double over(double error, double allowed) { return error == 0.0 ? 0.0 : error / allowed; }

}  // namespace

bool FrictionlessSor::load(const ContactProblem& problem) {
  if (problem.G.storage != Delassus::Storage::body_space || !problem.dt) return false;
  for (const Block& b : problem.blocks)
    if (b.kind != BlockKind::unilateral || b.angular) return false;
  sweeps_ = 0;
  dt_ = *problem.dt;
  R_ = problem.compliant() ? problem.compliance.data() : nullptr;
  velocities_ = problem.G.body.velocities;
  const double decades = std::log10(std::max(problem.rows() / kLargeRows, 1.0));
  omega_ = std::min(kOmega + kOmegaPerDecade * decades, kLargestOmega);
  narrow_ = pack<3>(problem, spheres_);
  return narrow_ || pack<6>(problem, bodies_);
}

template <int W>
bool FrictionlessSor::pack(const ContactProblem& problem, std::vector<Row<W>>& rows) {
  const BodySpace& body = problem.G.body;
  rows.resize(problem.blocks.size());
  for (int i = 0; i < problem.rows(); ++i) {
    Row<W>& row = rows[i];
    const int begin = body.term_start[i], terms = body.term_start[i + 1] - begin;
    if (terms > 2) return false;
    std::fill_n(row.a, W, 0.0), std::fill_n(row.b, W, 0.0);
    row.at_a = row.at_b = velocities_;  // spare entries at the end, for what does not move
    if (terms > 0 && !pack_term<W>(body, body.terms[begin], row.a, row.at_a)) return false;
    if (terms > 1 && !pack_term<W>(body, body.terms[begin + 1], row.b, row.at_b)) return false;
    const double diagonal = *problem.G.diagonal_block(i) + (R_ ? R_[i] : 0.0);
    row.g = problem.g[i];
    row.step = diagonal > 0.0 ? omega_ / diagonal : 0.0;
  }
  return true;
}

bool FrictionlessSor::run(const Tolerance& tolerance, int max_sweeps, double* lambda) {
  const int rows = static_cast<int>(narrow_ ? spheres_.size() : bodies_.size());
  if (!all_finite(lambda, rows)) std::fill_n(lambda, rows, 0.0);
  for (int i = 0; i < rows; ++i) lambda[i] = positive(lambda[i]);
  active_.resize(rows + 1);
  const bool solved = narrow_ ? iterate<3>(spheres_, tolerance, max_sweeps, lambda)
                              : iterate<6>(bodies_, tolerance, max_sweeps, lambda);
  if (all_finite(lambda, rows)) return solved;
  std::fill_n(lambda, rows, 0.0);
  return false;
}

template <int W>
bool FrictionlessSor::iterate(const std::vector<Row<W>>& rows, const Tolerance& tolerance, int max_sweeps,
                              double* lambda) {
  velocity_.resize(velocities_ + W);
  recompute_velocity<W>(rows, lambda);
  double trigger = kLook;
  for (;;) {
    const Change c = sweep_all<W>(rows, lambda);
    ++sweeps_;
    const bool last = sweeps_ >= max_sweeps || c.step == 0.0;
    const double change = c.step / (dt_ * tolerance.force + tolerance.relative * c.size);
    if (change <= trigger || last) {
      const double error = ratio<W>(rows, tolerance, lambda);
      if (error <= (sweeps_ == 1 ? kFirstMargin : kMargin)) return true;
      if (error > 0.0) trigger = std::min(trigger, 1.5 * change / error);  // if error and change fall together
    }
    if (last || SolveDeadline::has_passed()) return false;
    for (int k = 0; k < kActiveSweeps && sweeps_ < max_sweeps; ++k, ++sweeps_) sweep_active<W>(rows, lambda);
  }
}

template <int W>
FrictionlessSor::Change FrictionlessSor::sweep_all(const std::vector<Row<W>>& rows, double* lambda) {
  double* w = velocity_.data();
  int* active = active_.data();
  Change change{0.0, 0.0};
  int count = 0;
  const int n = static_cast<int>(rows.size());
  for (int i = 0; i < n; ++i) {
    const Row<W>& row = rows[i];
    double *wa = w + row.at_a, *wb = w + row.at_b;
    double u = velocity_of<W>(row, wa, wb);
    if (R_) u += R_[i] * lambda[i];
    const double x = positive(lambda[i] - row.step * u), d = x - lambda[i];
    active[count] = i;
    count += x > 0.0 ? 1 : 0;
    change.step = std::max(change.step, std::abs(d)), change.size = std::max(change.size, x);
    if (d == 0.0) continue;
    lambda[i] = x;
    push<W>(row, d, wa, wb);
  }
  active_count_ = count;
  return change;
}

template <int W>
void FrictionlessSor::sweep_active(const std::vector<Row<W>>& rows, double* lambda) {
  double* w = velocity_.data();
  for (int k = 0; k < active_count_; ++k) {
    const int i = active_[k];
    const Row<W>& row = rows[i];
    double *wa = w + row.at_a, *wb = w + row.at_b;
    double u = velocity_of<W>(row, wa, wb);
    if (R_) u += R_[i] * lambda[i];
    const double x = positive(lambda[i] - row.step * u), d = x - lambda[i];
    lambda[i] = x;
    push<W>(row, d, wa, wb);
  }
}

template <int W>
void FrictionlessSor::recompute_velocity(const std::vector<Row<W>>& rows, const double* lambda) {
  std::fill_n(velocity_.data(), velocities_ + W, 0.0);
  double* w = velocity_.data();
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (lambda[i] != 0.0) push<W>(rows[i], lambda[i], w + rows[i].at_a, w + rows[i].at_b);
}

// The judge's ratio for unilateral rows, on the packed rows; λ ≥ 0 already. NaN if any u is.
template <int W>
double FrictionlessSor::ratio(const std::vector<Row<W>>& rows, const Tolerance& t, const double* lambda) {
  recompute_velocity<W>(rows, lambda);
  const double* w = velocity_.data();
  double natural = 0.0, dual = 0.0, power = 0.0, size = 0.0, speed = 0.0, poison = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row<W>& row = rows[i];
    const double l = lambda[i];
    const double u = velocity_of<W>(row, w + row.at_a, w + row.at_b) + (R_ ? R_[i] * l : 0.0);
    poison += 0.0 * u;
    natural = std::max(natural, std::abs(l - positive(l - row.step / omega_ * u)));
    dual = std::max(dual, -u), power = std::max(power, std::abs(l * u));
    size = std::max(size, l), speed = std::max({speed, std::abs(u), std::abs(row.g)});
  }
  const double S_p = size / dt_;
  return std::max({over(natural / dt_, t.force + t.relative * S_p), over(dual, t.velocity + t.relative * speed),
                   over(power / dt_, t.power + t.relative * S_p * speed)}) +
         poison;
}

}  // namespace stiction
