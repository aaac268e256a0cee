// SPDX-License-Identifier: BSD-2-Clause
// Private to the module.
#pragma once

#include <stiction/model/world/world.h>

namespace stiction {

class Hash;
void add_drives(Hash& hash, const World& world);  // their part of the fingerprint

}  // namespace stiction
