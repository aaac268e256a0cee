// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/growing.h>
#include <stiction/base/pair.h>
#include <stiction/step/exponential/symmetric_modes.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

// (upper, lower) ← (c upper + s lower, c lower − s upper) for the 2 kPairs vectors whose rows follow each other.
template <int kPairs>
void rotate(double* upper, double c, double s) {
  double* lower = upper + 2 * kPairs;
  for (int k = 0; k < 2 * kPairs; k += 2) {
    const Pair x = load_pair(upper + k), y = load_pair(lower + k);
    store_pair(upper + k, both(c) * x + both(s) * y);
    store_pair(lower + k, both(c) * y - both(s) * x);
  }
}

// y ← (I − scale v vᵀ) y for 2 kPairs vectors and n rows
template <int kPairs>
void reflect(const double* v, double scale, int n, double* y) {
  Pair sum[kPairs] = {};
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < kPairs; ++k) sum[k] += both(v[i]) * load_pair(y + 2 * (i * kPairs + k));
  for (int k = 0; k < kPairs; ++k) sum[k] *= both(scale);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < kPairs; ++k) {
      double* at = y + 2 * (i * kPairs + k);
      store_pair(at, load_pair(at) - both(v[i]) * sum[k]);
    }
}

// v ← the vector that reflects v to (side, 0, …); gives 2/‖v‖², or 0 where there is nothing to do.
double make_reflection(double* v, int n, double& side) {
  double below = 0.0;
  for (int i = 1; i < n; ++i) below += v[i] * v[i];
  side = v[0];
  if (below == 0.0) return 0.0;
  side = -std::copysign(std::sqrt(v[0] * v[0] + below), v[0]);
  v[0] -= side;
  return 2.0 / (v[0] * v[0] + below);
}

// a ← (I − s v vᵀ) a (I − s v vᵀ) = a − v wᵀ − w vᵀ,  w = p − (s/2)(pᵀv) v,  p = s a v; both triangles
void reflect_both_sides(double* a, int stride, int n, const double* v, double scale, double* w) {
  std::fill(w, w + n, 0.0);
  for (int j = 0; j < n; ++j) {
    const double *column = a + j * stride, f = scale * v[j];
    for (int i = 0; i < n; ++i) w[i] += column[i] * f;
  }
  double along = 0.0;
  for (int i = 0; i < n; ++i) along += w[i] * v[i];
  for (int i = 0; i < n; ++i) w[i] -= 0.5 * scale * along * v[i];
  for (int j = 0; j < n; ++j) {
    double *column = a + j * stride, vj = v[j], wj = w[j];
    for (int i = 0; i < n; ++i) column[i] -= v[i] * wj + w[i] * vj;
  }
}

}  // namespace

void SymmetricModes::resize(int n) {
  n_ = n;
  const std::size_t size = n;
  for (std::vector<double>* x : {&diagonal_, &side_, &scale_, &work_})
    if (x->size() < size) x->resize(size);
  grow(reflections_, size * size);
  rotations_.reserve(2 * size * size + 8 * size);
  rotations_.clear();
}

void SymmetricModes::reduce(double* a, double* y) {
  for (int k = 0; k + 1 < n_; ++k) {
    const int below = n_ - 1 - k;
    double *v = a + k * n_ + k + 1, *corner = v + n_;
    const std::size_t at = k;
    diagonal_[at] = a[k * n_ + k];
    scale_[at] = make_reflection(v, below, side_[at]);
    if (scale_[at] == 0.0) continue;
    reflect_both_sides(corner, n_, below, v, scale_[at], work_.data());
    reflect<2>(v, scale_[at], below, y + 4 * (k + 1));
  }
  diagonal_[n_ - 1] = a[n_ * n_ - 1];
  std::copy(a, a + n_ * n_, reflections_.data());
}

// One QR step on the rows first … last of T, whose side entries there are not zero; y follows.
void SymmetricModes::step(int first, int last, double* y) {
  double *d = diagonal_.data(), *e = side_.data();
  const double half = 0.5 * (d[last - 1] - d[last]), end = e[last - 1];
  const double shift = d[last] - end * end / (half + std::copysign(std::sqrt(half * half + end * end), half));
  double x = d[first] - shift, z = e[first];
  for (int k = first; k < last; ++k) {
    const double length = std::sqrt(x * x + z * z);
    const double c = length > 0.0 ? x / length : 1.0, s = length > 0.0 ? z / length : 0.0;
    if (k > first) e[k - 1] = length;
    const double upper = d[k], lower = d[k + 1], side = e[k];
    const double turned = c * side + s * lower, moved = c * upper + s * side;
    d[k] = c * moved + s * turned;
    d[k + 1] = c * (c * lower - s * side) - s * (c * side - s * upper);
    e[k] = c * turned - s * moved;
    rotate<2>(y + 4 * k, c, s);
    rotations_.push_back({k, c, s});
    if (k + 1 == last) break;
    x = e[k];
    z = s * e[k + 1];
    e[k + 1] *= c;
  }
}

void SymmetricModes::isolate(double* y) {
  constexpr double kSmall = std::numeric_limits<double>::epsilon();
  double *d = diagonal_.data(), *e = side_.data();
  int last = n_ - 1;
  for (int steps = 0; steps < 30 * n_; ++steps) {
    for (int i = 0; i < last; ++i)
      if (std::abs(e[i]) <= kSmall * (std::abs(d[i]) + std::abs(d[i + 1]))) e[i] = 0.0;
    while (last > 0 && e[last - 1] == 0.0) --last;
    if (last <= 0) return;
    int first = last - 1;
    while (first > 0 && e[first - 1] != 0.0) --first;
    step(first, last, y);
  }
}

void SymmetricModes::enter(int n, double* a, double* y) {
  resize(n);
  if (n == 0) return;
  double largest = 0.0;
  for (int i = 0; i < n * n; ++i) largest = std::abs(a[i]) <= largest ? largest : std::abs(a[i]);  // NaN comes through
  if (!std::isfinite(largest)) {
    std::fill(diagonal_.begin(), diagonal_.end(), std::numeric_limits<double>::quiet_NaN());
    std::fill(scale_.begin(), scale_.end(), 0.0);
    return;
  }
  int exponent = 0;
  std::frexp(largest, &exponent);  // squares neither overflow nor vanish
  const double shrink = std::ldexp(1.0, -exponent);
  for (int i = 0; i < n * n; ++i) a[i] *= shrink;
  reduce(a, y);
  isolate(y);
  for (int i = 0; i < n; ++i) diagonal_[i] *= std::ldexp(1.0, exponent);
}

void SymmetricModes::leave(double* y) const {
  for (auto r = rotations_.rbegin(); r != rotations_.rend(); ++r) rotate<1>(y + 2 * r->row, r->c, -r->s);
  for (int k = n_ - 2; k >= 0; --k) {
    const double scale = scale_[k];
    if (scale != 0.0) reflect<1>(reflections_.data() + k * n_ + k + 1, scale, n_ - 1 - k, y + 2 * (k + 1));
  }
}

}  // namespace stiction
