// SPDX-License-Identifier: BSD-2-Clause
// PNG images as grey values, for height fields.
#pragma once

#include <stiction/base/types.h>

#include <string>

namespace stiction {

// Of a height field in a file: more take more than a gigabyte, whatever few bytes they are packed into.
inline constexpr double kMostHeights = 2048.0 * 2048.0;

bool is_png(const std::string& bytes);
// Rows from the top; the first channel, from 0 to 255 (16 bit: with fractions). Palettes and interlacing are refused.
Mat read_png_grey(const std::string& bytes, const std::string& file);

}  // namespace stiction
