// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace stiction {

// Decompresses a zlib stream (RFC 1950, RFC 1951) to at most `most` bytes. InvalidInput if it is damaged or longer.
std::string inflate(const std::string& stream, std::size_t most);

}  // namespace stiction
