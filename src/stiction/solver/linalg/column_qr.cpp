// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/growing.h>
#include <stiction/base/types.h>
#include <stiction/solver/linalg/column_qr.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

using Column = Eigen::Map<Vec>;
using ConstColumn = Eigen::Map<const Vec>;

}  // namespace

void ColumnQr::reset(int rows) { rows_ = rows, columns_ = 0; }

bool ColumnQr::add(const double* a, double cut) {
  if (columns_ == rows_) return false;
  const auto needed = (columns_ + 1) * rows_;
  grow(q_, needed);
  grow(r_, needed);
  Column fresh(q(columns_), rows_), top(r(columns_), rows_);
  fresh = ConstColumn(a, rows_);
  top.setZero();
  const double length = fresh.norm();
  for (int pass = 0; pass < 2; ++pass)
    for (int j = 0; j < columns_; ++j) {
      const ConstColumn old(q(j), rows_);
      const double overlap = old.dot(fresh);
      fresh -= overlap * old;
      top[j] += overlap;
    }
  const double rest = fresh.norm();
  if (!(rest > cut * length)) return false;
  fresh /= rest;
  top[columns_++] = rest;
  return true;
}

void ColumnQr::remove(int k) {
  --columns_;
  for (int j = k; j < columns_; ++j) std::copy_n(r(j + 1), j + 2, r(j));
  for (int j = k; j < columns_; ++j) {
    const double a = r(j)[j], b = r(j)[j + 1], length = std::hypot(a, b);
    const double c = length > 0.0 ? a / length : 1.0, s = length > 0.0 ? b / length : 0.0;
    for (int i = j; i < columns_; ++i) {
      const double upper = r(i)[j], lower = r(i)[j + 1];
      r(i)[j] = c * upper + s * lower, r(i)[j + 1] = c * lower - s * upper;
    }
    double *left = q(j), *right = q(j + 1);
    for (int i = 0; i < rows_; ++i) {
      const double x = left[i], y = right[i];
      left[i] = c * x + s * y, right[i] = c * y - s * x;
    }
  }
}

void ColumnQr::solve(const double* b, double* z, double* out) const {
  Column rest(out, rows_);
  rest = ConstColumn(b, rows_);
  std::fill_n(z, columns_, 0.0);
  for (int pass = 0; pass < 2; ++pass)
    for (int j = 0; j < columns_; ++j) {
      const ConstColumn direction(q(j), rows_);
      const double part = direction.dot(rest);
      rest -= part * direction;
      z[j] += part;
    }
  for (int j = columns_ - 1; j >= 0; --j) {
    z[j] /= r(j)[j];
    for (int i = 0; i < j; ++i) z[i] -= z[j] * r(j)[i];
  }
}

}  // namespace stiction
