// SPDX-License-Identifier: BSD-2-Clause
// A vector whose storage only grows: resizing within the largest size ever seen allocates nothing (Eigen's resize would).
#pragma once

#include <stiction/base/types.h>

#include <cstddef>
#include <iterator>
#include <vector>

namespace stiction {

// Scratch memory that only grows: at least n entries from now on.
template <class Vector>
void grow(Vector& x, std::ptrdiff_t n) {
  if (std::ssize(x) < n) x.resize(n);
}

class GrowingVec {
 public:
  GrowingVec() = default;
  GrowingVec(const VecRef& x) : store_(x.data(), x.data() + x.size()) {}

  void resize(int n) { store_.resize(n); }
  void assign(int n, double value) { store_.assign(n, value); }
  void reserve(int n) { store_.reserve(n); }
  void push_back(double x) { store_.push_back(x); }
  void clear() { store_.clear(); }
  int size() const { return static_cast<int>(store_.size()); }
  double* data() { return store_.data(); }
  const double* data() const { return store_.data(); }
  double& operator[](int i) { return store_[i]; }
  double operator[](int i) const { return store_[i]; }
  Eigen::Map<Vec> vec() { return {store_.data(), size()}; }
  Eigen::Map<const Vec> vec() const { return {store_.data(), size()}; }

 private:
  std::vector<double> store_;
};

}  // namespace stiction
