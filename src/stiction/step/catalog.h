// SPDX-License-Identifier: BSD-2-Clause
// The list of time steppers: when things are evaluated.
#pragma once

#include <stiction/base/field.h>
#include <stiction/law/catalog.h>

#include <string>
#include <vector>

namespace stiction {

struct StepperInfo {
  std::string name, summary, reference, failure_modes;
  std::vector<OptionInfo> options;
  std::vector<LawFamily> families = {LawFamily::hard};  // of the laws that it steps
  bool steps(LawFamily family) const;
};

const std::vector<StepperInfo>& stepper_catalog();
const StepperInfo& find_stepper(const std::string& name);
// The stepper that a law is stepped with if none is named ("auto").
const char* usual_stepper(LawFamily family);
// Throws InvalidInput with a sentence that says which steppers the law has.
void require_stepper(const StepperInfo& stepper, const std::string& law, LawFamily family);

}  // namespace stiction
