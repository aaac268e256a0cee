// SPDX-License-Identifier: BSD-2-Clause
// What a contact does.
#pragma once

#include <cstdint>

namespace stiction {

enum class ContactMode : std::uint8_t {
  open,    // no impulse
  stick,   // an impulse, no sliding
  slip,    // slides, the impulse on the boundary of the friction cone
  failed,  // of a solve of one contact: no solution was found
};

constexpr const char* name(ContactMode m) {
  switch (m) {
    case ContactMode::open:
      return "open";
    case ContactMode::stick:
      return "stick";
    case ContactMode::slip:
      return "slip";
    case ContactMode::failed:
      return "failed";
  }
  return "unknown";
}

}  // namespace stiction
