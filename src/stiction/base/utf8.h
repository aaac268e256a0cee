// SPDX-License-Identifier: BSD-2-Clause
// Text that becomes Python's has to be UTF-8; bytes of files and messages of other libraries may be anything.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stiction {

// Length of the UTF-8 character at `i`, 0 if there is none: no overlong forms, no halves of surrogate pairs.
inline std::size_t utf8_length(std::string_view s, std::size_t i) {
  const auto byte = [&](std::size_t k) { return i + k < s.size() ? static_cast<unsigned char>(s[i + k]) : 0u; };
  const unsigned a = byte(0), b = byte(1);
  const auto tail = [&](std::size_t k) { return (byte(k) & 0xC0) == 0x80; };
  if (a < 0x80) return 1;
  if (a >= 0xC2 && a <= 0xDF && tail(1)) return 2;
  if (a >= 0xE0 && a <= 0xEF && tail(1) && tail(2)) return (a == 0xE0 && b < 0xA0) || (a == 0xED && b > 0x9F) ? 0 : 3;
  if (a >= 0xF0 && a <= 0xF4 && tail(1) && tail(2) && tail(3))
    return (a == 0xF0 && b < 0x90) || (a == 0xF4 && b > 0x8F) ? 0 : 4;
  return 0;
}

inline bool is_utf8(std::string_view s) {
  for (std::size_t i = 0, n = 0; i < s.size(); i += n)
    if (n = utf8_length(s, i); n == 0) return false;
  return true;
}

// Bytes that are not UTF-8 become question marks.
inline std::string to_utf8(std::string s) {
  for (std::size_t i = 0, n = 0; i < s.size(); i += n)
    if (n = utf8_length(s, i); n == 0) s[i] = '?', n = 1;
  return s;
}

}  // namespace stiction
