// SPDX-License-Identifier: BSD-2-Clause
// A 64-bit hash of bits: h ← rot(h ⊕ word)·p, finished by an avalanche. Fast and stable across runs of one machine
// type; not cryptographic. Doubles are hashed by their bits, so −0 and 0 differ.
#pragma once

#include <stiction/base/types.h>

#include <bit>
#include <cstring>
#include <string>
#include <vector>

namespace stiction {

class Hasher {
 public:
  void add(std::uint64_t word) { h_ = std::rotl(h_ ^ word, 27) * 0x9e3779b97f4a7c15ULL; }
  void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
  void add(int x) { add(static_cast<std::uint64_t>(static_cast<std::int64_t>(x))); }
  void add(bool x) { add(static_cast<std::uint64_t>(x)); }
  void add(const std::string& s) { bytes(s.data(), s.size()); }
  template <class Derived>
  void add(const Eigen::MatrixBase<Derived>& m) {
    add(static_cast<std::uint64_t>(m.size()));
    for (Eigen::Index j = 0; j < m.cols(); ++j)
      for (Eigen::Index i = 0; i < m.rows(); ++i) add(static_cast<double>(m(i, j)));
  }
  void add(const Pose& p) {
    add(p.rotation);
    add(p.translation);
  }

  void bytes(const void* data, std::size_t n) {
    add(static_cast<std::uint64_t>(n));
    const auto* p = static_cast<const unsigned char*>(data);
    for (; n >= 8; n -= 8, p += 8) {
      std::uint64_t word;
      std::memcpy(&word, p, 8);
      add(word);
    }
    std::uint64_t tail = 0;
    if (n > 0) std::memcpy(&tail, p, n);
    add(tail);
  }

  std::uint64_t value() const {
    std::uint64_t h = h_;
    h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93ULL;
    h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93ULL;
    return h ^ (h >> 32);
  }

 private:
  std::uint64_t h_ = 0x243f6a8885a308d3ULL;
};

}  // namespace stiction
