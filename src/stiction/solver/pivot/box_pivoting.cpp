// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/pivot/box_pivoting.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr int kEventsPerIndex = 50;
constexpr double kFlat = 1e-15;       // of A_ii: smallest pivot of the factor
constexpr double kViolation = 1e-13;  // of the largest |x| or |b|: sets are kept below it

}  // namespace

// y ← (L Lᵀ)⁻¹ y, in the order of the factor.
void BoxPivoting::solve_factor(double* y) const {
  const int m = static_cast<int>(inside_.size());
  for (int i = 0; i < m; ++i) {
    const double* l = row(i);
    double s = y[i];
    for (int j = 0; j < i; ++j) s -= l[j] * y[j];
    y[i] = s / l[i];
  }
  for (int i = m - 1; i >= 0; --i) {
    const double* l = row(i);
    const double v = y[i] /= l[i];
    for (int j = 0; j < i; ++j) y[j] -= l[j] * v;
  }
}

// A new last row of L.
void BoxPivoting::join(const BoxLcp& lcp, int i) {
  const int m = static_cast<int>(inside_.size());
  const double* a = lcp.A + static_cast<std::ptrdiff_t>(i) * n_;
  double *l = row(m), d = a[i];
  for (int k = 0; k < m; ++k) {
    const double* other = row(k);
    double s = a[inside_[k]];
    for (int j = 0; j < k; ++j) s -= l[j] * other[j];
    l[k] = s / other[k];
    d -= l[k] * l[k];
  }
  l[m] = std::sqrt(std::max(d, kFlat * std::max(a[i], std::numeric_limits<double>::min())));
  inside_.push_back(i);
  place_[i] = Place::inside;
  ++changes_;
}

// Row k goes; rotations of columns make the rows after it triangular again.
void BoxPivoting::leave(int i) {
  const int m = static_cast<int>(inside_.size());
  const int k = static_cast<int>(std::find(inside_.begin(), inside_.end(), i) - inside_.begin());
  for (int r = k; r + 1 < m; ++r) {
    std::copy_n(row(r + 1), r + 2, row(r));
    inside_[r] = inside_[r + 1];
  }
  inside_.pop_back();
  for (int c = k; c + 1 < m; ++c) {
    const double a = row(c)[c], b = row(c)[c + 1], length = std::hypot(a, b), cosine = a / length, sine = b / length;
    for (int r = c; r + 1 < m; ++r) {
      double* l = row(r);
      const double x = l[c], y = l[c + 1];
      l[c] = cosine * x + sine * y, l[c + 1] = cosine * y - sine * x;
    }
    row(c)[c] = length;
  }
  ++changes_;
}

// (2): Δx_C, and Δw of the indices at bounds and of i.
void BoxPivoting::find_direction(const BoxLcp& lcp, int i, double d) {
  const int m = static_cast<int>(inside_.size());
  const double* a = lcp.A + static_cast<std::ptrdiff_t>(i) * n_;
  for (int k = 0; k < m; ++k) dx_[k] = -d * a[inside_[k]];
  solve_factor(dx_.data());
  for (int j = 0; j < n_; ++j) {
    if (j != i && place_[j] != Place::lower && place_[j] != Place::upper) continue;
    const double* r = lcp.A + static_cast<std::ptrdiff_t>(j) * n_;
    double s = d * r[i];
    for (int k = 0; k < m; ++k) s += r[inside_[k]] * dx_[k];
    dw_[j] = s;
  }
}

BoxPivoting::Event BoxPivoting::next_event(const BoxLcp& lcp, int i, double d) const {
  Event first{d > 0.0 ? lcp.hi[i] - x_[i] : x_[i] - lcp.lo[i], i, true};
  const auto offer = [&](double step, int j, bool at_bound) {
    if (step < first.step) first = {std::max(step, 0.0), j, at_bound};
  };
  if (d * dw_[i] > 0.0) offer(-w_[i] / dw_[i], i, false);
  for (std::size_t k = 0; k < inside_.size(); ++k) {
    const int j = inside_[k];
    const double v = dx_[static_cast<int>(k)];
    if (v != 0.0) offer(((v > 0.0 ? lcp.hi[j] : lcp.lo[j]) - x_[j]) / v, j, true);
  }
  for (int j = 0; j < n_; ++j) {
    if (lcp.lo[j] == lcp.hi[j] || j == i) continue;
    if ((place_[j] == Place::lower && dw_[j] < 0.0) || (place_[j] == Place::upper && dw_[j] > 0.0))
      offer(-w_[j] / dw_[j], j, false);
  }
  return first;
}

// To the event, and what it does.
void BoxPivoting::move(const BoxLcp& lcp, int i, double d, const Event& event) {
  const double s = event.step;
  x_[i] += s * d;
  for (std::size_t k = 0; k < inside_.size(); ++k) x_[inside_[k]] += s * dx_[static_cast<int>(k)];
  for (int j = 0; j < n_; ++j)
    if (j == i || place_[j] == Place::lower || place_[j] == Place::upper) w_[j] += s * dw_[j];
  const int j = event.index;
  if (!event.at_bound) {
    w_[j] = 0.0;
    return join(lcp, j);
  }
  double v = d;
  if (j != i) {
    v = dx_[static_cast<int>(std::find(inside_.begin(), inside_.end(), j) - inside_.begin())];
    w_[j] = 0.0;
    leave(j);
  }
  x_[j] = v > 0.0 ? lcp.hi[j] : lcp.lo[j];
  place_[j] = v > 0.0 ? Place::upper : Place::lower;
}

bool BoxPivoting::place(const BoxLcp& lcp, int i, int& budget) {
  const double* a = lcp.A + static_cast<std::ptrdiff_t>(i) * n_;
  w_[i] = lcp.b[i];
  for (int j = 0; j < n_; ++j) w_[i] += a[j] * x_[j];
  while (place_[i] == Place::open) {
    if (x_[i] <= lcp.lo[i] && (w_[i] >= 0.0 || lcp.lo[i] == lcp.hi[i])) {
      place_[i] = Place::lower;
    } else if (x_[i] >= lcp.hi[i] && w_[i] <= 0.0) {
      place_[i] = Place::upper;
    } else if (w_[i] == 0.0) {
      join(lcp, i);
    } else {
      if (--budget < 0) return false;
      const double d = w_[i] < 0.0 ? 1.0 : -1.0;
      find_direction(lcp, i, d);
      const Event event = next_event(lcp, i, d);
      if (!std::isfinite(event.step)) return false;
      move(lcp, i, d, event);
    }
  }
  return true;
}

bool BoxPivoting::solve(const BoxLcp& lcp, const int* order) {
  n_ = lcp.n;
  factor_.resize(n_ * n_), place_.assign(n_, Place::open), inside_.clear(), inside_.reserve(n_);
  x_.resize(n_), w_.assign(n_, 0.0), dx_.resize(n_), dw_.resize(n_);
  for (int i = 0; i < n_; ++i) x_[i] = std::clamp(0.0, lcp.lo[i], lcp.hi[i]);
  int budget = kEventsPerIndex * (n_ + 1);
  for (int k = 0; k < n_; ++k)
    if (!place(lcp, order[k], budget)) return false;
  return resolve(lcp), true;
}

bool BoxPivoting::resolve(const BoxLcp& lcp) {
  double x_scale = 0.0, b_scale = 0.0;
  for (int i = 0; i < n_; ++i) {
    if (place_[i] == Place::open) return false;
    if (place_[i] == Place::lower) x_[i] = lcp.lo[i];
    if (place_[i] == Place::upper) x_[i] = lcp.hi[i];
    b_scale = std::max(b_scale, std::abs(lcp.b[i]));
  }
  for (std::size_t k = 0; k < inside_.size(); ++k) {
    const double* a = lcp.A + static_cast<std::ptrdiff_t>(inside_[k]) * n_;
    double s = lcp.b[inside_[k]];
    for (int j = 0; j < n_; ++j)
      if (place_[j] != Place::inside) s += a[j] * x_[j];
    dx_[static_cast<int>(k)] = -s;
  }
  solve_factor(dx_.data());
  for (std::size_t k = 0; k < inside_.size(); ++k) x_[inside_[k]] = dx_[static_cast<int>(k)];
  for (int i = 0; i < n_; ++i) x_scale = std::max(x_scale, std::abs(x_[i]));
  bool valid = true;
  for (int i = 0; i < n_; ++i) {
    if (place_[i] == Place::inside) {
      valid = valid && x_[i] >= lcp.lo[i] - kViolation * x_scale && x_[i] <= lcp.hi[i] + kViolation * x_scale;
      x_[i] = std::clamp(x_[i], lcp.lo[i], lcp.hi[i]);
      continue;
    }
    if (lcp.lo[i] == lcp.hi[i]) continue;
    const double* a = lcp.A + static_cast<std::ptrdiff_t>(i) * n_;
    double w = lcp.b[i];
    for (int j = 0; j < n_; ++j) w += a[j] * x_[j];
    valid = valid && (place_[i] == Place::lower ? w >= -kViolation * b_scale : w <= kViolation * b_scale);
  }
  return valid;
}

}  // namespace stiction
