// SPDX-License-Identifier: BSD-2-Clause
// Bytes that are written once and read back bit for bit: saved states and saved worlds. Numbers are written as they lie in
// memory (little-endian machines). Reading past the end throws; a reader never trusts a count that the bytes cannot hold.
#pragma once

#include <stiction/base/hash.h>
#include <stiction/base/invalid_input.h>
#include <stiction/base/types.h>

#include <bit>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace stiction {

static_assert(std::endian::native == std::endian::little);

inline std::uint64_t hash_bytes(const std::byte* data, std::size_t n) {
  return Hash().add(std::string_view(reinterpret_cast<const char*>(data), n)).value();
}

class ByteWriter {
 public:
  template <class T>
  void put(const T& x) {
    raw(&x, sizeof x);
  }
  void put(const std::string& s) { array(s.data(), s.size(), 1); }
  void put(const Vec& x) { array(x.data(), x.size(), sizeof(double)); }
  template <class Record>
  void put(const std::vector<Record>& x) {
    static_assert(std::is_trivially_copyable_v<Record>);
    array(x.data(), x.size(), sizeof(Record));
  }
  void raw(const void* data, std::size_t n) {
    const auto* p = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), p, p + n);
  }
  std::vector<std::byte> bytes;

 private:
  void array(const void* data, std::size_t count, std::size_t size) {
    put(static_cast<std::uint64_t>(count));
    if (count > 0) raw(data, count * size);
  }
};

class ByteReader {
 public:
  // `what` and `advice` are the first and last words of the sentence about bytes that end too early.
  ByteReader(const std::vector<std::byte>& bytes, const char* what, const char* advice)
      : bytes_(bytes), what_(what), advice_(advice) {}
  template <class T>
  T get() {
    T x;
    raw(&x, sizeof x);
    return x;
  }
  std::string get_text() {
    const std::size_t n = count(1);
    return {reinterpret_cast<const char*>(take(n)), n};
  }
  void get(Vec& x) {
    const std::size_t n = count(sizeof(double));
    x.resize(static_cast<Eigen::Index>(n));
    raw(x.data(), n * sizeof(double));
  }
  template <class Record>
  void get(std::vector<Record>& x) {
    static_assert(std::is_trivially_copyable_v<Record>);
    x.resize(count(sizeof(Record)));
    raw(x.data(), x.size() * sizeof(Record));
  }
  void raw(void* to, std::size_t n) {
    const std::byte* from = take(n);
    if (n > 0) std::memcpy(to, from, n);
  }
  std::size_t count(std::size_t size) {  // of records that take at least `size` bytes each
    const auto n = get<std::uint64_t>();
    if (n > left() / size) too_short();
    return n;
  }
  std::size_t left() const { return bytes_.size() - at_; }
  std::uint64_t hash_of_rest() const { return hash_bytes(bytes_.data() + at_, left()); }

 private:
  const std::byte* take(std::size_t n) {
    if (n > left()) too_short();
    at_ += n;
    return bytes_.data() + (at_ - n);
  }
  [[noreturn]] void too_short() const {
    throw InvalidInput(std::string(what_) + " ends too early (" + std::to_string(bytes_.size()) + " bytes); " +
                       advice_);
  }
  const std::vector<std::byte>& bytes_;
  const char *what_, *advice_;
  std::size_t at_ = 0;
};

}  // namespace stiction
