// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/step/stepper.h>

namespace stiction {

const std::vector<StepperInfo>& stepper_catalog() {
  static const std::vector<StepperInfo> catalog = {
      {"semi_implicit",
       "everything evaluated at q; v⁺ = v + M⁻¹(dt(τ − h) + Jᵀλ), then q⁺ = q ⊕ dt v⁺",
       "Moreau 1988; Anitescu, Potra 1997; Le Lidec et al. 2024",
       "first order; explicit gyroscopic moments feed energy into fast asymmetric tops",
       {}},
  };
  return catalog;
}

const StepperInfo& find_stepper(const std::string& name) {
  std::vector<std::string> names;
  for (const StepperInfo& stepper : stepper_catalog()) {
    if (stepper.name == name) return stepper;
    names.push_back(stepper.name);
  }
  throw InvalidInput(unknown_name("stepper", name, names));
}

}  // namespace stiction
