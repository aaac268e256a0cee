// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stiction/model/world/draft.h>

namespace stiction {

// Throws InvalidInput naming the link or joint; adds warnings where something is odd but can be simulated.
void check_masses(RobotModel& robot, const std::string& file);

}  // namespace stiction
