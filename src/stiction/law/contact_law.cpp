// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/law/contact_law.h>

namespace stiction {

ContactLaw make_contact_law(const World& world, const std::string& name, const OptionMap& options) {
  const LawInfo& info = find_law(name);
  switch (info.family) {
    case LawFamily::anchored:
      return make_anchored(world, options);
    case LawFamily::relaxed:
      return make_relaxed(world, options);
    case LawFamily::compliant:
      return make_compliant(options);
    case LawFamily::hard:
      break;
  }
  HardContact hard = make_hard_contact(info, options);
  if (hard.from_file && world.softness.empty())
    throw InvalidInput(
        "law '" + name + "': softness is 'file', but " +
        (world.cuts.empty() ? "no MJCF file is in this world" : "joints are cut; take coordinates='minimal'") +
        "; expected 'rigid'");
  return hard;
}

const HardContact& row_rules(const ContactLaw& law) {
  static const HardContact joints;
  const auto* hard = std::get_if<HardContact>(&law);
  return hard != nullptr ? *hard : joints;
}

}  // namespace stiction
