// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/pivot/lemke_tableau.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kPivot = 1e-10;  // column entries below it are round-off
constexpr double kTie = 1e-11;    // ratios closer than this, relative to max(1, |ratio|), are equal

}  // namespace

LemkeTableau::State LemkeTableau::start(const double* M, const double* q, int n, double tilt) {
  n_ = n, stride_ = n + 2, pivots_ = 0;
  const auto size = n;
  table_.resize(size * stride_);
  place_.resize(2 * size + 1), basic_.resize(size), nonbasic_.resize(size + 1), tied_.reserve(size);
  double largest = 0.0, smallest = 0.0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(q[i])), smallest = std::min(smallest, q[i]);
  scale_ = largest > 0.0 ? largest : 1.0;
  for (int i = 0; i < n; ++i) {
    const double* row = M + static_cast<std::ptrdiff_t>(i) * n;
    for (int j = 0; j < n; ++j) at(i, j) = -row[j];
    at(i, n) = -1.0 - (tilt != 0.0 ? tilt * std::fmod(0.6180339887498949 * (i + 1), 1.0) : 0.0);
    at(i, n + 1) = q[i] / scale_;
    basic_[i] = i, place_[i] = i;
  }
  for (int j = 0; j <= n; ++j) nonbasic_[j] = n + j, place_[n + j] = -1 - j;
  entering_ = 2 * n;
  return smallest < 0.0 ? State::running : State::solved;
}

// Smallest right-hand side over the covering vector; any of the tied rows will do, because the lexicographic order starts from the basis after it.
int LemkeTableau::first_row() const {
  int best = 0;
  for (int i = 1; i < n_; ++i)
    if (at(i, n_ + 1) / -at(i, n_) < at(best, n_ + 1) / -at(best, n_)) best = i;
  return best;
}

double LemkeTableau::w_column(int row, int k) const {
  const int place = place_[k];
  return place >= 0 ? (place == row ? 1.0 : 0.0) : at(row, -1 - place);
}

// Of the tied rows, those with the smallest entry of the column of w_k (k < 0: the right-hand side) over the entering one.
void LemkeTableau::keep_smallest(int column, int k) {
  const auto ratio = [&](int i) {
    const double top = k < 0 ? std::max(at(i, n_ + 1), 0.0) : w_column(i, k);
    return top / at(i, column);
  };
  double least = std::numeric_limits<double>::infinity();
  for (const int i : tied_) least = std::min(least, ratio(i));
  const double bound = least + kTie * std::max(1.0, std::abs(least));
  tied_.erase(std::remove_if(tied_.begin(), tied_.end(), [&](int i) { return !(ratio(i) <= bound); }), tied_.end());
}

// −1 on a ray.
int LemkeTableau::leaving_row(int column) {
  tied_.clear();
  for (int i = 0; i < n_; ++i)
    if (at(i, column) > kPivot) tied_.push_back(i);
  if (tied_.empty()) return -1;
  keep_smallest(column, -1);
  for (const int i : tied_)
    if (basic_[i] == 2 * n_) return i;
  for (int k = 0; k < n_ && tied_.size() > 1; ++k)
    if (k != first_) keep_smallest(column, k);
  return tied_.empty() ? -1 : tied_.front();
}

// The entering variable of `column` becomes basic in `row`; the one that leaves takes its column.
void LemkeTableau::exchange(int row, int column) {
  double* pivot_row = table_.data() + static_cast<std::ptrdiff_t>(row) * stride_;
  const double inverse = 1.0 / pivot_row[column];
  for (int j = 0; j < stride_; ++j) pivot_row[j] *= inverse;
  pivot_row[column] = inverse;
  for (int i = 0; i < n_; ++i) {
    if (i == row) continue;
    double* other = table_.data() + static_cast<std::ptrdiff_t>(i) * stride_;
    const double factor = other[column];
    if (factor == 0.0) continue;
    other[column] = 0.0;
    for (int j = 0; j < stride_; ++j) other[j] -= factor * pivot_row[j];
  }
  int &in = nonbasic_[column], &out = basic_[row];
  std::swap(in, out);
  place_[out] = row;
  place_[in] = -1 - column;
}

LemkeTableau::State LemkeTableau::pivot() {
  const int column = -1 - place_[entering_];
  const int row = pivots_ == 0 ? first_row() : leaving_row(column);
  if (pivots_ == 0) first_ = row;
  if (row < 0) return State::ray;
  const int leaving = basic_[row];
  exchange(row, column);
  ++pivots_;
  if (leaving == 2 * n_) return State::solved;
  entering_ = complement(leaving);
  return State::running;
}

LemkeTableau::State LemkeTableau::solve(const double* M, const double* q, int n, int max_pivots) {
  State state = start(M, q, n);
  while (state == State::running && pivots_ < max_pivots) state = pivot();
  return state;
}

void LemkeTableau::read_solution(double* z) const {
  for (int i = 0; i < n_; ++i) {
    const int row = place_[n_ + i];
    z[i] = row >= 0 ? std::max(scale_ * at(row, n_ + 1), 0.0) : 0.0;
  }
}

}  // namespace stiction
