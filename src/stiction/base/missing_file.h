// SPDX-License-Identifier: BSD-2-Clause
// A file that was named and is not there. Python: FileNotFoundError.
#pragma once

#include <stiction/base/invalid_input.h>

#include <string>

namespace stiction {

struct MissingFile : InvalidInput {
  using InvalidInput::InvalidInput;
};

// A file, or a link to one; false for names that no file can have (std::filesystem throws at those that are too long).
bool is_file(const std::string& path);

}  // namespace stiction
