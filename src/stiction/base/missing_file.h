// SPDX-License-Identifier: BSD-2-Clause
// A file that was named and is not there. Python: FileNotFoundError.
#pragma once

#include <stiction/base/invalid_input.h>

namespace stiction {

struct MissingFile : InvalidInput {
  using InvalidInput::InvalidInput;
};

}  // namespace stiction
