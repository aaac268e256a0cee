// SPDX-License-Identifier: BSD-2-Clause
// A 64-bit hash of bytes, the same on every machine and in every run: fingerprints of states and worlds, bit-exactness.
// FNV-1a over 8-byte words (Fowler, Noll, Vo) followed by the finaliser of splitmix64. Not for security.
// Doubles are hashed by their bits: −0.0 differs from 0.0, and a NaN from another NaN. That is the point.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace stiction {

class Hash {
 public:
  Hash& add_word(std::uint64_t word) {
    state_ = (state_ ^ word) * kPrime;
    state_ ^= state_ >> 32;  // FNV alone never carries high bits down
    return *this;
  }
  Hash& add(double x) { return add_word(std::bit_cast<std::uint64_t>(x)); }
  Hash& add(std::integral auto x) { return add_word(static_cast<std::uint64_t>(x)); }
  Hash& add(const double* x, std::size_t n) {
    add(n);
    for (std::size_t i = 0; i < n; ++i) add(x[i]);
    return *this;
  }
  Hash& add(const int* x, std::size_t n) {
    add(n);
    for (std::size_t i = 0; i < n; ++i) add(x[i]);
    return *this;
  }
  // Bytes in little-endian words; the length is part of the hash, so that ("ab", "c") differs from ("a", "bc").
  Hash& add(std::string_view text) {
    add(text.size());
    for (std::size_t i = 0; i < text.size(); i += 8) {
      std::uint64_t word = 0;
      for (std::size_t k = 0; k < 8 && i + k < text.size(); ++k)
        word |= std::uint64_t{static_cast<unsigned char>(text[i + k])} << (8 * k);
      add_word(word);
    }
    return *this;
  }

  std::uint64_t value() const {
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

 private:
  static constexpr std::uint64_t kPrime = 0x100000001b3ULL;
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

}  // namespace stiction
