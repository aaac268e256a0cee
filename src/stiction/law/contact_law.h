// SPDX-License-Identifier: BSD-2-Clause
// The law of a simulation with its checked options: what gives contact problems (HardContact), or what gives forces.
#pragma once

#include <stiction/law/anchored.h>
#include <stiction/law/compliant.h>
#include <stiction/law/law.h>
#include <stiction/law/relaxed.h>

#include <string>
#include <variant>

namespace stiction {

using ContactLaw = std::variant<HardContact, AnchoredOptions, RelaxedLaw, CompliantOptions>;

// Throws InvalidInput: options out of range or unknown, parts of the world that the law has no form for.
ContactLaw make_contact_law(const World& world, const std::string& name, const OptionMap& options);
// How rows of problems are made: by a hard law itself; with the default options where a soft law leaves loops, limits and
// joint friction to a problem.
const HardContact& row_rules(const ContactLaw& law);

}  // namespace stiction
