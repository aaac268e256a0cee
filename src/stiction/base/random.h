// SPDX-License-Identifier: BSD-2-Clause
// Random numbers that are the same on every machine (std::uniform_real_distribution is not): xoshiro256++ seeded by
// splitmix64. References: Blackman, Vigna, Scrambled Linear Pseudorandom Number Generators (2021); Steele, Lea, Flood (2014).
#pragma once

#include <stiction/base/types.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace stiction {

class Random {
 public:
  explicit Random(std::uint64_t seed = 0) {
    for (std::uint64_t& word : state_) word = splitmix(seed);
  }

  std::uint64_t bits() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0], state_[3] ^= state_[1], state_[1] ^= state_[2], state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }             // [0, 1)
  double uniform(double lo, double hi) { return lo + (hi - lo) * uniform(); }            // [lo, hi)
  int index(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }  // 0 … n−1
  double normal() {                                                                      // Box-Muller
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }
  Vec uniform_vector(int n, double lo, double hi) {
    Vec x(n);
    for (int i = 0; i < n; ++i) x[i] = uniform(lo, hi);
    return x;
  }
  Mat uniform_matrix(int rows, int cols, double lo, double hi) {  // filled row by row
    Mat x(rows, cols);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) x(i, j) = uniform(lo, hi);
    return x;
  }

  // The next number of a sequence that one word describes.
  static std::uint64_t splitmix(std::uint64_t& seed) {
    std::uint64_t z = (seed += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_[4];
};

}  // namespace stiction
