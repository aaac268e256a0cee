// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/local/bracketed_root.h>
#include <stiction/solver/local/local_patch.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kNothing = 1e-12;  // an eigenvalue below this share of the rows that it belongs to counts as zero
constexpr double kInRange = 1e-9;   // c within this share of its terms lies in the range of S
constexpr int kJacobiSweeps = 30;
constexpr int kRootSteps = 200;
constexpr double kRound = 1e-15;  // relative step of ℓ at which a root is found

// Jacobi's rotations: S = Q diag(s) Qᵀ. They keep small eigenvalues of graded matrices accurate.
template <int N>
void diagonalise(int n, double (&a)[N][N], double (&q)[N][N]) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) q[i][j] = i == j ? 1.0 : 0.0;
  for (int sweep = 0; sweep < kJacobiSweeps; ++sweep) {
    bool turned = false;
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        if (!(std::abs(a[i][j]) > 1e-17 * std::sqrt(std::abs(a[i][i] * a[j][j])))) continue;
        turned = true;
        const double theta = (a[j][j] - a[i][i]) / (2.0 * a[i][j]);
        const double t = (theta >= 0.0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(1.0 + theta * theta));
        const double c = 1.0 / std::sqrt(1.0 + t * t), s = t * c;
        for (int k = 0; k < n; ++k) {
          const double x = a[k][i], y = a[k][j];
          a[k][i] = c * x - s * y, a[k][j] = s * x + c * y;
        }
        for (int k = 0; k < n; ++k) {
          const double x = a[i][k], y = a[j][k];
          a[i][k] = c * x - s * y, a[j][k] = s * x + c * y;
        }
        a[i][j] = a[j][i] = 0.0;
        for (int k = 0; k < n; ++k) {
          const double x = q[k][i], y = q[k][j];
          q[k][i] = c * x - s * y, q[k][j] = s * x + c * y;
        }
      }
    if (!turned) return;
  }
}

double length_of(const double* x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; ++i) s += x[i] * x[i];
  return std::sqrt(s);
}

}  // namespace

void LocalPatch::prepare(int size, const double* w, double mu, bool convex) {
  const int n = tangents_ = size - 1;
  convex_ = convex, mu_ = mu, w_nn_ = w[n * size + n];
  double s[kTangents][kTangents], noise[kTangents];
  for (int i = 0; i < n; ++i) tn_[i] = 0.5 * (w[i * size + n] + w[n * size + i]);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      s[i][j] = 0.5 * (w[i * size + j] + w[j * size + i]);
      if (!convex && w_nn_ > 0.0) s[i][j] -= tn_[i] * tn_[j] / w_nn_;
    }
  for (int i = 0; i < n; ++i) noise[i] = kNothing * w[i * size + i];
  diagonalise(n, s, vectors_);
  for (int i = 0; i < n; ++i) {
    double own = 0.0, turned = 0.0;
    for (int k = 0; k < n; ++k) own += vectors_[k][i] * vectors_[k][i] * noise[k], turned += vectors_[k][i] * tn_[k];
    singular_[i] = !(s[i][i] > own);
    values_[i] = singular_[i] ? 0.0 : s[i][i];
    turned_[i] = turned;
  }
}

ContactMode LocalPatch::solve(const double* b, double* r) const {
  return convex_ ? solve_convex(b, r) : solve_coulomb(b, r);
}

// e = Qᵀc; false if c has a part along a null direction of S. `size` are the magnitudes of the terms that c is a sum of.
bool LocalPatch::in_range(const double* c, const double* size, double* e) const {
  bool all = true;
  for (int i = 0; i < tangents_; ++i) {
    double sum = 0.0, terms = 0.0;
    for (int k = 0; k < tangents_; ++k) sum += vectors_[k][i] * c[k], terms += std::abs(vectors_[k][i]) * size[k];
    e[i] = sum;
    if (!singular_[i]) continue;
    if (std::abs(sum) <= kInRange * terms)
      e[i] = 0.0;
    else
      all = false;
  }
  return all;
}

double LocalPatch::slip(const double* e, double b_n) const {
  const int n = tangents_;
  double trace = 0.0, size = 0.0;
  for (int i = 0; i < n; ++i) trace = std::max(trace, values_[i]), size += e[i] * e[i];
  const double scale = trace > 0.0 ? trace : w_nn_;
  const double guess = std::sqrt(size) / (mu_ * -b_n / w_nn_);  // as if nothing but ℓ resisted
  return bracketed_root(guess, scale, kRound, [&](double l, double& sign) {
    double y2 = 0.0, along = 0.0, y_dy = 0.0, along_dy = 0.0;
    for (int i = 0; i < n; ++i) {
      const double y = e[i] / (values_[i] + l), dy = -y / (values_[i] + l);
      y2 += y * y, y_dy += y * dy, along += turned_[i] * y, along_dy += turned_[i] * dy;
    }
    const double radius = mu_ * -(b_n + along) / w_nn_, slope = -mu_ * along_dy / w_nn_, norm = std::sqrt(y2);
    sign = radius - norm;
    return -sign * y2 / (slope * y2 - radius * y_dy);  // (1 − h)/h' with h = radius/norm
  });
}

ContactMode LocalPatch::solve_coulomb(const double* b, double* r) const {
  const int n = tangents_;
  std::fill_n(r, n + 1, 0.0);
  if (b[n] >= 0.0) return ContactMode::open;
  if (!(w_nn_ > 0.0)) return ContactMode::failed;
  double c[kTangents] = {}, size[kTangents] = {}, e[kTangents], y[kTangents];
  for (int k = 0; k < n; ++k) {
    const double pressed = tn_[k] * b[n] / w_nn_;
    c[k] = pressed - b[k], size[k] = std::abs(pressed) + std::abs(b[k]);
  }
  const bool held = in_range(c, size, e);
  const auto turn_back = [&] {
    for (int k = 0; k < n; ++k) {
      r[k] = 0.0;
      for (int i = 0; i < n; ++i) r[k] += vectors_[k][i] * y[i];
    }
  };
  if (held) {
    double along = 0.0;
    for (int i = 0; i < n; ++i) y[i] = singular_[i] ? 0.0 : e[i] / values_[i], along += turned_[i] * y[i];
    const double normal = -(b[n] + along) / w_nn_;
    if (normal >= 0.0 && length_of(y, n) <= mu_ * normal) {
      turn_back();
      r[n] = normal;
      return ContactMode::stick;
    }
  }
  const double l = slip(e, b[n]);
  for (int i = 0; i < n; ++i) y[i] = e[i] / (values_[i] + l);
  turn_back();
  const double norm = length_of(r, n), scale = norm > 0.0 ? mu_ / norm : 0.0;
  double denominator = w_nn_;
  for (int k = 0; k < n; ++k) r[k] *= scale, denominator += tn_[k] * r[k];
  r[n] = -b[n] / denominator;
  for (int k = 0; k < n; ++k) r[k] *= r[n];
  if (denominator > 0.0 && std::isfinite(r[n])) return ContactMode::slip;
  std::fill_n(r, n + 1, 0.0);
  return ContactMode::failed;
}

double LocalPatch::tangent(const double* b, double z, double* y) const {
  const int n = tangents_;
  double c[kTangents] = {}, size[kTangents] = {}, e[kTangents];
  for (int k = 0; k < n; ++k) {
    const double pressed = tn_[k] * z;
    c[k] = -(b[k] + pressed), size[k] = std::abs(b[k]) + std::abs(pressed);
  }
  const bool held = in_range(c, size, e);
  const double radius = mu_ * z;
  double l = 0.0, along = 0.0;
  for (int i = 0; i < n; ++i) y[i] = singular_[i] ? 0.0 : e[i] / values_[i];
  if (!held || !(length_of(y, n) <= radius)) {
    const double full = length_of(e, n);
    double largest = 0.0;
    for (int i = 0; i < n; ++i) largest = std::max(largest, values_[i]);
    if (!(radius > 0.0)) {  // at the tip: u_T = −c
      std::fill_n(y, n, 0.0);
      return w_nn_ * z + b[n] - mu_ * full;
    }
    l = bracketed_root(full / radius, largest > 0.0 ? largest : full / radius, kRound, [&](double at, double& sign) {
      double y2 = 0.0, y_dy = 0.0;
      for (int i = 0; i < n; ++i) {
        const double x = e[i] / (values_[i] + at);
        y2 += x * x, y_dy -= x * x / (values_[i] + at);
      }
      const double norm = std::sqrt(y2);
      sign = radius - norm;
      return -sign * y2 / (-radius * y_dy);
    });
    for (int i = 0; i < n; ++i) y[i] = e[i] / (values_[i] + l);
    const double norm = length_of(y, n);
    for (int i = 0; i < n && norm > 0.0; ++i) y[i] *= radius / norm;
  }
  for (int i = 0; i < n; ++i) along += turned_[i] * y[i];
  return w_nn_ * z + b[n] + along - mu_ * (l * length_of(y, n));
}

ContactMode LocalPatch::solve_convex(const double* b, double* r) const {
  const int n = tangents_;
  std::fill_n(r, n + 1, 0.0);
  if (b[n] >= mu_ * length_of(b, n)) return ContactMode::open;
  if (!(w_nn_ > 0.0)) return ContactMode::failed;
  double y[kTangents], low = 0.0, high = (length_of(b, n) * mu_ + std::abs(b[n])) / w_nn_;
  double at_low = tangent(b, 0.0, y), at_high = tangent(b, high, y);
  for (int k = 0; !(at_high >= 0.0); ++k, high *= 2.0, at_high = tangent(b, high, y)) {
    if (k > 100 || !std::isfinite(at_high)) return ContactMode::failed;
    low = high, at_low = at_high;
  }
  // Illinois' rule: regula falsi that halves the value of an end that stays.
  double z = high;
  for (int k = 0, side = 0; k < kRootSteps && high - low > 2e-16 * high; ++k) {
    z = k % 8 == 7 ? 0.5 * (low + high) : low + (high - low) * (-at_low / (at_high - at_low));
    if (!(z > low && z < high)) z = 0.5 * (low + high);
    const double slope = tangent(b, z, y);
    if (slope == 0.0 || z == low || z == high) break;
    if (slope < 0.0) {
      low = z, at_low = slope;
      if (side == -1) at_high *= 0.5;
      side = -1;
    } else {
      high = z, at_high = slope;
      if (side == 1) at_low *= 0.5;
      side = 1;
    }
  }
  tangent(b, z, y);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) r[k] += vectors_[k][i] * y[i];
  r[n] = z;
  return length_of(r, n) < mu_ * z ? ContactMode::stick : ContactMode::slip;
}

}  // namespace stiction
