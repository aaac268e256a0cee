// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/missing_file.h>

#include <filesystem>

namespace stiction {

bool is_file(const std::string& path) {
  std::error_code ignored;
  return path.find('\0') == std::string::npos && std::filesystem::is_regular_file(path, ignored);
}

}  // namespace stiction
