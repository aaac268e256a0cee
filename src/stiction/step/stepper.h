// SPDX-License-Identifier: BSD-2-Clause
// The list of time steppers: when things are evaluated.
#pragma once

#include <stiction/base/field.h>

#include <string>
#include <vector>

namespace stiction {

struct StepperInfo {
  std::string name, summary, reference, failure_modes;
  std::vector<OptionInfo> options;
};

const std::vector<StepperInfo>& stepper_catalog();
const StepperInfo& find_stepper(const std::string& name);

}  // namespace stiction
