// SPDX-License-Identifier: BSD-2-Clause
// Chunks: length, type, data, checksum (not looked at). Each row starts with the number of its filter: every byte is given as the
// difference to a guess from its neighbours (a: left, b: above, c: above left), 0: none, 1: a, 2: b, 3: (a + b)/2, 4: Paeth.
#include <stiction/base/invalid_input.h>
#include <stiction/model/files/inflate.h>
#include <stiction/model/files/png.h>

#include <cstdint>
#include <cstdlib>

namespace stiction {
namespace {

constexpr const char* kSignature = "\x89PNG\r\n\x1a\n";

std::size_t big_endian(const std::string& bytes, std::size_t at) {
  std::size_t x = 0;
  for (std::size_t i = 0; i < 4; ++i) x = x << 8 | static_cast<unsigned char>(bytes[at + i]);
  return x;
}

int paeth(int a, int b, int c) {
  const int p = a + b - c, pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

void undo_filter(int kind, std::size_t step, const std::string& above, std::string& row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto at = [&](const std::string& x, std::size_t back) {
      return i >= back ? static_cast<int>(static_cast<unsigned char>(x[i - back])) : 0;
    };
    const int a = at(row, step), b = at(above, 0), c = at(above, step);
    const int guess = kind == 1 ? a : kind == 2 ? b : kind == 3 ? (a + b) / 2 : kind == 4 ? paeth(a, b, c) : 0;
    row[i] = static_cast<char>(static_cast<unsigned char>(row[i]) + guess);
  }
}

}  // namespace

bool is_png(const std::string& bytes) { return bytes.starts_with(kSignature); }

Mat read_png_grey(const std::string& bytes, const std::string& file) {
  const auto refuse = [&file](const std::string& why) { return InvalidInput("image '" + file + "' " + why); };
  if (bytes.size() < 33) throw refuse("is cut off");
  const std::size_t cols = big_endian(bytes, 16), rows = big_endian(bytes, 20);
  const int depth = bytes[24], colour = bytes[25], interlaced = bytes[28];
  if ((depth != 8 && depth != 16) || (colour != 0 && colour != 2 && colour != 4 && colour != 6) || interlaced != 0)
    throw refuse("has a palette, is interlaced or has fewer than 8 bits per value; save it as plain grey PNG");
  if (cols < 2 || rows < 2 || static_cast<double>(cols) * static_cast<double>(rows) > kMostHeights)
    throw refuse("is " + std::to_string(cols) + " x " + std::to_string(rows) +
                 ", expected at least 2 x 2 and at most 2048 x 2048 pixels");
  const std::size_t channels = colour == 0 ? 1 : colour == 4 ? 2 : colour == 2 ? 3 : 4;
  const std::size_t step = channels * static_cast<std::size_t>(depth) / 8;
  std::string packed;
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t length = big_endian(bytes, at);
    if (length > bytes.size() - at - 12) throw refuse("is cut off");
    if (bytes.compare(at + 4, 4, "IDAT") == 0) packed += bytes.substr(at + 8, length);
    at += length + 12;
  }
  std::string raw;
  try {
    raw = inflate(packed, rows * (1 + cols * step));
  } catch (const InvalidInput& e) {
    throw refuse(std::string(": ") + e.what());
  }
  if (raw.size() != rows * (1 + cols * step)) throw refuse("is cut off");
  Mat out(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(cols));
  std::string above(cols * step, '\0');
  for (std::size_t i = 0; i < rows; ++i) {
    std::string row = raw.substr(i * (1 + cols * step) + 1, cols * step);
    if (raw[i * (1 + cols * step)] > 4) throw refuse("is damaged: a row has a filter that there is not");
    undo_filter(raw[i * (1 + cols * step)], step, above, row);
    for (std::size_t j = 0; j < cols; ++j) {
      const auto byte = [&](std::size_t k) {
        return static_cast<double>(static_cast<unsigned char>(row[j * step + k]));
      };
      out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = byte(0) + (depth == 16 ? byte(1) / 256.0 : 0.0);
    }
    above = std::move(row);
  }
  return out;
}

}  // namespace stiction
