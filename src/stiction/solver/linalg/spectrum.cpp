// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/dot.h>
#include <stiction/base/random.h>
#include <stiction/solver/linalg/spectrum.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kZero = 1e-10;  // eigenvalues below this share of the largest are round-off
constexpr double kSpent = 1e-8;  // β below this share of it: the range is used up

}  // namespace

bool Spectrum::start(const ContactProblem& p) {
  const int n = p.rows(), most = std::min(n, kSteps);
  basis_.resize(most * n), image_.resize(most * n), alpha_.resize(most), beta_.resize(most + 1), next_.resize(n);
  steps_ = 0;
  Random random(1);
  for (int r = 0; r < n; ++r) next_[r] = random.uniform(-1.0, 1.0);
  const bool moves = append(p, 0.0);
  beta_[0] = 0.0;
  return moves;
}

// Makes next_ the vector after the last one, unless its length β is not above `smallest`.
bool Spectrum::append(const ContactProblem& p, double smallest) {
  const int n = p.rows();
  double *q = basis_.data() + steps_ * n, *image = image_.data() + steps_ * n;
  p.multiply(next_.data(), image, scratch_);
  const double length = std::sqrt(std::max(0.0, dot(next_.data(), image, n)));
  beta_[steps_] = length;
  if (!(length > smallest) || !std::isfinite(length)) return false;
  for (int r = 0; r < n; ++r) q[r] = next_[r] / length, image[r] /= length;
  return true;
}

// One step of (1); false if nothing new is left.
bool Spectrum::extend(const ContactProblem& p) {
  const int n = p.rows(), k = steps_++;
  const double* image = image_.data() + k * n;
  double* w = next_.data();
  std::copy_n(image, n, w);
  alpha_[k] = dot(image, image, n);
  for (int pass = 0; pass < 2; ++pass)  // twice is enough
    for (int j = k; j >= 0; --j) {
      const double *q = basis_.data() + j * n, c = dot(image_.data() + j * n, w, n);
      for (int r = 0; r < n; ++r) w[r] -= c * q[r];
    }
  if (steps_ >= std::min(n, kSteps)) return false;
  return append(p, kSpent * *std::max_element(alpha_.data(), alpha_.data() + steps_));
}

// Eigenvalues of the tridiagonal matrix below x: negative pivots of T − xI.
int Spectrum::count_below(double x) const {
  int count = 0;
  double pivot = 1.0;
  for (int k = 0; k < steps_; ++k) {
    pivot = alpha_[k] - x - (k > 0 ? beta_[k] * beta_[k] / pivot : 0.0);
    if (pivot == 0.0) pivot = -1e-300;
    if (pivot < 0.0) ++count;
  }
  return count;
}

// The k-th smallest, counted from 0.
double Spectrum::eigenvalue(int k, double low, double high) const {
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (count_below(middle) > k ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

SpectrumEnds Spectrum::ends(const ContactProblem& p) {
  if (p.rows() == 0 || !start(p)) return {};
  while (extend(p)) {
  }
  double bound = 0.0;  // Gershgorin
  for (int k = 0; k < steps_; ++k) {
    const double right = k + 1 < steps_ ? beta_[k + 1] : 0.0;
    bound = std::max(bound, std::abs(alpha_[k]) + beta_[k] + right);
  }
  if (!(bound > 0.0) || !std::isfinite(bound)) return {};
  SpectrumEnds e;
  e.largest = eigenvalue(steps_ - 1, 0.0, bound);
  const int zeros = count_below(kZero * e.largest);
  e.smallest = zeros < steps_ ? eigenvalue(zeros, kZero * e.largest, bound) : e.largest;
  return e;
}

}  // namespace stiction
