// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>

namespace stiction {

// The entry of a list with this name. Throws InvalidInput "unknown WHAT 'nane'; did you mean 'name'? Known: …" if there is none;
// `place` stands before it: "robot.xml: <exclude>: ".
template <class List>
const auto& find_named(const std::string& what, const List& list, const std::string& name,
                       const std::string& place = "") {
  std::vector<std::string> names;
  for (const auto& entry : list) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  throw InvalidInput(place + unknown_name(what, name, names));
}

}  // namespace stiction
